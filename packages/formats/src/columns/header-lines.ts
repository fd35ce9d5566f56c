import { isoCurrency } from './amounts';
import { knownNames } from './header-evidence';
import { isValueKind, kindOf } from './kinds';
import { usedColumns, type TableReading } from './table';

type TextCells = readonly string[];

/** The rows that name the columns, from `header` up to but not including `first`. */
export type HeaderLines = Pick<TableReading, 'header' | 'first'>;

/**
 * Finds a second row that names the columns. Below the header it holds units or the parts of groups, such as `Debit`
 * and `Credit` of `Amount`; above it, it holds names that were taken for a title.
 */
export function headerLines(rows: readonly TextCells[], { header, first }: HeaderLines): HeaderLines {
  if (header === null) return { header, first };
  const [above, names, below] = [rows[header - 1], rows[header] ?? [], rows[first]];
  const data = rows.slice(first);
  if (above !== undefined && (areNamesOfUnits(above, names) || fillsNames(above, names)))
    return { header: header - 1, first };
  if (below !== undefined && areNamesOfUnits(names, below)) return { header, first: first + 1 };
  if (below !== undefined && namesParts(below, names, data.slice(1))) return { header, first: first + 1 };
  return { header, first };
}

/** Joins the names of each column. */
export function joinedNames(rows: readonly TextCells[]): string[] {
  const width = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: width }, (_, column) =>
    [...new Set(rows.map((cells) => (cells[column] ?? '').trim()).filter((name) => name !== ''))].join(' '),
  );
}

const isValue = (cell: string | undefined): boolean => isValueKind(kindOf(cell ?? ''));

const unit = new RegExp(`^(?:[([].*[)\\]]|${isoCurrency}|[ymdtj./-]{6,10}|%)$`, 'i');

/** Returns whether a row names all columns, and most cells of the row below it are their units: `(EUR)`. */
const areNamesOfUnits = (above: TextCells, units: TextCells): boolean =>
  usedColumns(above) === usedColumns(units) &&
  above.every((cell) => cell.trim() !== '' && !isValue(cell)) &&
  !units.some(isValue) &&
  units.filter((cell) => unit.test(cell.trim())).length * 2 >= usedColumns(units);

const filledColumns = (cells: TextCells): number[] =>
  cells.map((_, column) => column).filter((column) => (cells[column] ?? '').trim() !== '');

/** Returns whether a row names all columns that the row below it does not; elsewhere it names groups. */
function fillsNames(above: TextCells, names: TextCells): boolean {
  const width = Math.max(usedColumns(above), usedColumns(names));
  const open = Array.from({ length: width }, (_, column) => column).filter((column) => (names[column] ?? '') === '');
  return (
    open.length > 0 &&
    filledColumns(above).length > 1 &&
    open.every((column) => (above[column] ?? '').trim() !== '') &&
    above.every((cell) => !isValue(cell)) &&
    knownNames(open.map((column) => above[column] ?? '')) > 0
  );
}

/**
 * Returns whether the first row below the header names the parts of its groups: it holds only words, at least two, in
 * columns that otherwise hold values, and some of these columns have no name of their own.
 */
function namesParts(row: TextCells, names: TextCells, data: readonly TextCells[]): boolean {
  const filled = filledColumns(row);
  const isGroup = (column: number): boolean => {
    const name = (names[column] ?? '').trim();
    return name === '' || names.indexOf(name) !== names.lastIndexOf(name);
  };
  if (filled.length < 2 || data.length < 1 || !filled.some(isGroup)) return false;
  return filled.every((column) => {
    const below = data.map((cells) => cells[column] ?? '').filter((cell) => kindOf(cell) !== 'empty');
    return kindOf(row[column] ?? '') === 'text' && below.length > 0 && below.every(isValue);
  });
}
