import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Tab, Escape and keys without a meaning of their own are left to the browser. */
const holdable = /^(.|Enter|Arrow\w+|Home|End|Page\w+)$/u;

/** Presses a key where the focus is, or on the screen as a whole. */
function press(key: string): void {
  const content = document.getElementById('content');
  const target = content?.contains(document.activeElement) ? document.activeElement : content;
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

/**
 * Holds keys while a screen that was asked for is on its way, and presses them once it is there: until then they would
 * act on the screen that is left. A screen whose data is not there yet drops them: what is unseen is not decided.
 *
 * @param isForScreen says whether a key is for a screen, and leads to no other
 */
export function useHeldKeys(isForScreen: (event: KeyboardEvent) => boolean): void {
  const router = useRouter();
  const isFor = useRef(isForScreen);
  isFor.current = isForScreen;
  useEffect(() => {
    let held: string[] = [];
    let timer: number | undefined;
    const hold = (event: KeyboardEvent): void => {
      if (
        !event.isTrusted ||
        (router.state.status !== 'pending' && held.length === 0) ||
        !holdable.test(event.key) ||
        !isFor.current(event)
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      held.push(event.key);
    };
    const forget = router.subscribe('onBeforeNavigate', () => (held = []));
    // Each in a turn of its own: a key finds what the one before it has changed.
    const giveNext = (): void => {
      const key = held.shift();
      if (key === undefined) return;
      press(key);
      timer = window.setTimeout(giveNext);
    };
    const give = router.subscribe('onResolved', giveNext);
    window.addEventListener('keydown', hold, true);
    return () => {
      window.removeEventListener('keydown', hold, true);
      window.clearTimeout(timer);
      forget();
      give();
    };
  }, [router]);
}
