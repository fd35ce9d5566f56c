import { limits } from '../limits';
import { storable } from '../text/characters';
import { FileUnreadableError } from '../types';

/**
 * Names for the columns of a header: blanks at the ends go, an empty one becomes `column_3`, a repeated one gets `_2`,
 * `_3`. Empty ones at the end are no columns.
 */
export function headerNames(cells: readonly string[]): string[] {
  const names: string[] = [];
  const taken = new Set<string>();
  const copies = new Map<string, number>();
  let last = cells.length;
  while (last > 0 && cells[last - 1]?.trim() === '') last--;
  if (last > limits.columns) {
    throw new FileUnreadableError(
      'header_too_long',
      `The header names ${last} columns; at most ${limits.columns} are read. Leave out columns that are not needed.`,
    );
  }
  for (const [index, cell] of cells.slice(0, last).entries()) {
    const plain = cell.replace(/\s+/g, ' ').trim();
    // An object has no own property of this name when it is assigned.
    const base = plain === '' || plain === '__proto__' ? `column_${index + 1}` : storable(plain);
    let name = base;
    while (taken.has(name)) {
      const copy = (copies.get(base) ?? 1) + 1;
      copies.set(base, copy);
      name = `${base}_${copy}`;
    }
    taken.add(name);
    names.push(name);
  }
  return names;
}

/** Names for the columns of a file without header. */
export function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `column_${index + 1}`);
}

/** Digits with marks, other delimiters among them, since this is asked of every delimiter that may be meant. */
const valueText = /^[-+(]?\s*[\d.,;|'/:\t -]*\d[\d.,;|'/:\t -]*\)?$/;

/** Whether what should be a header holds values: not one of its cells is a name. */
export function holdsValues(cells: readonly string[]): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  return filled.length > 0 && filled.every(isValue);
}

const isValue = (cell: string): boolean => cell.length <= limits.valueChars && valueText.test(cell);

/** Whether cells can be the names of columns: none of them is a value. */
export function holdsNames(cells: readonly string[]): boolean {
  return cells.every((cell) => cell.trim() === '' || !isValue(cell.trim()));
}
