export function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === '' || cell.trim() === '');
}

/** Columns up to the last one that holds something. */
export function usedColumns(cells: readonly string[]): number {
  let used = cells.length;
  while (used > 0 && (cells[used - 1] as string).trim() === '') used -= 1;
  return used;
}
