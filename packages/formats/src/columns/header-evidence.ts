import type { KindCount } from './kind-count';
import { isValueKind, type CellKind } from './kinds';

export interface HeaderQuestion {
  rows: readonly (readonly string[])[];
  kinds: readonly (readonly CellKind[])[];
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

/**
 * Judges whether a row names the columns below it: positive, the more columns hold values of a kind that the row's cell
 * does not have; negative, where the row's cells are such values themselves. Null where the row cannot be one.
 */
export function headerEvidence({ rows, kinds, at, width, columns }: HeaderQuestion): number | null {
  const cells = rows[at] as readonly string[];
  const own = kinds[at] as readonly CellKind[];
  const filled = own.filter((kind) => kind !== 'empty').length;
  if (filled < Math.min(width, 2) || (filled * 2 < width && filled < 3)) return null;
  if (cells.some((cell) => cell.length > maxNameChars)) return null;
  const isCounted = numbersColumns(rows, kinds, at);
  let names = 0;
  let values = 0;
  for (const [column, count] of columns.entries()) {
    const kind = own[column] ?? 'empty';
    if (kind === 'empty') continue;
    if (kind === 'mixed') values++;
    else if (isValueKind(kind) && kind !== 'integer') {
      if (kind === count.kind || !isValueKind(count.kind)) values += kind === count.kind ? 2 : 1;
      else if (kind === 'time') values++;
    } else if (isValueKind(count.kind)) {
      if (kind === 'text') names += 2;
      else if (isCounted) names++;
      else if (count.kind !== 'integer') names += count.kind === 'decimal' && count.countOf('integer') > 0 ? 0 : 1;
      else values++;
    } else if (kind === 'integer' && count.kind === 'text') values += isCounted ? 0 : 0.5;
  }
  const known = knownNames(cells);
  if (names === 0 && values === 0) {
    if (hasFormOfRows(rows, at)) return -1;
    if (known > 0) return 0.6;
    return repeatsBelow(rows, at, columns) ? 0.1 : 0.5;
  }
  // A word of a header cannot make up for a cell that is a value of its column, unless most are words.
  const share = (names + Math.min(known, 2) - values) / (names + Math.min(known, 2) + values);
  return share > 0 ? 0.5 + share + 0.15 * Math.min(known, 3) : share * 2;
}

type Rows = HeaderQuestion['rows'];

/**
 * Returns whether the row above may name the columns as well: row `at` is then the first of the data, with words where
 * others have values. A row with words that name columns in most files is no such row.
 */
export function isContested(rows: Rows, at: number, width: number): boolean {
  const [row, above, before] = [rows[at], rows[at - 1], rows[at - 2]];
  if (row === undefined || above === undefined || !areWords(above, width)) return false;
  if (row.some((cell, column) => cell === above[column])) return true;
  return (before === undefined || !areWords(before, width)) && knownNames(row) <= knownNames(above);
}

/**
 * Finds another row that may name the columns instead of row `at`: one of words too, right above or below it. Null
 * where none may, or where words that name columns in most files tell.
 */
export function rivalHeader({ rows, at, width, columns }: Omit<HeaderQuestion, 'kinds'>): number | null {
  if (!columns.some(({ kind }) => isValueKind(kind))) return null;
  const isRival = (row: readonly string[] | undefined): boolean =>
    row !== undefined && areWords(row, width) && knownNames(rows[at] ?? []) <= knownNames(row);
  return isRival(rows[at - 1]) ? at - 1 : isRival(rows[at + 1]) ? at + 1 : null;
}

/** Returns whether a row has a word in each column, and no digits: neither values nor the pairs above a table. */
const areWords = (cells: readonly string[], width: number): boolean =>
  width > 1 && cells.length === width && cells.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell));

/** The form of mail, web and network addresses, whatever their length; null for another text. */
function addressForm(cell: string): string | null {
  if (/^\s*[^\s@]+@[^\s@]+\.\w+\s*$/.test(cell)) return '@';
  if (/^\s*[a-z][a-z+.-]*:\/\/\S+\s*$/i.test(cell)) return '//';
  return /^\s*\d+(?:\.\d+){3}\s*$/.test(cell) ? '0.0' : null;
}

const isAddressForm = (form: string): boolean => ['@', '//', '0.0'].includes(form);

/** Returns whether each cell of a row is written as those below it: `INV-1001` above `INV-1002`. Names are not. */
function hasFormOfRows(rows: Rows, at: number): boolean {
  const formOf = (cell = ''): string => addressForm(cell) ?? cell.trim().replace(/\d/g, '0').replace(/\p{L}/gu, 'a');
  const forms = (rows[at] as readonly string[]).map(formOf);
  const below = rows.slice(at + 1);
  if (below.length < (forms.every(isAddressForm) ? 1 : 2) || !forms.every((form) => /[0@/]/.test(form))) return false;
  return below.every((cells) => forms.every((form, column) => form === formOf(cells[column])));
}

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

/** Returns whether cells of the row stand below again, in other rows than repetitions of the whole: names do not. */
function repeatsBelow(rows: readonly (readonly string[])[], at: number, columns: readonly KindCount[]): boolean {
  const cells = rows[at] as readonly string[];
  let repeated = 0;
  for (const row of rows.slice(at + 1)) {
    const equal = columns.filter((_, column) => (cells[column] ?? '') !== '' && row[column] === cells[column]).length;
    if (equal < columns.length) repeated += equal;
  }
  return repeated > 1;
}
