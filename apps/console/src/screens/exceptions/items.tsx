import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { queryClient, tieout, type Schema } from '../../api/client';
import {
  itemTotalsKey,
  openItemsKey,
  useItemTotals,
  useOpenItems,
  type OpenItemAnswer,
  type OpenItemQuery,
} from '../../api/open-items';
import { itemsOf, readAgain } from '../../api/pages';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { reasonsQuery } from '../../api/runs';
import { callerName, useAllows, useSession } from '../../api/session';
import { useActions } from '../../parts/action';
import type { FilterChip } from '../../parts/chips';
import { Misread, NothingListed, useFilters } from '../../parts/filter-states';
import { useKeys } from '../../parts/keys';
import { OnlyFor } from '../../parts/only-for';
import { listedRows, rowsInSight, useReach } from '../../parts/pages';
import { useSideNames } from '../../parts/sides';
import { Loaded } from '../../parts/states';
import { Amount } from '../../parts/values';
import type { ListHandle } from '../../parts/virtual-list';
import { recordName } from '../../parts/words';
import { useFormats, useText, type Count } from '../../text';
import { isChangedBy, withChange, type ItemChange, type ItemPages } from './annotations';
import { AnnotateDialog, ExcludeDialog } from './dialogs';
import { filtersOf, queryOf, type ExceptionFilter } from './filter';
import { Filters } from './filters';
import { ItemList } from './item-list';

type Totals = Schema<'OpenItemTotals'>;

/** Items of one request. */
const maxPerRequest = 1_000;

function Sums({ totals }: { totals: { left: Totals; right: Totals } }) {
  const { exceptions } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  return (
    <p className="strip sums">
      {(['left', 'right'] as const).map((side) => (
        <span key={side}>
          <span className="soft">{sides[side]}</span> {exceptions.found(formats.counted(totals[side].count))}
          {totals[side].amounts.map(({ currency, amount }) => (
            <span key={currency}>
              {' · '}
              <Amount of={amount} currency={currency} showsCode />
            </span>
          ))}
        </span>
      ))}
    </p>
  );
}

type Open = 'annotate' | 'exclude' | null;

/** Changes items, and says how many are and how many are not. */
async function annotate(id: string, recordIds: readonly string[], set: ItemChange) {
  const counts = { done: 0, failed: 0 };
  for (let from = 0; from < recordIds.length; from += maxPerRequest) {
    const body = { recordIds: recordIds.slice(from, from + maxPerRequest), set };
    const { done, failed } = await tieout.annotateOpenItems({ path: { id }, body });
    counts.done += done;
    counts.failed += failed.length;
  }
  return counts;
}

interface ItemsProps {
  reconciliation: ReconciliationAnswer;
  /** Only items that came after their month was closed. */
  isLate?: boolean;
}

export const Late = (props: ItemsProps) => <Items {...props} isLate />;

export function Items({ reconciliation, isLate = false }: ItemsProps) {
  const texts = useText();
  const me = callerName(useSession().me);
  const reader = { formats: useFormats(), sides: useSideNames(), me };
  const { chips, faults, query } = useFilters<ExceptionFilter>(filtersOf(texts, reader));
  const filter = useMemo(() => query && queryOf(query, isLate), [query, isLate]);
  return (
    <div className="exceptions fill">
      <Filters chips={chips} />
      {filter ? (
        <Work reconciliation={reconciliation} isLate={isLate} me={me} filter={filter} chips={chips} />
      ) : (
        <Misread faults={faults} />
      )}
    </div>
  );
}

interface WorkProps extends Required<ItemsProps> {
  me: string;
  filter: OpenItemQuery;
  chips: readonly FilterChip[];
}

