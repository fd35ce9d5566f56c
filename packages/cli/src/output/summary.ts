import { counted, nearNames, type Side } from '@tieout/engine';
import type { TableRow } from '@tieout/formats';
import { openOutcomes } from '../compare/outcome';
import type { Reconciled } from '../compare/reconcile';
import { withRemedies } from './remedies';

export interface SideWarning {
  side: Side | null;
  code: string;
  message: string;
}

export interface ComparedSide {
  file: string;
  format: string;
  rows: number;
  matched: number;
  open: number;
  filtered: number;
  rejected: number;
  reasons: Record<string, number>;
}

export interface CompareSummary extends Record<Side, ComparedSide> {
  isTied: boolean;
  decisions: Record<string, number>;
  warnings: SideWarning[];
  /** The counts of both sides as a table. */
  rows: TableRow[];
}

const sides = ['left', 'right'] as const;

/** Counts what a comparison gave. */
export function summaryOf(result: Reconciled): CompareSummary {
  const left = sideSummary(result, 'left');
  const right = sideSummary(result, 'right');
  const { MATCH, POSSIBLE, NO_MATCH, ERROR } = result.counts;
  const composites = (decision: string): number => result.composites.filter((one) => one.decision === decision).length;
  const reasons = [...new Set([...Object.keys(left.reasons), ...Object.keys(right.reasons)])];
  const row = (what: string, of: (side: ComparedSide) => number): TableRow => [what, of(left), of(right)];
  return {
    left,
    right,
    isTied: left.open + right.open === 0,
    decisions: {
      MATCH,
      POSSIBLE,
      NO_MATCH,
      ERROR,
      COMPOSITE_MATCH: composites('MATCH'),
      COMPOSITE_POSSIBLE: composites('POSSIBLE'),
    },
    warnings: warningsOf(result),
    rows: [
      row('rows', ({ rows }) => rows),
      row('matched', ({ matched }) => matched),
      row('open', ({ open }) => open),
      ...reasons.map((reason) => row(`  ${reason}`, (side) => side.reasons[reason] ?? 0)),
      ...(left.filtered + right.filtered > 0 ? [row('left out by filters', ({ filtered }) => filtered)] : []),
    ],
  };
}

function sideSummary(result: Reconciled, side: Side): ComparedSide {
  const table = result[side];
  const counts = result.outcomes.count(side);
  const reasons: Record<string, number> = {};
  for (const outcome of openOutcomes) if (counts[outcome]) reasons[outcome] = counts[outcome];
  if (table.rejectedRows > 0) reasons['rejected'] = table.rejectedRows;
  return {
    file: table.name,
    format: result.detected[side].format,
    rows: table.length + table.rejectedRows,
    matched: counts.matched ?? 0,
    open: Object.values(reasons).reduce((sum, count) => sum + count, 0),
    filtered: counts.filtered ?? 0,
    rejected: table.rejectedRows,
    reasons,
  };
}

function warningsOf(result: Reconciled): SideWarning[] {
  const warnings: SideWarning[] = sides.flatMap((side) =>
    result.warnings[side].map(({ code, message, column, remedies = [] }) => ({
      side,
      code,
      message: withRemedies(
        column === null || message.includes(column) ? message : `"${column}": ${message}`,
        remedies,
        `--${side}-read`,
      ),
    })),
  );
  for (const side of sides) {
    const { failedRows, failed, rejectedRows, rejected } = result[side];
    if (failedRows > 0)
      warnings.push({
        side,
        code: 'failed_rows',
        message: rowsMessage(failedRows, 'have a value that does not fit its column', failed[0]),
      });
    if (rejectedRows > 0)
      warnings.push({ side, code: 'rejected_rows', message: rowsMessage(rejectedRows, 'cannot be read', rejected[0]) });
  }
  warnings.push(...absentFields(result));
  const { expressionErrors, pairErrors, counts, possibleCut, unfinished } = result;
  const [first] = expressionErrors.first;
  if (first !== undefined)
    warnings.push({
      side: first.side,
      code: 'expression_failed',
      message:
        `An expression fails on ${counted(expressionErrors.count, 'record')}. ` +
        `The first, line ${first.line}: ${first.expression}: ${first.message}`,
    });
  const [pair] = pairErrors;
  if (counts.ERROR > 0)
    warnings.push({
      side: null,
      code: 'pairs_failed',
      message:
        `An expression fails on ${counted(counts.ERROR, 'pair')}` +
        (pair === undefined
          ? ''
          : `. The first, lines ${pair.left_line} and ${pair.right_line}: ${pair.expression}: ${pair.message}`),
    });
  if (possibleCut > 0)
    warnings.push({
      side: null,
      code: 'possible_cut',
      message:
        `${counted(possibleCut, 'POSSIBLE pair')} left out beyond maxPossiblePerRecord: raise Tpossible, ` +
        'or that bound',
    });
  if (unfinished > 0)
    warnings.push({
      side: null,
      code: 'search_ended',
      message:
        `The search for the groups of ${counted(unfinished, 'record')} ended at its limit: ` +
        'narrow it by dates, matchKeys or maxGroupSize',
    });
  return warnings;
}

function rowsMessage(count: number, what: string, first: { line: number; message: string } | undefined): string {
  const rows = count === 1 ? `1 row ${what.replace(/^have /, 'has ')}` : `${count} rows ${what}`;
  return `${rows}. The first, line ${first?.line ?? 0}: ${first?.message ?? ''}`;
}

/** Finds fields that the rule set reads and no column gives. */
function absentFields({ sought, ...result }: Reconciled): SideWarning[] {
  const columns = (side: Side): string[] => {
    const { fields } = result[side];
    return [...new Set(fields.flatMap(({ key, sourcePath }) => [key, sourcePath ?? key]))];
  };
  const isThere = (side: Side, field: string): boolean =>
    columns(side).some((name) => name === field || field.startsWith(`${name}.`));
  const seen = new Set<string>();
  return sought.flatMap(({ parameter, field, sides: of }): SideWarning[] => {
    if (of.some((side) => isThere(side, field)) || seen.has(`${of.join()} ${field}`)) return [];
    seen.add(`${of.join()} ${field}`);
    const near = nearNames(field, of.flatMap(columns));
    const side = of.length === 1 ? (of[0] ?? null) : null;
    const meant = near.length === 0 ? '' : `: ${near.map((name) => JSON.stringify(name)).join(' or ')} may be meant`;
    const naming =
      parameter === 'params.composition.amountField'
        ? `; params.blocking.amountKey${side === 'left' ? 'Left' : 'Right'} names that of this side alone`
        : '';
    const hint = meant + naming;
    return [{ side, code: 'field_absent', message: `${parameter} reads "${field}", which is not a column${hint}` }];
  });
}
