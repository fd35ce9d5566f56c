/** Gives the focus to the whole screen, for when the element that had it is gone. */
export const focusContent = (): void => document.getElementById('content')?.focus({ preventScroll: true });

/** Gives the focus to the screen if the element that had it has left the page. */
export function keepFocus(): void {
  if (document.activeElement === document.body) focusContent();
}
