/** Gives the focus to the whole screen, for when the element that had it is gone. */
export const focusContent = (): void => document.getElementById('content')?.focus({ preventScroll: true });
