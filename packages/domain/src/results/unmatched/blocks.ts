import type { Side } from '@tieout/engine';
import { idBytes, readId, type PoolClient } from '@tieout/infra';
import { nearestBytes, type StoredNearest } from './nearest';

/** Reasons why a record has no MATCH. Blocks store their places in this list: it only grows at its end. */
export const unmatchedReasons = [
  'ambiguous',
  'possible_only',
  'below_threshold',
  'no_candidate',
  'unblocked',
  'filtered',
  'failed',
  'held',
  'rejected',
] as const;
export type UnmatchedReason = (typeof unmatchedReasons)[number];

/** The number of a side in every table. */
export const sideNumber = { left: 0, right: 1 } as const;
export type SideNumber = (typeof sideNumber)[Side];
/** The sides by their numbers. */
export const sideNames = ['left', 'right'] as const satisfies readonly Side[];

const recordsPerBlock = 4096;

/**
 * The unmatched records of one side in ascending order of their ids: 16 bytes each in `ids`, and in `reasons` the index
 * of the reason in `unmatchedReasons`.
 */
export interface UnmatchedList {
  ids: Buffer;
  reasons: Buffer;
  /** Returns the nearest pair of a record by its place. */
  nearest?: (place: number) => StoredNearest | undefined;
}

/** Returns the list without these records; the list itself where it names none of them. */
export function withoutRecords(list: UnmatchedList, removed: ReadonlySet<string>): UnmatchedList {
  if (removed.size === 0) return list;
  const { ids, reasons, nearest } = list;
  const kept = Array.from(reasons, (_, place) => place).filter((place) => !removed.has(readId(ids, place * idBytes)));
  if (kept.length === reasons.length) return list;
  return {
    ids: Buffer.concat(kept.map((place) => ids.subarray(place * idBytes, (place + 1) * idBytes))),
    reasons: Buffer.from(kept.map((place) => reasons[place] as number)),
    ...(nearest && { nearest: (place: number) => nearest(kept[place] as number) }),
  };
}

/** Stores a list in blocks: there may be millions of records, and a row for each would cost more than comparing it. */
export async function writeUnmatched(
  client: PoolClient,
  of: { tenantId: string; jobId: string; side: SideNumber },
  { ids, reasons, nearest }: UnmatchedList,
): Promise<void> {
  for (let from = 0, blockNo = 0; from < reasons.length; from += recordsPerBlock, blockNo++) {
    const to = Math.min(from + recordsPerBlock, reasons.length);
    const block = { ids: ids.subarray(from * idBytes, to * idBytes), reasons: reasons.subarray(from, to) };
    const ofBlock = nearest && { nearest: (place: number) => nearest(from + place) };
    await client.query(
      `insert into unmatched_blocks
         (job_id, side, block_no, tenant_id, first_id, last_id, counts, ids, reasons, nearest)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [of.jobId, of.side, blockNo, of.tenantId, ...columnsOf({ ...block, ...ofBlock })],
    );
  }
}

/** Returns the columns first_id, last_id, counts, ids, reasons, nearest. */
export function columnsOf(list: UnmatchedList): [string, string, number[], Buffer, Buffer, Buffer | null] {
  const { ids, reasons, nearest } = list;
  const counts = unmatchedReasons.map(() => 0);
  for (const reason of reasons) counts[reason] = (counts[reason] as number) + 1;
  const pairs = nearest ? nearestBytes(Array.from(reasons, (_, place) => nearest(place))) : null;
  return [ids.toString('hex', 0, idBytes), ids.toString('hex', ids.length - idBytes), counts, ids, reasons, pairs];
}
