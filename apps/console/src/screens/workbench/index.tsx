import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { NewGroup } from '../../api/groups';
import type { CandidateAnswer, OpenItemAnswer, OpenItemQuery, ListSide } from '../../api/open-items';
import { useReconciliation, type ReconciliationAnswer } from '../../api/reconciliations';
import { reasonsQuery } from '../../api/runs';
import { useAllows } from '../../api/session';
import { usePathId } from '../../parts/address';
import { Chips } from '../../parts/chips';
import { Dialog } from '../../parts/dialog';
import { Misread, useFilters } from '../../parts/filter-states';
import { HiddenHead } from '../../parts/frame';
import { Icon } from '../../parts/icons';
import { useKeys } from '../../parts/keys';
import { RecordFields } from '../../parts/record';
import { useSideNames } from '../../parts/sides';
import { Loaded } from '../../parts/states';
import { useToasts } from '../../parts/toasts';
import { decimalOf, useFormats, useText } from '../../text';
import { AdjustDialog, type AdjustLine } from './adjust-dialog';
import { filtersOf, queryOf, type BenchQuery } from './filter';
import { FilterDialog } from './filter-dialog';
import { Likeliest } from './likeliest';
import { Pane, type PaneHandle } from './pane';
import { ofSide, partialRecordOf, sumsOf, toggled, type Selectable, type Selection } from './selection';
import { SumBar } from './sum-bar';
import { useMatching, type MatchDraft } from './use-matching';

const nothing: Selection = new Map();

