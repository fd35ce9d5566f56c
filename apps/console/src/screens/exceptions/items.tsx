import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { Input } from '@tieout/client';
import { queryClient, tieout, type Schema } from '../../api/client';
import { useItemTotals } from '../../api/open-items';
import { usePages } from '../../api/pages';
import type { ReconciliationAnswer } from '../../api/reconciliations';
import { reasonsQuery } from '../../api/runs';
import { callerName, useAllows, useSession } from '../../api/session';
import { useAction } from '../../parts/action';
import { useAddress, type Search } from '../../parts/address';
import { useKeys } from '../../parts/keys';
import { More, useReach } from '../../parts/pages';
import { useSideNames } from '../../parts/sides';
import { Empty, Loaded } from '../../parts/states';
import { Amount } from '../../parts/values';
import { useFormats, useText } from '../../text';
import { withChange, type ItemChange, type ItemPage } from './annotations';
import { AnnotateDialog, ExcludeDialog } from './dialogs';
import { Filters } from './filters';
import { ItemTable } from './item-table';

type OpenItem = Schema<'OpenItem'>;
type ItemQuery = NonNullable<Input<'listOpenItems'>['query']>;
type Totals = Schema<'OpenItemTotals'>;

const maxSelected = 1_000;

/** The filter that the address holds. */
function filterOf(search: Search, me: string): ItemQuery {
  const { side, who, q, explained, minAge, snoozed, state } = search;
  return {
    ...((side === 'left' || side === 'right') && { side }),
    ...(who === 'none' ? { assigned: false } : who === 'me' ? { assignee: me } : who ? { assignee: who } : {}),
    ...(q && { q }),
    ...(explained && { explained: explained === 'yes' }),
    ...(minAge && /^\d+$/.test(minAge) && { minAgeDays: Number(minAge) }),
    ...(state === 'excluded' ? { excluded: true } : { snoozed: snoozed === 'only' }),
    sort: '-age',
  };
}

function Sums({ totals }: { totals: { left: Totals; right: Totals } }) {
  const { exceptions } = useText();
  const sides = useSideNames();
  const formats = useFormats();
  return (
    <p className="strip sums">
      {(['left', 'right'] as const).map((side) => (
        <span key={side}>
          <span className="soft">{sides[side]}</span> {exceptions.found(formats.count(totals[side].count))}
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

/** The open items as work: chosen with the keys, then assigned, explained, snoozed or excluded, many at a time. */
export function Items({ reconciliation: { id } }: { reconciliation: ReconciliationAnswer }) {
  const { exceptions } = useText();
  const formats = useFormats();
  const { search } = useAddress();
  const me = callerName(useSession().me);
  const mayChange = useAllows('reconciliations:write');
  // They are there before a dialog is: who types fast types into it at once.
  useQuery(reasonsQuery);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState({ row: 0, id: '' });
  const [open, setOpen] = useState<Open>(null);
  const { isBusy, run } = useAction(['reconciliation', id, 'summary'], ['reconciliation', id, 'item-totals']);
  const filter = useMemo(() => filterOf(search, me), [search, me]);
  const queryKey = useMemo(() => ['reconciliation', id, 'open-items', 'work-list', filter], [id, filter]);
  const query = usePages({
    queryKey,
    read: (cursor, signal) =>
      tieout.listOpenItems({
        path: { id },
        query: { ...filter, limit: 100, totals: false, ...(cursor && { cursor }) },
        signal,
      }),
  });
  const { data: totals } = useItemTotals(id, filter);
  const items: OpenItem[] = query.data?.pages.flatMap((page) => page.items) ?? [];
  const row = items.findIndex(({ record_id }) => record_id === active.id);
  const at = row >= 0 ? row : Math.min(active.row, items.length - 1);
  const current = items[at];
  const picked = items.filter(({ record_id }) => chosen.has(record_id));
  // Without a choice, what is done is done to the item that the keys are on.
  const targets = picked.length > 0 ? picked : current ? [current] : [];
  const onReach = useReach(query, items.length);

  const change = async (set: ItemChange, said: (count: string) => string): Promise<boolean> => {
    const recordIds = targets.slice(0, maxSelected).map(({ record_id }) => record_id);
    if (recordIds.length === 0 || Object.keys(set).length === 0) return true;
    const before = queryClient.getQueryData(queryKey);
    queryClient.setQueryData(queryKey, (data: { pages: ItemPage[]; pageParams: unknown[] } | undefined) =>
      withChange(data, new Set(recordIds), set),
    );
    const done = await run(async () => {
      const answer = await tieout.annotateOpenItems({ path: { id }, body: { recordIds, set } });
      const refused = answer.failed.length > 0 ? ` ${exceptions.refused(answer.failed.length)}` : '';
      if (refused) void queryClient.invalidateQueries({ queryKey });
      return said(formats.count(answer.done)) + refused;
    });
    if (done) setChosen(new Set());
    else queryClient.setQueryData(queryKey, before);
    return done;
  };
  const assignMe = (): void => void change({ assignee: me }, exceptions.done);
  const takeBack = (): void => void change({ excluded: null }, exceptions.takenBack);
  const toggle = (item: OpenItem | undefined): void => {
    if (item === undefined) return;
    const next = new Set(chosen);
    if (!next.delete(item.record_id)) next.add(item.record_id);
    setChosen(next);
  };
  const activate = (next: number): void => setActive({ row: next, id: items[next]?.record_id ?? '' });
  const chooseAll = (isOn: boolean): void => setChosen(new Set(isOn ? items.map(({ record_id }) => record_id) : []));
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(items.length - 1, to));
    activate(next);
    onReach(next);
    document.querySelector(`[data-row="${next}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const isExcluded = search.state === 'excluded';
  useKeys([
    { key: 'j', label: exceptions.next, run: () => move(at + 1) },
    { key: 'ArrowDown', shown: '↓', label: exceptions.next, run: () => move(at + 1) },
    { key: 'k', label: exceptions.previous, run: () => move(at - 1) },
    { key: 'ArrowUp', shown: '↑', label: exceptions.previous, run: () => move(at - 1) },
    { key: '/', label: exceptions.search, run: () => document.getElementById('item-search')?.focus() },
    ...(mayChange
      ? [
          { key: ' ', shown: '␣', label: exceptions.choose, run: () => toggle(current) },
          { key: '*', label: exceptions.selectAll, run: () => chooseAll(picked.length < items.length) },
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
    <div className="block exceptions">
      <Filters />
      <Loaded query={query}>
        {() =>
          items.length === 0 ? (
            <Empty title={exceptions.none}>
              <p>{exceptions.noneHint}</p>
            </Empty>
          ) : (
            <>
              {totals?.totals ? <Sums totals={totals.totals} /> : null}
              <ItemTable
                items={items}
                active={at}
                chosen={chosen}
                mayChoose={mayChange}
                onActive={activate}
                onToggle={toggle}
                onAll={chooseAll}
              />
              <More query={query} />
              {mayChange ? (
                <div className="action-bar">
                  <strong className="figures">{exceptions.selected(formats.count(targets.length))}</strong>
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
              ) : null}
            </>
          )
        }
      </Loaded>
      {open === 'annotate' ? (
        <AnnotateDialog
          items={targets}
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
    </div>
  );
}
