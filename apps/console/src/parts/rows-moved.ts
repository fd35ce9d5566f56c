/** Max searches for single rows, which are fast near their old places. After that, a map of all rows pays off. */
const maxSearches = 8;

/**
 * Finds the new places of rows after a list has changed. In place of a row that has gone, it gives that of the next row
 * that is still there, or else of the last row.
 */
export function rowsMoved(before: readonly string[], after: readonly string[], rows: readonly number[]): number[] {
  let places: Map<string, number> | undefined;
  const placeOf = (id: string, near: number, isFirst: boolean): number => {
    if (!isFirst) return (places ??= new Map(after.map((one, row) => [one, row]))).get(id) ?? -1;
    const place = after.lastIndexOf(id, near);
    return place < 0 ? after.indexOf(id, near) : place;
  };
  return rows.map((row) => {
    if (before[row] === after[row]) return row;
    for (let next = row; next < before.length; next++) {
      const place = placeOf(before[next] as string, row, next - row < maxSearches);
      if (place >= 0) return place;
    }
    return Math.max(0, Math.min(row, after.length - 1));
  });
}
