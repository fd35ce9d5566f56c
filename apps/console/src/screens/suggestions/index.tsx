import { Link } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import {
  proposalsKey,
  useProposals,
  type ProposalAnswer,
  type ProposalQuery,
  type ReviewAction,
} from '../../api/proposals';
import { readAgain } from '../../api/pages';
import { useReconciliation, type ReconciliationAnswer } from '../../api/reconciliations';
import { useAllows } from '../../api/session';
import { usePathId } from '../../parts/address';
import { Chips, type FilterChip } from '../../parts/chips';
import { Misread, NothingListed, useFilters } from '../../parts/filter-states';
import { HiddenHead } from '../../parts/frame';
import { useKeys } from '../../parts/keys';
import { OnlyFor } from '../../parts/only-for';
import { useReach } from '../../parts/pages';
import { Loaded } from '../../parts/states';
import { Amount } from '../../parts/values';
import { VirtualList, type ListHandle } from '../../parts/virtual-list';
import { wordsOf } from '../../parts/words';
import { useFormats, useText } from '../../text';
import { BulkDialog } from './bulk-dialog';
import { Detail, namesOf } from './detail';
import { filtersOf } from './filter';
import { Filters } from './filters';
import { useReviews } from './use-reviews';

/** Fewer rows than a screen shows. */
const fewRows = 20;

function Row({ proposal }: { proposal: ProposalAnswer }) {
  const formats = useFormats();
  const [first] = proposal.records;
  const words = first ? wordsOf(first, formats.day, 1) : '';
  return (
    <div className="item-row">
      <strong className={proposal.decision === 'MATCH' ? 'score good' : 'score'}>
        {formats.score(proposal.score)}
      </strong>
      <span className="item-name grow">
        <strong>
          <bdi>{namesOf(proposal, 'left')}</bdi>
        </strong>
        <span className="soft cut">
          {words === '' ? null : (
            <>
              <bdi>{words}</bdi>
              {' · '}
            </>
          )}
          <bdi>{namesOf(proposal, 'right')}</bdi>
        </span>
      </span>
      <span className="item-side">
        <Amount of={first?.remaining_amount ?? null} currency={first?.currency ?? null} />
      </span>
    </div>
  );
}

interface ReviewProps {
  reconciliation: ReconciliationAnswer;
  filter: ProposalQuery;
  chips: readonly FilterChip[];
}

