import {
  amountToNumber,
  memberSide,
  remainingKey,
  targetSide,
  type JsonObject,
  type Proposal,
  type Side,
} from '@tieout/engine';
import type { ColumnType, Table, TableCell, TableColumn, TableColumnKind, TableRow } from '@tieout/formats';
import { pairMark } from '../compare/pair-list';
import type { Reconciled } from '../compare/reconcile';
import { summaryOf } from './summary';

const sides = ['left', 'right'] as const;
const pageRows = 1_000;

const kinds: Partial<Record<ColumnType, TableColumnKind>> = {
  amount: 'amount',
  number: 'number',
  date: 'day',
  datetime: 'moment',
};

/** Returns the table columns for the fields of one side. */
export function fieldColumns({ fields }: Reconciled[Side], side?: Side): TableColumn[] {
  return fields.map(({ key, name, type }) => ({
    key: side === undefined ? key : `${side}.${key}`,
    title: side === undefined ? name : `${side} ${name}`,
    kind: kinds[type] ?? 'text',
  }));
}

/** The cells of a record, in the order of its fields; a value that is no number goes into no column of numbers. */
function fieldCells({ fields }: Reconciled[Side], value: JsonObject | null): TableCell[] {
  return fields.map(({ key, type }) => {
    const own = value?.[key];
    if (own === undefined || own === null || own === '') return null;
    const isNumeric = type === 'amount' || type === 'number';
    if (typeof own === 'number') return own;
    const text = typeof own === 'string' ? own : JSON.stringify(own);
    return isNumeric || ((type === 'date' || type === 'datetime') && !/^\d{4}-\d{2}-\d{2}/.test(text)) ? null : text;
  });
}

const valueAt = (table: Reconciled[Side], seq: number): JsonObject => table.records.valueAt(seq);

/** Iterates over the open records of one side. */
export function* openRecords(
  result: Reconciled,
  side: Side,
): Generator<{ seq: number; line: number; reason: string }, void, void> {
  const table = result[side];
  for (let seq = 0; seq < table.length; seq++) {
    if (!result.outcomes.isOpen(side, seq)) continue;
    const outcome = result.outcomes.of(side, seq);
    const why = outcome === 'unblocked' ? table.reasonOf.get(seq) : undefined;
    yield { seq, line: table.line[seq] as number, reason: why === undefined ? outcome : `${outcome}: ${why}` };
  }
}

/** Iterates over the pairs, the order of the left file. */
export function* sortedPairs({ pairs }: Reconciled): Generator<number, void, void> {
  const order = Uint32Array.from(pairs.present());
  order.sort(
    (one, other) =>
      (pairs.left[one] as number) - (pairs.left[other] as number) ||
      (pairs.right[one] as number) - (pairs.right[other] as number),
  );
  yield* order;
}

export function noteOf({ pairs }: Reconciled, pair: number): string | null {
  if (pairs.has(pair, pairMark.ambiguous)) return 'ambiguous';
  return pairs.has(pair, pairMark.conflict) ? 'conflict' : null;
}

/** Everything in one table, a row for each pair, each member of a group and each open record. */
export function flatTable(result: Reconciled): Table {
  const text = (key: string, kind: TableColumnKind = 'text'): TableColumn => ({ key, title: key, kind });
  return {
    key: 'result',
    title: 'Result',
    columns: [
      text('status'),
      text('group', 'count'),
      text('score', 'number'),
      text('note'),
      text('left_line', 'count'),
      text('right_line', 'count'),
      ...fieldColumns(result.left, 'left'),
      ...fieldColumns(result.right, 'right'),
    ],
    pages: () => pagesOf(flatRows(result)),
  };
}

function* flatRows(result: Reconciled): Generator<TableRow, void, void> {
  const { left, right, pairs } = result;
  const cells = (one: number | null, other: number | null): TableCell[] => [
    one === null ? null : (left.line[one] as number),
    other === null ? null : (right.line[other] as number),
    ...fieldCells(left, one === null ? null : valueAt(left, one)),
    ...fieldCells(right, other === null ? null : valueAt(right, other)),
  ];
  for (const pair of sortedPairs(result))
    yield [
      pairs.isMatch(pair) ? 'match' : 'possible',
      null,
      pairs.score[pair] as number,
      noteOf(result, pair),
      ...cells(pairs.left[pair] as number, pairs.right[pair] as number),
    ];
  for (const [at, group] of result.composites.entries()) {
    const head = [group.decision === 'MATCH' ? 'match' : 'possible', at + 1, group.score, group.status] as const;
    for (const { side, seq } of recordsOf(group))
      yield [...head, ...(side === 'left' ? cells(seq, null) : cells(null, seq))];
  }
  for (const side of sides)
    for (const { seq, reason } of openRecords(result, side))
      yield ['open', null, null, reason, ...(side === 'left' ? cells(seq, null) : cells(null, seq))];
  for (const side of sides)
    for (const { line, message } of result[side].rejected)
      yield [
        'rejected',
        null,
        null,
        message,
        ...(side === 'left' ? [line, null] : [null, line]),
        ...emptyCells(result),
      ];
}

