const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 12.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM11 11l4 4',
  up: 'M8 13V3M4 7l4-4 4 4',
  down: 'M8 3v10M4 9l4 4 4-4',
  check: 'M3 8.5l3.5 3.5L13 4.5',
  filter: 'M2 3h12M4.5 8h7M7 13h2',
  mark: 'M2 5h7a4 4 0 0 1 0 8H6M2 5v0M14 3H8a4 4 0 0 0-4 4',
} as const;

export function Icon({ name }: { name: keyof typeof paths }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <path d={paths[name]} stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** Shows two strokes that meet, as the left and the right side do. */
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path d="M3 7h8.5a4.5 4.5 0 0 1 0 9H9" stroke="currentColor" strokeWidth="3" strokeLinecap="round" />
      <path d="M21 17h-6" stroke="currentColor" strokeWidth="3" strokeLinecap="round" opacity="0.45" />
      <path d="M21 7h-2" stroke="currentColor" strokeWidth="3" strokeLinecap="round" opacity="0.45" />
    </svg>
  );
}
