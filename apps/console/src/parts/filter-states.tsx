import { useMemo, type ReactNode } from 'react';
import { useText } from '../text';
import { useAddress, without } from './address';
import type { FilterChip } from './chips';
import { readFilters, type FilterFault, type FilterReading, type Filters } from './read-filters';
import { Empty } from './states';
import { cellText } from './words';

/** Reads the filters of a screen. The query stays the same object until the address asks for something else. */
export function useFilters<Q>(filters: Filters<Q>): FilterReading<Q> {
  const { frame } = useText();
  const { search } = useAddress();
  const { query, ...reading } = readFilters<Q>(search, filters, frame.mends);
  const key = query && JSON.stringify(query);
  const same = useMemo(() => (key === undefined ? undefined : (JSON.parse(key) as Partial<Q>)), [key]);
  return { ...reading, query: same };
}

/** Takes the place of a list whose filters cannot be read: says of each what it takes, and offers to remove it. */
export function Misread({ faults }: { faults: readonly FilterFault[] }) {
  const { frame } = useText();
  const { setSearch } = useAddress();
  return (
    <div className="state" role="alert">
      <h2>{frame.misread}</h2>
      {faults.map(({ name, label, text, mend }) => (
        <p key={name}>
          <bdi>{frame.misreadFilter(label, cellText(text), mend)}</bdi>
        </p>
      ))}
      <button type="button" className="button" onClick={() => setSearch(without(faults.map(({ name }) => name)))}>
        {frame.removeFilter}
      </button>
    </div>
  );
}

interface NothingListedProps {
  /** The filters that the list has. */
  chips: readonly FilterChip[];
  /** The title of a list that is empty without a filter. */
  title: string;
  children: ReactNode;
}

/** Takes the place of a list that is empty: without a filter as its screen says it, else with a way to clear that. */
export function NothingListed({ chips, title, children }: NothingListedProps) {
  const { frame } = useText();
  const { setSearch } = useAddress();
  if (chips.length === 0) return <Empty title={title}>{children}</Empty>;
  return (
    <Empty title={frame.nothingFits}>
      <button type="button" className="button" onClick={() => setSearch(without(chips.flatMap(({ names }) => names)))}>
        {frame.clearFilter}
      </button>
    </Empty>
  );
}