const emptyCells = ({ left, right }: Reconciled): null[] =>
  new Array<null>(left.fields.length + right.fields.length).fill(null);

/** Lists target and members of a group. */
export function recordsOf({ direction, target, members }: Proposal): { side: Side; seq: number }[] {
  return [
    { side: targetSide[direction], seq: target },
    ...members.map((seq) => ({ side: memberSide[direction], seq })),
  ];
}

/** A sheet for each part of the result. */
export function workbookTables(result: Reconciled): Table[] {
  const { left, right, pairs } = result;
  const column = (key: string, title: string, kind: TableColumnKind = 'text'): TableColumn => ({ key, title, kind });
  const lines = [column('left_line', 'Left line', 'count'), column('right_line', 'Right line', 'count')];
  const matches = function* (): Generator<TableRow, void, void> {
    for (const pair of sortedPairs(result))
      yield [
        pairs.isMatch(pair) ? 'MATCH' : 'POSSIBLE',
        pairs.score[pair] as number,
        noteOf(result, pair),
        left.line[pairs.left[pair] as number] as number,
        right.line[pairs.right[pair] as number] as number,
        ...fieldCells(left, valueAt(left, pairs.left[pair] as number)),
        ...fieldCells(right, valueAt(right, pairs.right[pair] as number)),
      ];
  };
  const groups = function* (): Generator<TableRow, void, void> {
    for (const [at, group] of result.composites.entries())
      for (const [place, { side, seq }] of recordsOf(group).entries())
        yield [
          at + 1,
          group.decision,
          group.status,
          group.score,
          place === 0 ? 'target' : 'member',
          amountToNumber(place === 0 ? group.targetUnits : group.composedUnits, result.composedScale),
          side,
          result[side].line[seq] as number,
        ];
  };
  const open = (side: Side): Table => ({
    key: `open_${side}`,
    title: `Open ${side}`,
    columns: [column('line', 'Line', 'count'), column('reason', 'Reason'), ...fieldColumns(result[side])],
    pages: () =>
      pagesOf(
        (function* () {
          for (const { seq, line, reason } of openRecords(result, side))
            yield [line, reason, ...fieldCells(result[side], valueAt(result[side], seq))];
          for (const { line, message } of result[side].rejected)
            yield [line, `rejected: ${message}`, ...new Array<null>(result[side].fields.length).fill(null)];
        })(),
      ),
  });
  return [
    {
      key: 'summary',
      title: 'Summary',
      columns: [column('what', 'What'), column('left', 'Left', 'count'), column('right', 'Right', 'count')],
      pages: () => pagesOf(summaryOf(result).rows.values()),
    },
    {
      key: 'matches',
      title: 'Matches',
      columns: [
        column('decision', 'Decision'),
        column('score', 'Score', 'number'),
        column('note', 'Note'),
        ...lines,
        ...fieldColumns(left, 'left'),
        ...fieldColumns(right, 'right'),
      ],
      pages: () => pagesOf(matches()),
    },
    {
      key: 'groups',
      title: 'Groups',
      columns: [
        column('group', 'Group', 'count'),
        column('decision', 'Decision'),
        column('status', 'Status'),
        column('score', 'Score', 'number'),
        column('role', 'Role'),
        column('amount', 'Amount of target and of all members', 'amount'),
        column('side', 'Side'),
        column('line', 'Line', 'count'),
      ],
      pages: () => pagesOf(groups()),
    },
    open('left'),
    open('right'),
    {
      key: 'warnings',
      title: 'Warnings',
      columns: [column('side', 'Side'), column('code', 'Code'), column('message', 'Message')],
      pages: () =>
        pagesOf(
          summaryOf(result)
            .warnings.map(({ side, code, message }) => [side, code, message])
            .values(),
        ),
    },
  ];
}

async function* pagesOf(rows: Iterable<TableRow>): AsyncGenerator<TableRow[], void, void> {
  let page: TableRow[] = [];
  for (const row of rows) {
    page.push(row);
    if (page.length < pageRows) continue;
    yield await Promise.resolve(page);
    page = [];
  }
  if (page.length > 0) yield await Promise.resolve(page);
}

/** The value of a record without what only expressions see. */
export function plainValue(table: Reconciled[Side], seq: number): JsonObject {
  const { [remainingKey]: _remaining, ...value } = table.records.valueAt(seq);
  return value;
}
