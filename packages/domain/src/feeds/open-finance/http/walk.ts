import { providerBadResponse } from '../failures';

/** One page of a provider's list. A total that it states is of no use: it may be wrong, and rows are counted anyway. */
export interface ProviderPage<T> {
  rows: T[];
  /** Continues the list; null at its end. undefined: pages have numbers. */
  next: string | null | undefined;
}

/** A place in a list: a page's number from 1, or what the page before gave. */
export type Place = { page: number } | { cursor: string };

export type ReadPage<T> = (place: Place) => Promise<ProviderPage<T>>;

const mostRows = 50_000;
const mostPages = 500;
/** How often a list that does not hold still is read. */
const mostWalks = 4;

interface Walk<T> {
  rows: Map<string, T>;
  /** Rows may have moved between pages meanwhile. */
  isDoubtful: boolean;
}

/**
 * The whole of a list that may change while it is read. Where pages have numbers, rows that move from one to another come twice or
 * are passed over, and nothing tells the latter. So a list of several pages is read until two readings in a row find the same
 * rows. One that never holds still is what all readings together have seen.
 * @throws AppError provider_bad_response for a list without end
 */
export async function readWhole<T extends { id: string }>(readPage: ReadPage<T>): Promise<T[]> {
  const all = new Map<string, T>();
  let before: ReadonlyMap<string, T> | null = null;
  for (let walks = 0; walks < mostWalks; walks += 1) {
    const { rows, isDoubtful } = await walkOnce(readPage);
    if (!isDoubtful || (before !== null && haveSameIds(before, rows))) return [...rows.values()];
    for (const [id, row] of rows) all.set(id, row);
    before = rows;
  }
  return [...all.values()];
}

async function walkOnce<T extends { id: string }>(readPage: ReadPage<T>): Promise<Walk<T>> {
  const rows = new Map<string, T>();
  const cursors = new Set<string>();
  let isDoubtful = false;
  let place: Place = { page: 1 };
  for (let pages = 1; pages <= mostPages && rows.size <= mostRows; pages += 1) {
    const { rows: more, next } = await readPage(place);
    const known = rows.size;
    for (const row of more) rows.set(row.id, row);
    isDoubtful ||= rows.size < known + more.length;
    if (next === undefined) {
      // A page without anything new is the end, also where the provider pays no heed to the number.
      if (rows.size === known) return { rows, isDoubtful };
      isDoubtful ||= pages > 1;
      place = { page: pages + 1 };
    } else {
      // A cursor that comes back leads in a circle.
      if (next === null || cursors.has(next)) return { rows, isDoubtful };
      cursors.add(next);
      place = { cursor: next };
    }
  }
  throw providerBadResponse(`a list has more than ${mostRows} rows or ${mostPages} pages`);
}

const haveSameIds = (a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): boolean =>
  a.size === b.size && [...a.keys()].every((id) => b.has(id));
