import type { ReactNode } from 'react';

interface TableFrameProps {
  /** Says what the table lists, to readers of the screen. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** A table that may be wider than its place: it scrolls there, by the keys too. */
export function TableFrame({ label, className = '', children }: TableFrameProps) {
  return (
    <div className={`scroll-x ${className}`} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
