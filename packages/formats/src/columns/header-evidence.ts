import type { KindCount } from './kind-count';
import { isValueKind, type CellKind } from './kinds';
import type { Likeness } from './likeness';

export interface HeaderQuestion {
  rows: readonly (readonly string[])[];
  kinds: readonly (readonly CellKind[])[];
  likeness: Likeness;
  /** Index of the row that may be the header of the rows after it. */
  at: number;
  width: number;
  /** The kinds of the rows after it. */
  columns: readonly KindCount[];
}

/** Words in the names of columns, in the languages of most files. */
const knownName = new RegExp(
  `(?<!\\p{L})(?:${(
    'date datum data fecha day tag amount betrag valor importe montant soll haben debit credit saldo balance ' +
    'currency ' +
    'w[äa]hrung moeda moneda devise description beschreibung descri[cç][aã]o descripci[oó]n libell[eé] text name nom ' +
    'nome nombre id number nummer n[uú]mero reference referenz refer[eê]ncia account konto conta cuenta iban payee ' +
    'buchung buchungstag buchungsdatum umsatz wertstellung kontonummer kategorie ' +
    'memo category type status note verwendungszweck valuta total price preis qty quantity invoice customer'
  ).replaceAll(' ', '|')})(?!\\p{L})`,
  'iu',
);

/** Less evidence leaves a header in doubt: that of words above words, of which none is usual for a name. */
const minProven = 0.6;

/**
 * Judges whether a row names the columns below it: positive, the more columns hold values of a kind that the row's cell
 * does not have; negative, where the row's cells are such values themselves, or are written like those below. Null
 * where the row cannot be one.
 */
export function headerEvidence(question: HeaderQuestion): number | null {
  const { rows, kinds, at, width, columns } = question;
  const cells = rows[at] as readonly string[];
  const filled = (kinds[at] as readonly CellKind[]).filter((kind) => kind !== 'empty').length;
  if (filled < Math.min(width, 2) || (filled * 2 < width && filled < 3)) return null;
  if (cells.some((cell) => cell.length > maxNameChars)) return null;
  const isCounted = numbersColumns(rows, kinds, at);
  let names = 0;
  let values = 0;
  for (const [column, count] of columns.entries()) {
    const vote = cellVote(question, { column, count, isCounted });
    if (vote > 0) names += vote;
    else values -= vote;
  }
  const known = knownNames(cells);
  if (names === 0 && values === 0) return known > 0 ? minProven : minProven - 0.1;
  // A word of a header cannot make up for a cell that is a value of its column, unless most are words.
  const share = (names + Math.min(known, 2) - values) / (names + Math.min(known, 2) + values);
  return share > 0 ? 0.5 + share + 0.15 * Math.min(known, 3) : share * 2;
}

/** Positive for a cell that is a name, negative for one that is a value. */
function cellVote(
  { rows, kinds, at, likeness }: HeaderQuestion,
  { column, count, isCounted }: { column: number; count: KindCount; isCounted: boolean },
): number {
  const cell = rows[at]?.[column] ?? '';
  const kind = kinds[at]?.[column] ?? 'empty';
  const isOfValues = isValueKind(count.kind);
  // `n/a` stands for a value, not for a name.
  if (kind === 'empty') return cell.trim() === '' ? 0 : isOfValues ? -2 : -0.5;
  if (kind === 'mixed') return -1;
  if (kind === 'text') {
    const like = likeness.of(at, column);
    if (like === 'row') return knownName.test(cell) ? -1 : -3;
    return isOfValues ? 2 : like === 'name' ? 1 : 0;
  }
  if (kind !== 'integer') {
    if (kind === count.kind || !isOfValues) return -2;
    return kind === 'time' ? -1 : 0;
  }
  if (!isOfValues) return count.kind !== 'text' || isCounted ? 0 : -0.5;
  if (isCounted) return 1;
  if (count.kind === 'integer') return -1;
  return count.kind === 'decimal' && count.countOf('integer') > 0 ? 0 : 1;
}

/** Returns whether little but its place makes a row of words the header. */
export const isUnproven = (question: HeaderQuestion): boolean =>
  question.width > 1 && (headerEvidence(question) ?? 0) < minProven && !question.likeness.hasOwnCase(question.at);

type Rows = HeaderQuestion['rows'];

/**
 * Counts the rows above that may name the columns as well: row `at` is then one of the data, with words where others
 * have values. A row with words that name columns in most files is no such row, nor is one below several titles that
 * has words in more than one column of values.
 */
export function contestedBy({ rows, at, width, columns }: Omit<HeaderQuestion, 'kinds' | 'likeness'>): number {
  const row = rows[at] ?? [];
  let first = at;
  while (first > 0 && areWords(rows[first - 1] ?? [], width)) first--;
  const above = rows.slice(first, at);
  if (above.length === 0) return 0;
  if (row.some((cell, column) => cell === rows[at - 1]?.[column])) return above.length;
  const known = Math.max(...above.map(knownNames));
  const areTitles = above.length > 1 && known === 0 && columns.filter(({ kind }) => isValueKind(kind)).length > 1;
  return areTitles || knownNames(row) > known ? 0 : above.length;
}

/**
 * Finds another row that may name the columns instead of row `at`: one of words too, right above or below it. Null
 * where none may, or where words that name columns in most files tell.
 */
export function rivalHeader({ rows, at, width, columns }: Omit<HeaderQuestion, 'kinds' | 'likeness'>): number | null {
  if (!columns.some(({ kind }) => isValueKind(kind))) return null;
  const isRival = (row: readonly string[] | undefined): boolean =>
    row !== undefined && areWords(row, width) && knownNames(rows[at] ?? []) <= knownNames(row);
  return isRival(rows[at - 1]) ? at - 1 : isRival(rows[at + 1]) ? at + 1 : null;
}

/** Returns whether a row has a word in each column, and no digits: neither values nor the pairs above a table. */
const areWords = (cells: readonly string[], width: number): boolean =>
  width > 1 && cells.length === width && cells.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell));

/** Counts the cells with a word that names columns in most files. */
export const knownNames = (cells: readonly string[]): number =>
  cells.filter((cell) => cell.length < 60 && knownName.test(cell)).length;

/** A longer text is no name of a column. */
const maxNameChars = 300;

/** Returns whether the numbers of a row count its columns, as years or months do, and those of the next row do not. */
function numbersColumns(rows: Rows, kinds: HeaderQuestion['kinds'], at: number): boolean {
  const [cells = [], next = []] = rows.slice(at, at + 2);
  const columns = cells.map((_, column) => column).filter((column) => kinds[at]?.[column] === 'integer');
  const isYear = columns.every((column) => /^(?:19|20)\d{2}$/.test((cells[column] as string).trim()));
  return countsUp(cells, columns) && (isYear || (columns.length < cells.length && !countsUp(next, columns)));
}

const countsUp = (cells: readonly string[], columns: readonly number[]): boolean =>
  columns.length > 1 &&
  columns.every(
    (column, index) => index === 0 || Number(cells[column]) === Number(cells[columns[index - 1] as number]) + 1,
  );
