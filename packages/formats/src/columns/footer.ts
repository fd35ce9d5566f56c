import { limits } from '../limits';
import type { ReadingWarning } from '../types';
import { decimalEvidence, plainAmount } from './amounts';

/** The maximum number of rows below a table, such as totals. */
const maxFooters = 3;
/** Rows that are told as footers by themselves may be more. */
const maxClearFooters = 8;

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '');

/**
 * Removes the rows below a table: totals and notes, and rows at the end that leave a column empty which all rows above
 * fill. They prove nothing about the columns.
 */
export function withoutFooter<R extends readonly unknown[]>(rows: readonly R[]): readonly R[] {
  const table = withoutClearFooter(rows);
  for (let footers = Math.min(maxFooters, Math.floor((table.length - 1) / 2)); footers > 0; footers--) {
    const above = table.slice(0, -footers);
    if (table.slice(-footers).every((row) => leavesOut(row, above))) return above;
  }
  return table;
}

function withoutClearFooter<R extends readonly unknown[]>(rows: readonly R[]): readonly R[] {
  let first = rows.length;
  for (let at = rows.length - 1; at > 0 && rows.length - at <= maxClearFooters; at--) {
    const [row, above] = [rows[at] as R, rows.slice(Math.max(0, at - maxCompared), at)];
    if (isTotal(row, above) || isNote(row, above)) first = at;
    else if (!leavesOut(row, above)) break;
  }
  return rows.slice(0, first);
}

/** Rows above a footer that it is compared with. */
const maxCompared = 50;

const labels =
  'total|totals|totais|totale|totali|totaal|soma|somme|suma|sum|summe|gesamt|gesamtsumme|gesamtbetrag|' +
  'saldo|balance|solde|stand|kontostand|' +
  '(?:anfangs|end|schluss|eröffnungs|abschluss|alter |neuer |aktueller )(?:saldo|bestand|kontostand)|' +
  '(?:opening|closing|beginning|ending|starting|final|current|available|previous|new) balance|' +
  '(?:begin|eind)saldo|grand total|net total|итого|всего|razem|celkem|合計|合计|总计|합계';
const totalLabel = new RegExp(`^(?:sub-?)?(?:${labels})(?![\\p{L}\\p{N}])`, 'iu');
/** Matches a label that nothing but a date, a currency or a kind of total follows. */
const onlyLabel = new RegExp(
  `^(?:sub-?)?(?:${labels})(?:\\s+(?:general|geral|generale|général|amount|betrag|final|inicial|initial|anterior|` +
    `iniziale|finale|actual|atual|eur|usd|gbp|chf|brl|am|vom|per|zum|as of|on|at|em|al|au|\\d[\\d./-]*))*\\s*:?$`,
  'iu',
);
const noteLabel =
  /^(?:disclaimer|hinweise?|notes?|remarks?|anmerkungen?|observa[cç][oõ]es|aviso|page|seite|p[aá]gina)\b/i;

/** Returns whether a text labels a total or a note, such as `Endsaldo`. */
export const isFooterLabel = (text: string): boolean =>
  text.length <= limits.valueChars && (onlyLabel.test(text) || noteLabel.test(text));

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const filledCells = (row: readonly unknown[]): unknown[] => row.filter((cell) => !isEmpty(cell));

/** Returns whether a row is named as a total: by its first cell, or by any where it leaves out what others fill. */
function isTotal(row: readonly unknown[], others: readonly (readonly unknown[])[]): boolean {
  const filled = filledCells(row).map(textOf);
  if (onlyLabel.test(filled[0] ?? '')) return true;
  return filled.some((text) => totalLabel.test(text)) && leavesOut(row, others);
}

/** Returns whether a row is a sentence in a table: one cell with several words, or with the label of a note. */
function isNote(row: readonly unknown[], others: readonly (readonly unknown[])[]): boolean {
  const [only, ...rest] = filledCells(row);
  const width = Math.max(0, ...others.map(({ length }) => length));
  if (rest.length > 0 || width < 2 || (width === 2 && row.length > 1)) return false;
  const text = textOf(only);
  const isLonely = others.map((other) => filledCells(other).length < 2);
  // Only other notes, right above it, may have one cell too.
  return (
    !isLonely.slice(0, isLonely.lastIndexOf(false) + 1).some(Boolean) &&
    isLonely.includes(false) &&
    (noteLabel.test(text) || /\p{L}.*\s.*\p{L}/su.test(text))
  );
}

/** Warns about rows that are read as records and may be totals or notes: below the table, or above its first row. */
export function totalsWarning(rows: readonly { line: number; cells: readonly unknown[] }[]): ReadingWarning[] {
  const cells = rows.map((row) => row.cells);
  const above = withoutFooter(cells);
  const first = above.slice(1, 1 + maxCompared);
  const found = [
    ...rows.slice(0, 1).filter((row) => above.length > 1 && isTotal(row.cells, first) && leavesOut(row.cells, first)),
    ...rows.slice(Math.max(1, above.length)).filter((row) => isTotal(row.cells, above) || isNote(row.cells, above)),
    ...rows.slice(-1).filter((row) => leavesOut(row.cells, cells.slice(0, -1)) && isSum(row.cells, cells.slice(0, -1))),
  ];
  if (found.length === 0) return [];
  const lines = [...new Set(found.map(({ line }) => line))];
  const message =
    `${lines.length === 1 ? 'Line' : 'Lines'} ${lines.join(', ')} ${lines.length === 1 ? 'looks' : 'look'} like a ` +
    'total or a note beside the table. It is read like any other row: if it is none, take it out and upload the ' +
    'file again, with the id of this one as "replaces"';
  return [{ code: 'totals', column: null, message }];
}

/** Returns whether each number of a row is the sum of those above it. */
function isSum(row: readonly unknown[], above: readonly (readonly unknown[])[]): boolean {
  const columns = row.map((_, column) => column).filter((column) => !isEmpty(row[column]));
  return (
    above.length > 1 &&
    columns.length > 0 &&
    columns.every((column) => {
      const [total, ...values] = [row, ...above].map((cells) => numberOf(cells[column]));
      return (
        total !== undefined && Math.abs(values.reduce<number>((sum, value) => sum + (value ?? 0), 0) - total) < 0.005
      );
    })
  );
}

/** Reads a number for the comparison of sums alone; undefined where it is none. */
function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const text = textOf(value);
  const separator = decimalEvidence(text);
  if (separator === 'no number') return undefined;
  const number = Number(plainAmount(text, separator === 'none' ? undefined : separator));
  return Number.isNaN(number) ? undefined : number;
}

function leavesOut(row: readonly unknown[], above: readonly (readonly unknown[])[]): boolean {
  const columns = Math.max(row.length, ...above.map(({ length }) => length));
  for (let column = 0; column < columns; column++) {
    if (isEmpty(row[column]) && above.every((other) => !isEmpty(other[column]))) return true;
  }
  return false;
}

/** Returns whether odd values of a column may be ignored beside those that agree: one, or one in fifty. */
export function areFew(odd: number, agreeing: number): boolean {
  return odd === 0 || (odd * 3 <= agreeing && (odd === 1 || odd * 50 <= agreeing));
}
