import type { ReactNode } from 'react';
import { useAddress } from './address';

interface SplitProps {
  /** The name of the list for screen readers. */
  label: string;
  list: ReactNode;
  /** The address parameter that names the chosen entry. */
  choice: string;
  /** The label of the button back to the list, which a narrow screen shows. */
  back: string;
  /** The list has short entries. */
  isNarrow?: boolean;
  children: ReactNode;
}

/** Shows a list beside its chosen entry; a narrow screen shows one of the two. */
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
