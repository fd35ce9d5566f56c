import type { JsonObject, Side } from '@tieout/engine';
import type { Reconciled } from '../compare/reconcile';
import { columnsOf, shownText } from './print';
import { openRecords, plainValue } from './result-tables';
import { summaryOf } from './summary';

const shownItems = 10;
const maxColumns = 6;
const maxCell = 28;

/** Shows the result to a person: counts, the first open records, warnings. */
export function resultText(result: Reconciled, ruleLines: readonly string[]): string {
  const summary = summaryOf(result);
  const { decisions } = summary;
  const found = [
    `${count(decisions['MATCH'], 'pair')} matched`,
    ...(decisions['POSSIBLE'] ? [`${count(decisions['POSSIBLE'], 'pair')} possible`] : []),
    ...(decisions['COMPOSITE_MATCH'] ? [`${count(decisions['COMPOSITE_MATCH'], 'group')} matched`] : []),
    ...(decisions['COMPOSITE_POSSIBLE'] ? [`${count(decisions['COMPOSITE_POSSIBLE'], 'group')} possible`] : []),
  ];
  const rows = summary.rows.map((row) => row.map((cell) => cell ?? ''));
  return [
    ...ruleLines.map((line) => `${line}\n`),
    `${found.join(', ')}\n\n`,
    columnsOf(['', 'left', 'right'], rows),
    openText(result, 'left', summary.left.open),
    openText(result, 'right', summary.right.open),
    warningText(summary.warnings),
    `\n${verdict(summary)}\n`,
  ].join('');
}

const verdict = ({ isTied, left, right }: ReturnType<typeof summaryOf>): string =>
  isTied
    ? 'Tied: nothing is open.'
    : `Not tied: ${count(left.open, 'record')} left and ${count(right.open, 'record')} right are open.`;

export const count = (number = 0, noun: string): string =>
  `${number.toLocaleString('en-US')} ${noun}${number === 1 ? '' : 's'}`;

function openText(result: Reconciled, side: Side, total: number): string {
  if (total === 0) return '';
  const table = result[side];
  const shown: { line: number; reason: string; value: JsonObject }[] = [];
  for (const { seq, line, reason } of openRecords(result, side)) {
    if (shown.length >= shownItems) break;
    shown.push({ line, reason, value: plainValue(table, seq) });
  }
  const fields = distinguishingFields(
    table.fields,
    result.references[side].keys,
    shown.map(({ value }) => value),
  );
  const rows: (string | number)[][] = shown.map(({ line, reason, value }) => [
    line,
    reason,
    ...fields.map(({ key }) => shownText(value[key], maxCell)),
  ]);
  for (const { line, message } of table.rejected) {
    if (rows.length >= shownItems) break;
    rows.push([line, 'rejected', shownText(message, 2 * maxCell), ...fields.slice(1).map(() => '')]);
  }
  const more =
    total > rows.length ? `, the first ${rows.length} of ${total.toLocaleString('en-US')}; --out FILE.csv has all` : '';
  const header = ['line', 'reason', ...fields.map(({ name }) => shownText(name, maxCell))];
  return `\nOpen in ${shownText(table.name, 80)}${more}\n${columnsOf(header, rows)}`;
}

/**
 * Picks the fields that fit: those that the rules read, then those that differ between the records, then those that
 * have a value, in their order.
 */
function distinguishingFields<Field extends { key: string }>(
  fields: readonly Field[],
  read: readonly string[],
  values: readonly JsonObject[],
): Field[] {
  const worthOf = ({ key }: Field): number => {
    const texts = new Set(values.map((value) => shownText(value[key], Infinity)));
    if (texts.size < 2 && texts.has('')) return 0;
    return 1 + (texts.size > 1 ? 1 : 0) + (read.includes(key) ? 2 : 0);
  };
  const best = [...fields].sort((one, other) => worthOf(other) - worthOf(one)).slice(0, maxColumns);
  return fields.filter((field) => best.includes(field));
}

function warningText(warnings: ReturnType<typeof summaryOf>['warnings']): string {
  if (warnings.length === 0) return '';
  const lines = warnings.map(
    ({ side, message }) => `  ${side === null ? '' : `${side}: `}${shownText(message, 1_000)}\n`,
  );
  return `\nWarnings\n${lines.join('')}`;
}