function Review({ reconciliation, filter, chips }: ReviewProps) {
  const { suggestions } = useText();
  const formats = useFormats();
  const mayReview = useAllows('matches:write');
  const { id } = reconciliation;
  const query = useProposals(id, filter);
  const { data } = query;
  const place = useRef(0);
  const refresh = useCallback(() => readAgain(proposalsKey(id, filter), place.current), [id, filter]);
  const back = useRef<string>(undefined);
  const onBack = useCallback((restored: string) => void (back.current = restored), []);
  const { decided, hide, decide, undo } = useReviews(reconciliation, refresh, onBack);
  const [at, setAt] = useState(0);
  const [isBulk, setBulk] = useState(false);
  const list = useRef<ListHandle>(null);
  const loaded = useMemo(() => (data?.pages ?? []).flatMap((page) => page.items), [data]);
  const items = useMemo(() => loaded.filter((item) => !decided.has(item.id)), [loaded, decided]);
  const ids = useMemo(() => items.map((item) => item.id), [items]);
  const total = data?.pages[0]?.total ?? null;
  const left = total === null ? items.length : Math.max(items.length, total - (loaded.length - items.length));
  const active = Math.min(at, Math.max(0, items.length - 1));
  place.current = active;
  const proposal = items[active];
  const onReach = useReach(query, items.length);
  // A list of which all is decided has no row that would ask for more.
  useEffect(() => {
    if (items.length < fewRows) onReach(items.length);
  }, [onReach, items.length]);
  // A decision that is taken back is looked at again.
  useLayoutEffect(() => {
    const row = back.current === undefined ? -1 : ids.indexOf(back.current);
    if (row < 0) return;
    back.current = undefined;
    setAt(row);
    list.current?.show(row);
  }, [ids]);
  const act = (action: ReviewAction): void => {
    // The next proposal moves to the place of the decided one, so the active row does not change.
    if (proposal) decide(proposal, action);
  };
  const move = (by: number): void => {
    setAt(Math.max(0, Math.min(items.length - 1, active + by)));
    list.current?.show(Math.max(0, Math.min(items.length - 1, active + by)));
  };
  const open = (rival: string): void => {
    const found = items.findIndex((item) => item.id === rival);
    if (found >= 0) move(found - active);
  };
  useKeys([
    { key: 'j', label: suggestions.keyNext, run: () => move(1) },
    { key: 'k', label: suggestions.keyNext, run: () => move(-1) },
    ...(mayReview
      ? [
          { key: 'Enter', label: suggestions.confirm, run: () => act('confirm') },
          { key: 'x', label: suggestions.reject, run: () => act('reject') },
          { key: 'u', label: suggestions.keyUndo, run: undo },
          { key: 'b', label: suggestions.bulk, run: () => setBulk(items.length > 0) },
        ]
      : []),
  ]);
  const placeText = suggestions.of(formats.count(active + 1), formats.count(left));
  return (
    <>
      <Toolbar chips={chips}>
        {mayReview ? (
          <button type="button" className="button push" disabled={items.length === 0} onClick={() => setBulk(true)}>
            {suggestions.bulk} <kbd>B</kbd>
          </button>
        ) : null}
      </Toolbar>
      <Loaded query={query}>
        {() =>
          proposal === undefined ? (
            <NothingListed chips={chips} title={suggestions.none}>
              <p>{suggestions.noneHint}</p>
              <Link className="button" to="/reconciliations/$id/workbench" params={{ id }}>
                {suggestions.toWorkbench}
              </Link>
            </NothingListed>
          ) : (
            <div className="review">
              <section className="pane shown" aria-label={suggestions.title}>
                <VirtualList
                  handle={list}
                  label={suggestions.list(formats.counted(left))}
                  count={items.length}
                  ids={ids}
                  listKey={filter}
                  active={active}
                  onActive={setAt}
                  isSelected={(row) => row === active}
                  onPick={() => undefined}
                  onReach={onReach}
                  isPickedByKeys={false}
                  renderRow={(row) => {
                    const item = items[row];
                    return item ? <Row proposal={item} /> : null;
                  }}
                />
              </section>
              <div className="reading card">
                <Detail reconciliationId={id} proposal={proposal} place={placeText} onOpen={open} />
                <div className="decide">
                  {mayReview ? (
                    <>
                      <button type="button" className="button danger" onClick={() => act('reject')}>
                        {suggestions.reject} <kbd>X</kbd>
                      </button>
                      <button type="button" className="button primary" onClick={() => act('confirm')}>
                        {suggestions.confirm} <kbd>Enter</kbd>
                      </button>
                    </>
                  ) : (
                    <OnlyFor act="match" />
                  )}
                </div>
              </div>
            </div>
          )
        }
      </Loaded>
      {isBulk ? (
        <BulkDialog
          reconciliationId={id}
          filter={filter}
          decided={decided}
          onClose={() => setBulk(false)}
          onDone={async (ids) => {
            // A list that gets short first would ask for its next page, which ends the reading of all.
            await refresh();
            hide(ids);
          }}
        />
      ) : null}
    </>
  );
}

function Toolbar({ chips, children }: { chips: readonly FilterChip[]; children?: ReactNode }) {
  return (
    <div className="toolbar">
      <Filters />
      <Chips chips={chips} />
      {children}
    </div>
  );
}

function Screen({ reconciliation }: { reconciliation: ReconciliationAnswer }) {
  const texts = useText();
  const { chips, faults, query } = useFilters(filtersOf(texts, useFormats()));
  return (
    <div className="suggestions fill">
      <HiddenHead title={texts.suggestions.title} of={reconciliation.name} />
      {query ? (
        <Review reconciliation={reconciliation} filter={query} chips={chips} />
      ) : (
        <>
          <Toolbar chips={chips} />
          <Misread faults={faults} />
        </>
      )}
    </div>
  );
}

export default function Suggestions() {
  const query = useReconciliation(usePathId());
  return <Loaded query={query}>{(reconciliation) => <Screen reconciliation={reconciliation} />}</Loaded>;
}
