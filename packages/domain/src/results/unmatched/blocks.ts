import type { Side } from '@tieout/engine';
import { idBytes, readId, type PoolClient } from '@tieout/infra';

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
}

/** Returns the list without these records; the list itself where it names none of them. */
export function withoutRecords(list: UnmatchedList, removed: ReadonlySet<string>): UnmatchedList {
  if (removed.size === 0) return list;
  const { ids, reasons } = list;
  const kept = Array.from(reasons, (_, place) => place).filter((place) => !removed.has(readId(ids, place * idBytes)));
  if (kept.length === reasons.length) return list;
  return {
    ids: Buffer.concat(kept.map((place) => ids.subarray(place * idBytes, (place + 1) * idBytes))),
    reasons: Buffer.from(kept.map((place) => reasons[place] as number)),
  };
}

/** Stores a list in blocks: there may be millions of records, and a row for each would cost more than comparing it. */
export async function writeUnmatched(
  client: PoolClient,
  of: { tenantId: string; jobId: string; side: SideNumber },
  { ids, reasons }: UnmatchedList,
): Promise<void> {
  for (let from = 0, blockNo = 0; from < reasons.length; from += recordsPerBlock, blockNo++) {
    const to = Math.min(from + recordsPerBlock, reasons.length);
    const block = { ids: ids.subarray(from * idBytes, to * idBytes), reasons: reasons.subarray(from, to) };
    await client.query(
      `insert into unmatched_blocks (job_id, side, block_no, tenant_id, first_id, last_id, counts, ids, reasons)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [of.jobId, of.side, blockNo, of.tenantId, ...columnsOf(block)],
    );
  }
}

/** Returns the columns first_id, last_id, counts, ids, reasons. */
export function columnsOf({ ids, reasons }: UnmatchedList): [string, string, number[], Buffer, Buffer] {
  const counts = unmatchedReasons.map(() => 0);
  for (const reason of reasons) counts[reason] = (counts[reason] as number) + 1;
  return [ids.toString('hex', 0, idBytes), ids.toString('hex', ids.length - idBytes), counts, ids, reasons];
}
