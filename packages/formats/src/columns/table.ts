import { contestedBy, headerEvidence, isUnproven, rivalHeader } from './header-evidence';
import { KindCount } from './kind-count';
import { isValueKind, kindOf, type CellKind } from './kinds';
import { Likeness } from './likeness';

/** Counts the columns up to the last non-empty one. */
export function usedColumns(cells: readonly string[]): number {
  let used = cells.length;
  while (used > 0 && (cells[used - 1] as string).trim() === '') used--;
  return used;
}

const drawn = /^\s*[-=_+:*~]{3,}\s*$/;

/** Returns whether a cell is empty, or part of a line that programs draw: `-----`. */
export const isBlankCell = (cell: string): boolean => cell.trim() === '' || drawn.test(cell);

export function isBlank(cells: readonly string[]): boolean {
  return cells.every(isBlankCell);
}

export interface TableReading {
  /** Index of the row that names the columns; null where none does. */
  header: number | null;
  /** Index of the first row of data; the rows before it and before the header are no part of the table. */
  first: number;
  columns: number;
  /** The consistency of the table, per row of the sample: up to about 1. */
  score: number;
  /** The lead over the best reading without, or with, a header: 0 where nothing decides. */
  headerMargin: number;
  /** Index of another row that may name the columns. */
  rivalHeader?: number;
}

/** The sender's options about the rows before the data. */
export interface GivenHeader {
  /** Index of the header's row. */
  row?: number | undefined;
  /** False: no row names the columns. */
  hasHeader?: boolean | undefined;
}

/** The maximum number of rows above a table; a list of single cells has none. */
const maxTitles = 60;
const maxWidths = 4;
/** Rows and cells of the sample that the search looks at. */
export const maxSearchRows = 200;
const maxSearchCells = 40_000;

const narrowRow = -0.2;
const fullRow = 0.1;
/** A first row of data without any delimiter is more likely something else. */
const singleCell = -1;
const wideRow = -0.6;
const skippedValue = -0.25;
const skippedRow = -0.02;
const skippedFullRow = -0.25;
/** Penalty when a row above the table is like the rows below in each column: it more likely belongs to them. */
const skippedLikeRow = -1.5;
/** More than a row of words among values costs, for each row above that may name the columns. */
const contestedHeader = -1;
/** Lowers the confidence below that of a reading without a warning. */
const doubtfulMargin = -0.1;

/**
 * Finds the table in the first rows of a file, none of them blank: the place where it begins, its width, and whether
 * its first row names the columns. Every beginning is judged by how well the rows from there on agree, column by
 * column. Rows that are left out above it cost what they look like data, so a table is not cut at its first odd row.
 */
export function findTable(allRows: readonly (readonly string[])[], given: GivenHeader = {}): TableReading {
  const rows = searchedRows(allRows);
  const kinds = rows.map((cells) => cells.map((cell) => kindOf(cell)));
  const likeness = new Likeness(rows);
  let best: TableReading | null = null;
  for (const width of likelyWidths(rows)) {
    const found = searchWidth({ rows, kinds, likeness, width }, given);
    if (found !== null && (best === null || found.score > best.score)) best = found;
  }
  if (best !== null) return given.hasHeader === true ? withFirstHeader(rows, best) : best;
  return { header: null, first: 0, columns: Math.max(0, ...rows.map(usedColumns)), score: 0, headerMargin: 0 };
}

/** Takes the first full row as the header, because the sender says that there is one. */
function withFirstHeader(rows: readonly (readonly string[])[], reading: TableReading): TableReading {
  const { header, columns } = reading;
  const isFull = (cells: readonly string[]): boolean =>
    usedColumns(cells) === columns && cells.filter((cell) => cell.trim() !== '').length * 2 > columns;
  const first = rows.findIndex(isFull);
  return header === null || first < 0 || first >= header ? reading : { ...reading, header: first, first: first + 1 };
}

function searchedRows<R extends readonly string[]>(rows: readonly R[]): readonly R[] {
  let cells = 0;
  let count = 0;
  while (count < Math.min(rows.length, maxSearchRows) && (count < 3 || cells < maxSearchCells)) {
    cells += rows[count]?.length ?? 0;
    count++;
  }
  return rows.slice(0, count);
}

/** The most frequent numbers of columns, and the largest among the first rows. */
function likelyWidths(rows: readonly (readonly string[])[]): number[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    for (const width of new Set([row.length, usedColumns(row)])) counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  const frequent = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, maxWidths);
  return frequent.map(([width]) => width).filter((width) => width > 0);
}

interface Sample {
  rows: readonly (readonly string[])[];
  kinds: readonly (readonly CellKind[])[];
  likeness: Likeness;
  width: number;
}

