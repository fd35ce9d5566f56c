import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Matches the keys to hold. Tab, Escape and keys without a meaning of their own are left to the browser. */
const holdable = /^(.|Enter|Arrow\w+|Home|End|Page\w+)$/u;

/** Presses a key where the focus is, or on the screen as a whole. */
function press(key: string): void {
  const content = document.getElementById('content');
  const target = content?.contains(document.activeElement) ? document.activeElement : content;
  target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
}

/**
 * Holds keys while a screen loads, and presses them once it is there: before, they would act on the previous screen. A
 * screen whose data is not there yet drops them, so that a person decides only what is in sight.
 *
 * @param isForScreen returns whether a key acts on a screen and does not lead to another
 */
export function useHeldKeys(isForScreen: (event: KeyboardEvent) => boolean): void {
  const router = useRouter();
  const isForScreenRef = useRef(isForScreen);
  isForScreenRef.current = isForScreen;
  useEffect(() => {
    let held: string[] = [];
    let timer: number | undefined;
    const hold = (event: KeyboardEvent): void => {
      if (
        !event.isTrusted ||
        (router.state.status !== 'pending' && held.length === 0) ||
        !holdable.test(event.key) ||
        !isForScreenRef.current(event)
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat) held.push(event.key);
    };
    const forget = router.subscribe('onBeforeNavigate', () => (held = []));
    // Each key is pressed in its own task, after the changes of the previous key have been rendered.
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