/** The open items as work: chosen with the keys, then assigned, explained, snoozed or excluded, many at a time. */
function Work({ reconciliation: { id, timezone }, isLate, me, filter, chips }: WorkProps) {
  const { exceptions } = useText();
  const formats = useFormats();
  const mayChange = useAllows('reconciliations:write');
  // Reads the reasons before a dialog needs them, so that a user can type at once.
  useQuery(reasonsQuery);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<Open>(null);
  const { isBusy, run } = useActions(['reconciliation', id, 'summary'], ['reconciliation', id, 'item-totals']);
  const list = useRef<ListHandle>(null);
  const queryKey = useMemo(() => openItemsKey(id, filter), [id, filter]);
  const query = useOpenItems(id, filter);
  const { data } = query;
  const { data: totals } = useItemTotals(id, filter, data !== undefined);
  const items = useMemo(() => itemsOf(data), [data]);
  const ids = useMemo(() => items.map((item) => item.record_id), [items]);
  const count = listedRows(items.length, totals?.total ?? 0, query.hasNextPage);
  const [at, setAt] = useState({ filter, row: 0 });
  const active = at.filter === filter ? Math.min(at.row, Math.max(0, count - 1)) : 0;
  const current = items[active];
  const picked = useMemo(() => items.filter(({ record_id }) => chosen.has(record_id)), [items, chosen]);
  // Without a choice, what is done is done to the item that the keys are on.
  const targets = picked.length > 0 ? picked : current ? [current] : [];
  const onReach = useReach(query, items.length);
  // A list of which all is excluded has no row that would ask for more.
  useEffect(() => {
    if (items.length < rowsInSight) onReach(items.length);
  }, [onReach, items.length]);

  const change = async (set: ItemChange, said: (count: Count) => string): Promise<boolean> => {
    const before = queryClient.getQueryData<ItemPages>(queryKey);
    const chosenIds = new Set(targets.map(({ record_id }) => record_id));
    // A second press changes nothing, so it is not sent. The screen may not show yet what the first one has changed.
    const recordIds = itemsOf(before)
      .filter((item) => chosenIds.has(item.record_id) && isChangedBy(item, set))
      .map(({ record_id }) => record_id);
    if (recordIds.length === 0) return true;
    const changed = queryClient.setQueryData(queryKey, withChange(before, new Set(recordIds), set));
    const done = await run(async () => {
      const { done, failed } = await annotate(id, recordIds, set);
      const refused = failed > 0 ? ` ${exceptions.refused(formats.counted(failed))}` : '';
      if (refused) void readAgain(queryKey, active);
      return said(formats.counted(done)) + refused;
    });
    if (done) setChosen((before) => new Set([...before].filter((one) => !chosenIds.has(one))));
    else {
      // The list of before lacks what another change has shown since.
      const isLatest = queryClient.getQueryData(queryKey) === changed;
      if (isLatest) queryClient.setQueryData(queryKey, before);
      // Some of several requests may have been carried out.
      if (!isLatest || recordIds.length > maxPerRequest) void readAgain(queryKey, active);
    }
    return done;
  };
  const assignMe = (): void => void change({ assignee: me }, exceptions.done);
  const takeBack = (): void => void change({ excluded: null }, exceptions.takenBack);
  const toggle = (item: OpenItemAnswer | undefined): void => {
    if (item === undefined || !mayChange) return;
    const next = new Set(chosen);
    if (!next.delete(item.record_id)) next.add(item.record_id);
    setChosen(next);
  };
  const chooseShown = (): void => setChosen(new Set(picked.length < items.length ? ids : []));
  const press = ({ key }: KeyboardEvent): void => list.current?.press(key);
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: itemTotalsKey(id, filter) });
    void readAgain(queryKey, active);
  };
  const isExcluded = filter.excluded === true;
  useKeys([
    { key: 'j', label: exceptions.next, run: press },
    { key: 'ArrowDown', shown: '↓', label: exceptions.next, run: press },
    { key: 'k', label: exceptions.previous, run: press },
    { key: 'ArrowUp', shown: '↑', label: exceptions.previous, run: press },
    { key: 'r', label: exceptions.refresh, run: refresh },
    { key: '/', label: exceptions.search, run: () => document.getElementById('item-search')?.focus() },
    ...(mayChange
      ? [
          { key: ' ', shown: '␣', label: exceptions.choose, run: () => toggle(current) },
          { key: '*', label: exceptions.selectAll, run: chooseShown },
          { key: 'Escape', shown: 'Esc', label: exceptions.clearChoice, run: () => setChosen(new Set()) },
          ...(isExcluded
            ? [{ key: 'x', label: exceptions.takeBack, run: takeBack }]
            : [
                { key: 'Enter', label: exceptions.annotate, run: () => targets.length > 0 && setOpen('annotate') },
                { key: 'a', label: exceptions.assignMe, run: assignMe },
                { key: 'x', label: exceptions.exclude, run: () => targets.length > 0 && setOpen('exclude') },
              ]),
        ]
      : []),
  ]);
  return (
    <>
      <Loaded query={query}>
        {() =>
          items.length === 0 ? (
            <NothingListed chips={chips} title={isLate ? exceptions.noLate : exceptions.none}>
              <p>{isLate ? exceptions.noLateHint : exceptions.noneHint}</p>
            </NothingListed>
          ) : (
            <>
              <section className="pane shown" aria-label={exceptions.views[isLate ? 'late' : 'items']}>
                <div className="pane-strip">
                  {totals?.totals ? <Sums totals={totals.totals} /> : null}
                  {mayChange ? (
                    <button type="button" className="text-button push" onClick={chooseShown}>
                      {exceptions.selectAll} <kbd>*</kbd>
                    </button>
                  ) : null}
                </div>
                <ItemList
                  handle={list}
                  items={items}
                  ids={ids}
                  count={count}
                  listKey={filter}
                  active={active}
                  chosen={chosen}
                  onActive={(row) => setAt({ filter, row })}
                  onPick={toggle}
                  onReach={onReach}
                />
              </section>
              {mayChange ? (
                <div className="action-bar">
                  <strong className="figures cut">
                    {picked.length > 0 || current === undefined ? (
                      exceptions.selected(formats.count(picked.length))
                    ) : (
                      <bdi>{exceptions.onRow(recordName(current))}</bdi>
                    )}
                  </strong>
                  {isExcluded ? (
                    <button type="button" className="button" disabled={isBusy} onClick={takeBack}>
                      {exceptions.takeBack} <kbd>X</kbd>
                    </button>
                  ) : (
                    <>
                      <button type="button" className="button" disabled={isBusy} onClick={() => setOpen('exclude')}>
                        {exceptions.exclude} <kbd>X</kbd>
                      </button>
                      <button type="button" className="button" disabled={isBusy} onClick={assignMe}>
                        {exceptions.assignMe} <kbd>A</kbd>
                      </button>
                      <button type="button" className="button primary" onClick={() => setOpen('annotate')}>
                        {exceptions.annotate} <kbd>↵</kbd>
                      </button>
                    </>
                  )}
                </div>
              ) : (
                <div className="action-bar">
                  <OnlyFor act="annotate" />
                </div>
              )}
            </>
          )
        }
      </Loaded>
      {open === 'annotate' ? (
        <AnnotateDialog
          items={targets}
          timezone={timezone}
          isBusy={isBusy}
          onClose={() => setOpen(null)}
          onSet={(set) => void change(set, exceptions.done).then((done) => done && setOpen(null))}
        />
      ) : open === 'exclude' ? (
        <ExcludeDialog
          count={targets.length}
          isBusy={isBusy}
          onClose={() => setOpen(null)}
          onSet={(set) => void change(set, exceptions.excluded).then((done) => done && setOpen(null))}
        />
      ) : null}
    </>
  );
}
