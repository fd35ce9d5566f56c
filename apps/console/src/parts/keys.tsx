import {
  createContext,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useText } from '../text';
import { Dialog } from './dialog';
import { focusContent } from './focus';
import { useHeldKeys } from './held-keys';

export interface Shortcut {
  /** The value of `KeyboardEvent.key`; letters fit in either case. Two that follow each other have a blank between. */
  key: string;
  /** The name of the key in the help; default: the key. */
  shown?: string;
  /** Several shortcuts with one label are one line of the help. */
  label: string;
  run: (event: KeyboardEvent) => void;
  /** Also fires while something is typed. */
  whileTyping?: boolean;
}

interface Registry {
  add(shortcuts: { current: readonly Shortcut[] }): () => void;
  openHelp(): void;
}

const context = createContext<Registry | null>(null);

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName) || isTextInput(target));

const isTextInput = (target: HTMLElement): boolean =>
  target instanceof HTMLInputElement && !/^(checkbox|radio|button|submit|range|file)$/.test(target.type);

/** Enter begins a line in a text of several lines. */
const isLineBreak = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.tagName === 'TEXTAREA');

/** A key that acts on what has the focus is left to it. */
const isTaken = (event: KeyboardEvent): boolean =>
  (event.key === 'Enter' || event.key === ' ') &&
  event.target instanceof HTMLElement &&
  event.target.closest('button, a, summary, input, select') !== null &&
  !(event.key === 'Enter' && event.target.matches('input[type=checkbox]:not(form *)'));

/** A held key repeats moves only: a person must see a row before a key decides it. */
const isRepeatable = ({ key }: KeyboardEvent): boolean => /^([jk]|Arrow\w+)$/i.test(key);

/** A dialog has keys of its own. */
const isForKeys = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  !ctrlKey && !metaKey && !altKey && document.querySelector('dialog[open]') === null;

interface Meaning {
  key: string;
  found: Shortcut | undefined;
  /** Another key makes it a shortcut. */
  isFirst: boolean;
  isOfChord: boolean;
}

/** The time in which the second of two keys follows the first. */
const chordMs = 1_500;

/** Handles the shortcuts of the mounted screens, and lists them when `?` is pressed. */
export function KeyProvider({ children }: { children: ReactNode }) {
  const { frame } = useText();
  const sets = useRef(new Set<{ current: readonly Shortcut[] }>());
  const [shown, setShown] = useState<readonly Shortcut[] | null>(null);
  const registry = useMemo<Registry>(
    () => ({
      add: (shortcuts) => {
        sets.current.add(shortcuts);
        return () => void sets.current.delete(shortcuts);
      },
      openHelp: () => setShown([...sets.current].flatMap(({ current }) => current)),
    }),
    [],
  );
  const first = useRef({ key: '', at: -chordMs });
  const lookUp = (event: KeyboardEvent): Meaning => {
    const typing = isTyping(event.target);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const all = [...sets.current].reverse().flatMap(({ current }) => current);
    const isSecond = !typing && event.timeStamp - first.current.at < chordMs;
    const chord = isSecond ? all.find((one) => one.key === `${first.current.key} ${key}`) : undefined;
    const found = chord ?? all.find((one) => one.key === key && (!typing || one.whileTyping));
    const isFirst = !typing && found === undefined && all.some((one) => one.key.startsWith(`${key} `));
    return { key, found, isFirst, isOfChord: isFirst || chord !== undefined };
  };
  useHeldKeys((event) => isForKeys(event) && !isTyping(event.target) && !lookUp(event).isOfChord);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      // The browser would press a button again, and send a form again.
      if (event.repeat && event.key === 'Enter' && !isLineBreak(event.target)) event.preventDefault();
      if (event.defaultPrevented || !isForKeys(event) || isTaken(event)) return;
      const typing = isTyping(event.target);
      // The keys are those of the screen again.
      if (typing && event.key === 'Escape') return focusContent();
      if (event.key === '?' && !typing) return registry.openHelp();
      const { key, found, isFirst } = lookUp(event);
      if (event.repeat && found !== undefined && !isRepeatable(event)) return event.preventDefault();
      first.current = isFirst ? { key, at: event.timeStamp } : { key: '', at: -chordMs };
      if (found === undefined) return;
      event.preventDefault();
      found.run(event);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [registry]);
  return (
    <context.Provider value={registry}>
      {children}
      {shown === null ? null : (
        <Dialog title={frame.keyHelp} onClose={() => setShown(null)}>
          <dl className="keys">
            {linesOf(shown).map(([label, keys]) => (
              <div key={label} className="key-line">
                <dt>
                  {keys.map((key) => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dt>
                <dd>{label}</dd>
              </div>
            ))}
            <div className="key-line">
              <dt>
                <kbd>?</kbd>
              </dt>
              <dd>{frame.keyHelp}</dd>
            </div>
          </dl>
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setShown(null)}>
              {frame.close}
            </button>
          </div>
        </Dialog>
      )}
    </context.Provider>
  );
}

function linesOf(shortcuts: readonly Shortcut[]): [label: string, keys: string[]][] {
  const lines = new Map<string, string[]>();
  for (const { label, shown, key } of shortcuts) {
    const name = shown ?? (/^\w( \w)?$/.test(key) ? key.toUpperCase() : key);
    lines.set(label, [...(lines.get(label) ?? []), name]);
  }
  return [...lines];
}

function useRegistry(): Registry {
  const value = useContext(context);
  if (value === null) throw new Error('KeyProvider is missing');
  return value;
}

/** Registers the shortcuts of a screen while it is mounted. */
export function useKeys(shortcuts: readonly Shortcut[]): void {
  const registry = useRegistry();
  const current = useRef(shortcuts);
  // Layout effects run before the next key is handled, so a shortcut always sees the current screen.
  useLayoutEffect(() => {
    current.current = shortcuts;
  });
  // A screen counts as mounted once its layout effects have run, so that keys which were held for it find its
  // shortcuts.
  useLayoutEffect(() => registry.add(current), [registry]);
}

export const useKeyHelp = (): (() => void) => useRegistry().openHelp;
