import { decimalEvidence } from '../columns/amounts';
import type { ReadingWarning } from '../types';

type TextCells = readonly string[];

/** Returns whether a cell and the next are one amount that its comma cuts: `12`, `50`, or `1`, `234.50`. */
function isCut(cells: TextCells, at: number): boolean {
  const [before = '', behind = ''] = [cells[at], cells[at + 1]];
  if (!/\d\s*$/.test(before) || /^\s*0\d/.test(before) || !/^\d/.test(behind)) return false;
  const evidence = decimalEvidence(`${before},${behind}`);
  return evidence === '.' || evidence === ',';
}

const cutPlaces = (cells: TextCells): number[] => cells.map((_, at) => at).filter((at) => isCut(cells, at));

/**
 * Puts the amounts of a row together so that it is `width` columns wide; null where there is no way, or more than one,
 * to do so. Without a cell too many, cents may stand in the place of a cell that is missing at the end.
 */
function joined(cells: TextCells, width: number): { cells: string[]; columns: number[] } | null {
  const more = cells.length - width;
  if (more > maxCuts) return null;
  const places = cutPlaces(cells);
  if (more <= 0) return places.length > 0 ? null : { cells: [...cells], columns: [] };
  const [chosen, second] = choices(places, more);
  if (chosen === undefined || second !== undefined) return null;
  const parts = cells.flatMap((cell, at) =>
    chosen.includes(at - 1) ? [] : chosen.includes(at) ? [`${cell},${cells[at + 1] ?? ''}`] : [cell],
  );
  return { cells: parts, columns: chosen.map((at, index) => at - index) };
}

/** More columns are not put together; the search for ways stays short. */
const maxCuts = 6;
const maxPlaces = 16;

/** Chooses places that do not touch, in up to two ways: a second way is a doubt. */
function choices(places: readonly number[], count: number): number[][] {
  if (count === 0) return [[]];
  if (places.length > maxPlaces) return [];
  const found: number[][] = [];
  for (const [index, place] of places.entries()) {
    if (found.length > 1 || places.length - index < count) break;
    const rest = places.slice(index + 1).filter((other) => other > place + 1);
    for (const others of choices(rest, count - 1)) found.push([place, ...others]);
  }
  return found.slice(0, 2);
}

/** The columns whose amounts are cut at their commas, among those that the header has cells for. */
export interface CutAmounts {
  columns: number[];
  width: number;
}

/** Puts the amounts of these columns together; null for a row that leaves a doubt. */
export function joinAmounts(cells: TextCells, { columns, width }: CutAmounts): string[] | null {
  const row = joined(cells, width);
  return row !== null && row.columns.every((column) => columns.includes(column)) ? row.cells : null;
}

/**
 * Finds the columns whose amounts were written without quotes, so that their commas cut them into cells: `12,50` in a
 * text with commas between its cells. `widths`: the number of cells of the header, with and without empty ones at its
 * end. Null where there are none; `doubtful` where most rows do not prove which.
 */
export function findCutAmounts(widths: readonly number[], rows: readonly TextCells[]): CutAmounts | 'doubtful' | null {
  const found = widths.flatMap((width) => cutAmountsIn(width, rows) ?? []);
  return found.find((cut) => cut !== 'doubtful') ?? found[0] ?? null;
}

function cutAmountsIn(width: number, rows: readonly TextCells[]): CutAmounts | 'doubtful' | null {
  const wide = rows.filter(({ length }) => length > width);
  if (wide.length * 2 <= rows.length || wide.filter((row) => cutPlaces(row).length > 0).length * 2 <= wide.length)
    return null;
  const known = wide.flatMap((row) => joined(row, width) ?? []);
  if (known.length * 2 < wide.length) return 'doubtful';
  return { columns: [...new Set(known.flatMap(({ columns }) => columns))].sort((a, b) => a - b), width };
}

const year = /^(?:19|20)\d{2}$/;

/** Finds a place of rows without names where cells pair up as amounts and cents, some of which begin with a zero. */
export function findCents(rows: readonly TextCells[]): number | null {
  const cents = (row: TextCells, at: number): string => (row[at + 1] ?? '').trim();
  const found = cutPlaces(rows[0] ?? []).find(
    (at) =>
      rows.every((row) => isCut(row, at) && /^\d{2}(?!\d)/.test(cents(row, at))) &&
      rows.some((row) => cents(row, at).startsWith('0')) &&
      !rows.every((row) => year.test(row[at] ?? '')),
  );
  return rows.length < 2 || found === undefined ? null : found;
}

const remedy = 'Put amounts into quotes, or export the file with another delimiter';

/** Finds a place of rows with more cells than names where cells pair up as groups of thousands: `1`, `234`. */
export function findThousands(names: number, rows: readonly TextCells[]): number | null {
  const isCutThere = (cells: TextCells, at: number): boolean =>
    /^\s*[-+]?[^\d\s]{0,4}[1-9]\d{0,2}\s*$/.test(cells[at] ?? '') && /^\d{3}\s*$/.test(cells[at + 1] ?? '');
  const [first = []] = rows;
  const found = first.findIndex((_, at) => rows.every((cells) => cells.length > names && isCutThere(cells, at)));
  return rows.length < 2 || found < 0 ? null : found;
}

export function joinedWarning(names: readonly string[]): ReadingWarning {
  const shown = names.map((name) => `"${name}"`).join(', ');
  const message =
    `The commas of the amounts of ${shown} also separate cells. The parts are put together, as this is the one way ` +
    `to give each row the columns of the header: check the amounts. ${remedy}, if they are wrong`;
  return { code: 'amounts_joined', column: names[0] ?? null, message };
}

export function cutWarning(place: number | null): ReadingWarning {
  const message =
    place === null
      ? 'Rows have more cells than the header has names: amounts seem to be cut at their commas, and nothing proves ' +
        `where. Such rows are rejected. ${remedy}, or name all columns in the header`
      : `Columns ${place + 1} and ${place + 2} may be amounts that are cut at their commas. ${remedy}, if they are`;
  return { code: 'amounts_cut', column: null, message };
}
