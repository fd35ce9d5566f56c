import type { ReactNode } from 'react';
import { Icon } from '../../parts/icons';
import { useText } from '../../text';
import type { KnownNames } from './language';

/** The service takes this many keys. */
const maxKeys = 8;

/** A new key begins with the first field of each side. */
export const firstNames = ({ left, right }: KnownNames) => ({ left: left[0] ?? 'id', right: right[0] ?? 'id' });

interface KeyInput<K> {
  key: K;
  place: number;
  side: 'left' | 'right';
  change: (next: K) => void;
}

interface KeyRowsProps<K> {
  title: string;
  hint?: string;
  keys: readonly K[];
  added: K;
  input: (input: KeyInput<K>) => ReactNode;
  /** undefined: none is left. */
  onChange: (keys: K[] | undefined) => void;
}

/** Pairs of inputs, one for each side, that are added and removed. */
export function KeyRows<K>({ title, hint, keys, added, input, onChange }: KeyRowsProps<K>) {
  const { rules } = useText();
  return (
    <>
      <h3>{title}</h3>
      {hint === undefined ? null : <p className="soft">{hint}</p>}
      {keys.map((key, place) => (
        <div key={place} className="key-row">
          {(['left', 'right'] as const).map((side) =>
            input({ key, place, side, change: (next) => onChange(keys.map((one, i) => (i === place ? next : one))) }),
          )}
          <button
            type="button"
            className="icon-button"
            aria-label={`${rules.remove}: ${title} ${place + 1}`}
            onClick={() => onChange(keys.length === 1 ? undefined : keys.filter((_, i) => i !== place))}
          >
            <Icon name="close" />
          </button>
        </div>
      ))}
      {keys.length < maxKeys ? (
        <button type="button" className="button" onClick={() => onChange([...keys, added])}>
          {rules.addKey}
        </button>
      ) : null}
    </>
  );
}
