/** Gives the focus to the screen as a whole, where what had it is gone. */
export const focusContent = (): void => document.getElementById('content')?.focus({ preventScroll: true });
