import { memo, useEffect, useImperativeHandle, useMemo, useRef, type Ref } from 'react';
import { queryClient } from '../../api/client';
import {
  itemTotalsKey,
  openItemsKey,
  useItemTotals,
  useOpenItems,
  type OpenItemAnswer,
  type OpenItemQuery,
  type ListSide,
} from '../../api/open-items';
import { itemsOf, readAgain } from '../../api/pages';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { useAddress } from '../../parts/address';
import type { FilterChip } from '../../parts/chips';
import { NothingListed } from '../../parts/filter-states';
import { useSideNames } from '../../parts/sides';
import { recordName } from '../../parts/words';
import { listedRows, rowsInSight, useReach } from '../../parts/pages';
import { Fault, Waiting } from '../../parts/states';
import { Amount, Day, Words } from '../../parts/values';
import { VirtualList, type ListHandle } from '../../parts/virtual-list';
import { useFormats, useText } from '../../text';
import type { Selection } from './selection';

const Row = memo(function Row({ item }: { item: OpenItemAnswer }) {
  const { workbench } = useText();
  const formats = useFormats();
  const isPartly = item.remaining_amount !== item.amount;
  return (
    <div className="item-row">
      <span className="item-name">
        <strong>
          <bdi>{recordName(item)}</bdi>
        </strong>
        <span className="soft cut">
          <Words of={item} />
        </span>
      </span>
      <span className="item-side">
        <Amount of={item.remaining_amount} currency={item.currency} showsCode />
        <span className="soft">
          {item.best_possible || item.best_possible_composite ? (
            <span className="dot" title={workbench.suggested} aria-label={workbench.suggested} role="img" />
          ) : null}
          {isPartly ? workbench.rest(formats.amount(item.amount, item.currency)) : <Day of={item.date} />}
        </span>
      </span>
    </div>
  );
});

export interface PaneHandle {
  focusList(): void;
  /** Does what a key does in the list. */
  press(key: string): void;
  focusSearch(): void;
  /** The item that the keys are on. */
  current(): OpenItemAnswer | undefined;
  /** Reads the list again, as far as the keys are. */
  refresh(): Promise<unknown>;
}

interface PaneProps {
  reconciliation: ReconciliationAnswer;
  side: ListSide;
  filter: OpenItemQuery;
  /** The filters that hold for this side. */
  chips: readonly FilterChip[];
  selection: Selection;
  /** Records that have been matched since the list was read. */
  gone: ReadonlySet<string>;
  active: number;
  onActive: (row: number) => void;
  onPick: (item: OpenItemAnswer) => void;
  onFocus: () => void;
  isShown: boolean;
  handle: Ref<PaneHandle>;
}

/** The open items of one side: search, order, list. */
export function Pane({ reconciliation, side, filter, selection, gone, active, onActive, ...props }: PaneProps) {
  const { workbench } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  const { search, setSearch } = useAddress();
  const list = useRef<ListHandle>(null);
  const input = useRef<HTMLInputElement>(null);
  const names = side === 'left' ? { q: 'lq', sort: 'lsort' } : { q: 'rq', sort: 'rsort' };
  const query = useOpenItems(reconciliation.id, filter);
  const { data } = query;
  const loaded = useMemo(() => itemsOf(data), [data]);
  const items = useMemo(
    () => (gone.size === 0 ? loaded : loaded.filter((item) => !gone.has(item.record_id))),
    [loaded, gone],
  );
  const ids = useMemo(() => items.map((item) => item.record_id), [items]);
  const { data: totals } = useItemTotals(reconciliation.id, filter, data !== undefined);
  const goneCount = loaded.length - items.length;
  const total = query.hasNextPage ? Math.max(items.length, (totals?.total ?? 0) - goneCount) : items.length;
  const count = listedRows(items.length, total, query.hasNextPage);
  const onReach = useReach(query, items.length, 40);
  useImperativeHandle(props.handle, () => ({
    focusList: () => list.current?.focus(),
    press: (key) => list.current?.press(key),
    focusSearch: () => input.current?.focus(),
    current: () => items[active],
    refresh: () => {
      void queryClient.invalidateQueries({ queryKey: itemTotalsKey(reconciliation.id, filter) });
      return readAgain(openItemsKey(reconciliation.id, filter), active + rowsInSight);
    },
  }));
  // A row that is picked before it is loaded is picked once it is loaded, unless another row is active by then.
  const wanted = useRef<number>(undefined);
  const pick = (row: number): void => {
    const item = items[row];
    wanted.current = item ? undefined : row;
    if (item) props.onPick(item);
  };
  useEffect(() => {
    const row = wanted.current;
    if (row === undefined || items.length <= row) return;
    if (row === active) pick(row);
    wanted.current = undefined;
  });
  const sideName = sides[side];
  return (
    <section className={props.isShown ? 'pane shown' : 'pane'} aria-label={sideName}>
      <div className="pane-head">
        <h2>
          {sideName}{' '}
          <span className="soft figures">{data && (totals || !query.hasNextPage) ? formats.count(total) : ''}</span>
        </h2>
        <input
          ref={input}
          type="search"
          className="input"
          key={search[names.q] ?? ''}
          defaultValue={search[names.q] ?? ''}
          placeholder={workbench.search}
          aria-label={workbench.searchSide(sideName)}
          onKeyDown={(event) => {
            if (event.key === 'Escape' || event.key === 'Enter') event.preventDefault();
            if (event.key === 'Enter') setSearch({ [names.q]: event.currentTarget.value.trim() });
            if (event.key === 'Escape' || event.key === 'Enter') list.current?.focus();
          }}
          onBlur={(event) => {
            if (event.target.value.trim() !== (search[names.q] ?? ''))
              setSearch({ [names.q]: event.target.value.trim() });
          }}
        />
        <select
          className="input"
          aria-label={workbench.sort}
          value={search[names.sort] ?? '-age'}
          onChange={(event) => setSearch({ [names.sort]: event.target.value })}
        >
          {Object.entries(workbench.sorts).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {query.error && !data ? (
        <Fault error={query.error} retry={() => void query.refetch()} />
      ) : data && count === 0 ? (
        <NothingListed chips={props.chips} title={workbench.none}>
          <p>{workbench.noneHint}</p>
        </NothingListed>
      ) : (
        <VirtualList
          handle={list}
          label={workbench.items(sideName, formats.count(total))}
          count={data ? count : 12}
          ids={ids}
          listKey={filter}
          active={active}
          onActive={onActive}
          isSelected={(row) => selection.has(items[row]?.record_id ?? '')}
          onPick={pick}
          onReach={onReach}
          onFocus={props.onFocus}
          renderRow={(row) => {
            const item = items[row];
            return item ? <Row item={item} /> : <Waiting />;
          }}
        />
      )}
    </section>
  );
}