function searchWidth(sample: Sample, given: GivenHeader): TableReading | null {
  const { rows, kinds, width } = sample;
  const counts = Array.from({ length: width }, () => new KindCount());
  const skipped = costsOfSkipping(kinds, width);
  const best: Record<'header' | 'data', TableReading | null> = { header: null, data: null };
  let oddRows = 0;
  let consistency = 0;
  for (let at = rows.length - 1; at >= -1; at--) {
    // Rows from `at + 1` on are data here; `at` may be their header.
    const isAsked = given.row === undefined ? at < (width > 1 ? maxTitles : 1) : at === given.row;
    if (isAsked) {
      const isData = at + 1 < rows.length && given.row === undefined && given.hasHeader !== true;
      if (at >= 0 && given.hasHeader !== false) keep('header', scoreOf(at, true));
      if (isData && (at === -1 || (given.hasHeader !== false && width > 1))) keep('data', scoreOf(at, false));
    }
    if (at >= 0) addRow(at);
  }
  const [first, second] = [best.header, best.data].sort((a, b) => (b?.score ?? -Infinity) - (a?.score ?? -Infinity));
  if (first === null || first === undefined) return null;
  const lead = second === null || second === undefined ? 1 : (first.score - second.score) * rows.length;
  if (first.header === null) return { ...first, headerMargin: lead };
  const at = first.header;
  const rival = rivalHeader({ rows, at, width, columns: countsFrom(at + 2) });
  const isDoubtful = rival !== null || isUnproven({ ...sample, at, columns: countsFrom(at + 1) });
  return {
    ...first,
    headerMargin: isDoubtful ? Math.min(lead, doubtfulMargin) : lead,
    ...(rival === null ? {} : { rivalHeader: rival }),
  };

  function countsFrom(from: number): KindCount[] {
    const columns = counts.map(() => new KindCount());
    for (const row of kinds.slice(from))
      for (const [column, count] of columns.entries()) count.add(row[column] ?? 'empty');
    return columns;
  }

  function agrees(row: readonly CellKind[]): boolean {
    const isLike = (kind: CellKind, column: KindCount): boolean =>
      kind === column.kind || (kind === 'integer' && column.kind === 'decimal');
    return (
      row.length === width &&
      counts.every((column, index) => isLike(row[index] ?? 'empty', column)) &&
      row.some((kind) => isValueKind(kind))
    );
  }

  function keep(kind: 'header' | 'data', reading: TableReading | null): void {
    if (reading !== null && reading.score > (best[kind]?.score ?? -Infinity)) best[kind] = reading;
  }

  function addRow(at: number): void {
    const row = kinds[at] as readonly CellKind[];
    const used = usedColumns(rows[at] as string[]);
    if (used > width) {
      oddRows += wideRow;
      return;
    }
    if (width > 1) oddRows += row.length < width ? narrowRow : fullRow;
    consistency = 0;
    for (const [column, count] of counts.entries()) {
      count.add(row[column] ?? 'empty');
      consistency += count.points;
    }
  }

  function scoreOf(at: number, isHeader: boolean): TableReading | null {
    const above = isHeader ? at : at + 1;
    if (!isHeader && (rows[at + 1]?.length ?? 0) > width && usedColumns(rows[at + 1] as string[]) > width) return null;
    // One row below others is no table.
    if (!isHeader && above > 0 && rows.length - above < 2) return null;
    const evidence = isHeader ? headerEvidence({ ...sample, at, columns: counts }) : 0;
    if (evidence === null) return null;
    const likeRows = kinds.slice(0, above).filter((row) => agrees(row)).length;
    const cost =
      (skipped[above] as number) +
      likeRows * skippedLikeRow +
      (isHeader ? contestedBy({ rows, at, width, columns: counts }) * contestedHeader : 0);
    const alone = !isHeader && width > 1 && rows[above]?.length === 1 ? singleCell : 0;
    const total = consistency / width + oddRows + evidence + cost - (above > 0 && !isHeader ? 0.5 : 0) + alone;
    return {
      header: isHeader ? at : null,
      first: at + 1,
      columns: isHeader ? Math.max(width, usedColumns(rows[at] as string[])) : width,
      score: total / rows.length,
      headerMargin: 0,
    };
  }
}

/** Returns, for each row, the cost of leaving out all rows above it. */
function costsOfSkipping(kinds: readonly (readonly CellKind[])[], width: number): number[] {
  const costs = [0];
  for (const row of kinds) {
    const filled = row.filter((kind) => kind !== 'empty');
    const values = filled.filter((kind) => isValueKind(kind)).length / Math.max(1, filled.length);
    const likeData = filled.length * 2 > width ? values : values / 2;
    const full = filled.length === width && width > 1 ? skippedFullRow : skippedRow;
    costs.push((costs.at(-1) as number) + full + skippedValue * likeData);
  }
  return costs;
}
