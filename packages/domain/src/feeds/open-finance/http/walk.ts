import { providerBadResponse } from '../failures';

/** One page of a provider's list. Its total is ignored: it may be wrong, and rows are counted anyway. */
export interface ProviderPage<T> {
  rows: T[];
  /** Cursor of the next page; null at the end of the list; undefined: pages have numbers. */
  next: string | null | undefined;
}

/** The number of a page, from 1, or the cursor that the page before gave. */
export type PagePosition = { page: number } | { cursor: string };

export type ReadPage<T> = (position: PagePosition) => Promise<ProviderPage<T>>;

const maxRows = 50_000;
const maxPages = 500;
/** Max readings of a list that keeps changing. */
const maxWalks = 4;

interface Walk<T> {
  rows: Map<string, T>;
  /** Rows may have moved between pages during the walk. */
  isDoubtful: boolean;
}

/**
 * Reads a complete list that may change during the read. With numbered pages, a row that moves between pages is read
 * twice or missed, and a miss cannot be noticed: a list of several pages is read until two readings in a row find the
 * same rows. For a list that keeps changing, the result is the union of all readings.
 * @throws AppError provider_bad_response for a list without end
 */
export async function readCompleteList<T extends { id: string }>(readPage: ReadPage<T>): Promise<T[]> {
  const all = new Map<string, T>();
  let previous: ReadonlyMap<string, T> | null = null;
  for (let walks = 0; walks < maxWalks; walks++) {
    const { rows, isDoubtful } = await walkOnce(readPage);
    if (!isDoubtful || (previous !== null && haveSameIds(previous, rows))) return [...rows.values()];
    for (const [id, row] of rows) all.set(id, row);
    previous = rows;
  }
  return [...all.values()];
}

async function walkOnce<T extends { id: string }>(readPage: ReadPage<T>): Promise<Walk<T>> {
  const rows = new Map<string, T>();
  const cursors = new Set<string>();
  let isDoubtful = false;
  let position: PagePosition = { page: 1 };
  for (let pages = 1; pages <= maxPages && rows.size <= maxRows; pages++) {
    const { rows: more, next } = await readPage(position);
    const known = rows.size;
    for (const row of more) rows.set(row.id, row);
    isDoubtful ||= rows.size < known + more.length;
    if (next === undefined) {
      // A page without new rows is the end, also for a provider that ignores the page number.
      if (rows.size === known) return { rows, isDoubtful };
      isDoubtful ||= pages > 1;
      position = { page: pages + 1 };
    } else {
      // A repeated cursor is a cycle.
      if (next === null || cursors.has(next)) return { rows, isDoubtful };
      cursors.add(next);
      position = { cursor: next };
    }
  }
  throw providerBadResponse(`a list has more than ${maxRows} rows or ${maxPages} pages`);
}

const haveSameIds = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a.keys()].every((id) => b.has(id));
