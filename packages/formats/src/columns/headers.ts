import { limits } from '../limits';
import { storable } from '../text/characters';
import { FileUnreadableError } from '../types';

/**
 * Names the columns of a header: trims names, calls an empty one `column_3`, and appends `_2`, `_3` to repeated ones.
 * Empty names at the end are no columns.
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
    // Assigning this name would set the prototype instead of a property.
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

/** Names the columns of a file without header. */
export function numberedNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `column_${index + 1}`);
}
