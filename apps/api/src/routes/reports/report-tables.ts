import {
  proofTerms,
  type ReconciliationReport,
  type Table,
  type TableCell,
  type TableColumn,
  type TableColumnKind,
  type TableRow,
} from '@tieout/domain';
import { mapEach } from '@tieout/infra';
import {
  presentReportGroup,
  presentReportHead,
  presentReportItem,
  type ReportGroupBody,
  type ReportHeadBody,
  type ReportItemBody,
} from './schemas';

/** The parts of a report, each a sheet of a workbook. */
export const reportSections = ['summary', 'proof', 'groups', 'open_items'] as const;
export type ReportSection = (typeof reportSections)[number];

/** Makes columns from their keys and kinds: `held_at` is titled "Held at". */
const columnsOf = (kinds: Record<string, TableColumnKind>): TableColumn[] =>
  Object.entries(kinds).map(([key, kind]) => ({ key, kind, title: titleOf(key) }));

const titleOf = (key: string): string => (key.charAt(0).toUpperCase() + key.slice(1)).replaceAll('_', ' ');

/** The tables of a report; only what a table shows is read. */
export function reportTables(report: ReconciliationReport): Record<ReportSection, Table> {
  const head = presentReportHead(report);
  const table = (
    key: ReportSection,
    kinds: Record<string, TableColumnKind>,
    pages: () => AsyncIterable<readonly TableRow[]>,
  ): Table => ({ key, title: titleOf(key), columns: columnsOf(kinds), pages });
  return {
    summary: table('summary', summaryKinds, () => mapEach([summaryRows(head)], (rows) => rows)),
    proof: table('proof', proofKinds, () => mapEach([(head.summary.proof ?? []).flatMap(proofRows)], (rows) => rows)),
    groups: table('groups', groupKinds, () =>
      mapEach(report.groups(), (groups) => groups.flatMap((group) => groupRows(presentReportGroup(group)))),
    ),
    open_items: table('open_items', itemKinds, () =>
      mapEach(report.openItems(), (items) => items.map((item) => itemRow(presentReportItem(item)))),
    ),
  };
}

const summaryKinds = {
  part: 'text',
  figure: 'text',
  currency: 'text',
  count: 'count',
  amount: 'amount',
  value: 'text',
} as const;

interface SummaryCells {
  part: string;
  figure: string;
  currency?: string | null;
  count?: number;
  amount?: TableCell | undefined;
  value?: string | null;
}

const summaryRow = ({ part, figure, currency, count, amount, value }: SummaryCells): TableRow => [
  part,
  figure,
  currency ?? null,
  count ?? null,
  amount ?? null,
  value ?? null,
];

function summaryRows({ summary, certificate, ...head }: ReportHeadBody): TableRow[] {
  const rows: SummaryCells[] = [];
  for (const part of ['left', 'right'] as const) {
    const { match_rate: matchRate, ageing, ...totals } = summary[part];
    const counted = [
      ...Object.entries(totals),
      ...ageing.map(({ days, ...of }) => [days === 'no date' ? 'open, no date' : `open, ${days} days`, of] as const),
    ];
    for (const [figure, { count, amounts }] of counted) {
      rows.push({ part, figure, count });
      for (const { currency, amount } of amounts ?? []) rows.push({ part, figure, currency, amount });
    }
    rows.push({ part, figure: 'match_rate', amount: matchRate });
  }
  for (const { origin, count } of summary.groups) rows.push({ part: 'groups', figure: origin, count });
  for (const { reason_code: figure, count, amount } of summary.adjustments)
    rows.push({ part: 'adjustments', figure, count, amount });
  rows.push({ part: 'groups', figure: 'difference', amount: summary.difference });
  // Texts come last: a table that begins with them hides its header from readers that look for it.
  for (const [figure, value] of Object.entries(head)) rows.push({ part: 'report', figure, value });
  if (certificate) {
    const { id, by, note, digest } = certificate;
    const values = { certificate_id: id, closed_by: nameOf(by), note, digest };
    for (const [figure, value] of Object.entries(values)) rows.push({ part: 'report', figure, value });
  }
  return rows.map(summaryRow);
}

const proofKinds = {
  currency: 'text',
  term: 'text',
  left: 'amount',
  right: 'amount',
  difference: 'amount',
  day: 'day',
} as const;

type ProofBody = NonNullable<ReportHeadBody['summary']['proof']>[number];
type ActorBody = ReportGroupBody['held_by'];

/** The difference of the balances, less that of each term, leaves what is unexplained. */
function proofRows({ currency, day, balances, unexplained, ...terms }: ProofBody): TableRow[] {
  const { left, right } = balances;
  return [
    [currency, 'balance', left && left.amount, right && right.amount, null, day],
    ...proofTerms.map((term) => [currency, term, terms[term].left, terms[term].right, null, day]),
    [currency, 'unexplained', null, null, unexplained, day],
  ];
}

const nameOf = ({ type, label, id }: ActorBody): string => label ?? (id === null ? type : `${type} ${id}`);

const groupKinds = {
  group_id: 'text',
  line: 'text',
  external_id: 'text',
  date: 'day',
  amount: 'amount',
  currency: 'text',
  reason_code: 'text',
  note: 'text',
  difference: 'amount',
  period: 'text',
  origin: 'text',
  kind: 'text',
  rule_set: 'text',
  score: 'number',
  held_at: 'moment',
  held_by: 'text',
  record_id: 'text',
} as const;

/**
 * A row for each record and each adjustment of a group, so that amounts can be added up; the first one has what its
 * group differs by, and its note.
 */
function groupRows(group: ReportGroupBody): TableRow[] {
  const shared: TableCell[] = [
    group.period,
    group.origin,
    group.kind,
    group.rule_set_name,
    group.score,
    group.held_at,
    nameOf(group.held_by),
  ];
  const lines: { cells: TableCell[]; note: string | null; recordId: string | null }[] = [
    ...(['left', 'right'] as const).flatMap((side) =>
      group[side].map((member) => ({
        cells: [side, member.external_id, member.date, member.amount, member.currency, null],
        note: null,
        recordId: member.record_id,
      })),
    ),
    ...group.adjustments.map(({ amount, reason_code: reasonCode, note }) => ({
      cells: ['adjustment', null, null, amount, null, reasonCode],
      note,
      recordId: null,
    })),
  ];
  return lines.map(({ cells, note, recordId }, at) => [
    group.id,
    ...cells,
    at === 0 ? group.note : note,
    at === 0 ? group.difference : null,
    ...shared,
    recordId,
  ]);
}

const itemKinds = {
  side: 'text',
  external_id: 'text',
  date: 'day',
  age_days: 'count',
  age: 'text',
  amount: 'amount',
  remaining_amount: 'amount',
  currency: 'text',
  late: 'text',
  excluded: 'text',
  assignee: 'text',
  reason_code: 'text',
  note: 'text',
  record_id: 'text',
} as const;

const itemRow = (item: ReportItemBody): TableRow =>
  (Object.keys(itemKinds) as (keyof typeof itemKinds)[]).map((key) => {
    const value = item[key];
    return typeof value === 'boolean' ? (value ? 'yes' : null) : value;
  });
