/** Bound on searches for single rows, which are fast near their places; a map of all rows takes longer to build. */
const maxSearches = 8;

/**
 * Finds the places of rows of a list after others have come or gone. The next row that is left, or the last of all,
 * stands in for one that has gone.
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
