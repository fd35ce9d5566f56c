import type { ReactNode } from 'react';
import { useAddress } from './address';

interface SplitProps {
  /** The name of the list for readers of the screen. */
  label: string;
  list: ReactNode;
  /** The parameter of the address that names what is chosen. */
  choice: string;
  /** The way back to the list, where only one of both has room. */
  back: string;
  /** The list has short entries. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** A list beside what is chosen of it; a narrow screen shows one of them. */
export function Split({ label, list, choice, back, isNarrow = false, children }: SplitProps) {
  const { search, setSearch } = useAddress();
  return (
    <div className={['split', isNarrow && 'narrow', !search.list && 'has-chosen'].filter(Boolean).join(' ')}>
      <nav className="list" aria-label={label}>
        {list}
      </nav>
      <section className="split-main">
        <button
          type="button"
          className="text-button back"
          onClick={() => setSearch({ [choice]: undefined, list: 'all' })}
        >
          {back}
        </button>
        {children}
      </section>
    </div>
  );
}