function Bench({ reconciliation }: { reconciliation: ReconciliationAnswer }) {
  const texts = useText();
  const { frame, workbench } = texts;
  const { chips, faults, query } = useFilters<BenchQuery>(filtersOf(texts, useFormats(), useSideNames()));
  const toasts = useToasts();
  const mayMatch = useAllows('matches:write');
  // Reads the reasons before the dialog needs them, so that a user can type at once.
  useQuery(reasonsQuery);
  const panes = { left: useRef<PaneHandle>(null), right: useRef<PaneHandle>(null) };
  const [side, setSide] = useState<ListSide>('left');
  const [active, setActive] = useState({ left: 0, right: 0 });
  const [selection, setSelection] = useState(nothing);
  const [dialog, setDialog] = useState<'filter' | 'adjust' | OpenItemAnswer | null>(null);
  const [lines, setLines] = useState<readonly AdjustLine[]>();
  const { id, amount_sign: amountSign } = reconciliation;
  const sums = useMemo(() => sumsOf(selection, amountSign), [selection, amountSign]);
  const [first] = selection.values();
  const filters = useMemo(() => query && { left: queryOf(query, 'left'), right: queryOf(query, 'right') }, [query]);

  const pick = (item: Selectable): void => setSelection((before) => toggled(before, item));
  const clear = (): void => setSelection(nothing);
  const choose = ({ records }: CandidateAnswer): void =>
    setSelection((before) =>
      records.reduce((all, record) => (all.has(record.record_id) ? all : toggled(all, record)), before),
    );
  const partial = partialRecordOf(selection, sums, amountSign);
  const isIdle = selection.size === 0 && dialog === null;
  const takeUp = (draft: MatchDraft): void => {
    setSelection(draft.selection);
    setLines(draft.lines);
    setDialog(draft.lines ? 'adjust' : null);
  };
  const refused = useRef((_draft: MatchDraft, error: unknown): void => toasts.fail(error));
  refused.current = (draft, error) => {
    if (isIdle) takeUp(draft);
    toasts.fail(error, { action: isIdle ? undefined : { label: workbench.takeUp, run: () => takeUp(draft) } });
  };
  const { gone, match, undo, refresh } = useMatching({
    readLists: () => Promise.all([panes.left.current?.refresh(), panes.right.current?.refresh()]),
    onRefused: (draft, error) => refused.current(draft, error),
  });
  const send = ({
    adjustments,
    ...more
  }: Pick<NewGroup, 'adjustments'> & Pick<MatchDraft, 'partial' | 'lines'>): void => {
    const members = (of: ListSide): NewGroup['left'] =>
      ofSide(selection, of).map(({ record_id: recordId }) =>
        recordId === more.partial?.item.record_id ? { recordId, amount: decimalOf(more.partial.held) } : recordId,
      );
    const body = { reconciliationId: id, left: members('left'), right: members('right') };
    match({ body: { ...body, ...(adjustments && { adjustments }) }, selection, ...more });
    flushSync(() => {
      clear();
      setDialog(null);
    });
    panes[side].current?.focusList();
  };
  const tryMatch = (): void => {
    if (selection.size < 2) return toasts.say(workbench.nothing);
    if (sums.difference === 0n) return send({});
    setLines(undefined);
    setDialog('adjust');
  };
  const go = (to: ListSide): void => {
    setSide(to);
    panes[to].current?.focusList();
  };
  // The list has no focus yet: its first key is no less than the next ones.
  const press = ({ key }: KeyboardEvent): void => panes[side].current?.press(key);
  const readAgain = (): void => {
    clear();
    refresh();
  };
  const candidates = useRef<HTMLDivElement>(null);
  useKeys([
    { key: 'j', label: workbench.keyMove, run: press },
    { key: 'k', label: workbench.keyMove, run: press },
    { key: 'Enter', label: workbench.keyPick, run: press },
    { key: 'h', shown: '←', label: workbench.keySide, run: () => go('left') },
    { key: 'ArrowLeft', shown: 'H', label: workbench.keySide, run: () => go('left') },
    { key: 'ArrowRight', shown: '→', label: workbench.keySide, run: () => go('right') },
    { key: 'l', label: workbench.keySide, run: () => go('right') },
    ...['1', '2', '3', '4', '5'].map((key, at) => ({
      key,
      label: workbench.keyCandidate,
      run: () => candidates.current?.querySelectorAll<HTMLButtonElement>('.candidate')[at]?.click(),
    })),
    ...(mayMatch
      ? [
          { key: 'm', label: workbench.keyMatch, run: tryMatch },
          { key: 'u', label: workbench.keyUndo, run: undo },
        ]
      : []),
    { key: 'Escape', shown: 'Esc', label: workbench.keyClear, run: clear },
    { key: 'd', label: workbench.keyDetails, run: () => setDialog(panes[side].current?.current() ?? null) },
    { key: '/', label: workbench.keySearch, run: () => panes[side].current?.focusSearch() },
    { key: 'f', label: workbench.filter, run: () => setDialog('filter') },
    { key: 'r', label: workbench.keyRefresh, run: readAgain },
  ]);
  const pane = (of: ListSide, filter: OpenItemQuery) => (
    <Pane
      reconciliation={reconciliation}
      side={of}
      filter={filter}
      chips={chips.filter(({ names }) => !names.includes(of === 'left' ? 'rq' : 'lq'))}
      selection={selection}
      gone={gone}
      active={active[of]}
      onActive={(row) => setActive((before) => ({ ...before, [of]: row }))}
      onPick={pick}
      onFocus={() => setSide(of)}
      isShown={side === of}
      handle={panes[of]}
    />
  );
  return (
    <div className="workbench fill">
      <HiddenHead title={workbench.title} of={reconciliation.name} />
      <div className="toolbar">
        <button type="button" className="button" onClick={() => setDialog('filter')}>
          <Icon name="filter" /> {workbench.filter}
        </button>
        <Chips chips={chips} />
        <button type="button" className="button quiet push" onClick={readAgain}>
          {workbench.refresh} <kbd>R</kbd>
        </button>
        <SideSwitch side={side} onChange={setSide} />
      </div>
      {filters ? (
        <div className="panes">
          {pane('left', filters.left)}
          {pane('right', filters.right)}
        </div>
      ) : (
        <Misread faults={faults} />
      )}
      <div ref={candidates}>
        <Likeliest reconciliationId={id} item={first} selection={selection} onChoose={choose} />
      </div>
      <SumBar selection={selection} sums={sums} mayMatch={mayMatch} onMatch={tryMatch} onClear={clear} />
      {dialog === 'filter' ? <FilterDialog onClose={() => setDialog(null)} /> : null}
      {dialog === 'adjust' ? (
        <AdjustDialog
          sums={sums}
          partial={partial}
          draft={lines}
          onClose={() => setDialog(null)}
          onAdjust={(adjustments, typed) => send({ adjustments, lines: typed })}
          onLeaveOpen={() => send({ partial })}
        />
      ) : null}
      {dialog !== null && typeof dialog === 'object' ? (
        <Dialog
          title={workbench.details(dialog.external_id ?? dialog.record_id)}
          isWide
          onClose={() => setDialog(null)}
        >
          <RecordFields record={dialog.record} />
          <div className="dialog-actions">
            <button type="button" className="button" onClick={() => setDialog(null)}>
              {frame.close}
            </button>
          </div>
        </Dialog>
      ) : null}
    </div>
  );
}

/** On a narrow screen one side is seen at a time. */
function SideSwitch({ side, onChange }: { side: ListSide; onChange: (side: ListSide) => void }) {
  const sides = useSideNames();
  return (
    <div className="side-switch" role="group">
      {(['left', 'right'] as const).map((one) => (
        <button key={one} type="button" className="button" aria-pressed={side === one} onClick={() => onChange(one)}>
          {sides[one]}
        </button>
      ))}
    </div>
  );
}

export default function Workbench() {
  const query = useReconciliation(usePathId());
  return <Loaded query={query}>{(reconciliation) => <Bench reconciliation={reconciliation} />}</Loaded>;
}
