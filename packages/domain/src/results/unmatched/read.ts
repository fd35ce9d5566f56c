import { idBytes, readId, writeId, type DbHandle } from '@tieout/infra';
import type { PageSlice } from '../../kernel/paging';
import { unmatchedReasons, type SideNumber, type UnmatchedReason } from './blocks';
import { readNearest, type StoredNearest } from './nearest';

export interface UnmatchedEntry {
  recordId: string;
  reason: UnmatchedReason;
  nearest?: StoredNearest;
}

interface BlockHead {
  blockNo: number;
  counts: number[];
}

/** Reads a slice of a job's unmatched records with these reasons, newest first, and their total. */
export async function readUnmatched(
  db: DbHandle,
  of: { tenantId: string; jobId: string; side: SideNumber; reasons: readonly UnmatchedReason[] },
  { skip, take, beforeId }: Pick<PageSlice, 'skip' | 'take' | 'beforeId'>,
): Promise<{ total: number; entries: UnmatchedEntry[] }> {
  const shown = unmatchedReasons.map((reason) => of.reasons.includes(reason));
  const heads = await db.query<BlockHead & { reached: boolean }>(
    `select block_no as "blockNo", counts, $4::uuid is null or first_id < $4::uuid as reached from unmatched_blocks
      where tenant_id = $1::uuid and job_id = $2::uuid and side = $3::smallint order by block_no desc`,
    [of.tenantId, of.jobId, of.side, beforeId ?? null],
  );
  const countOf = ({ counts }: BlockHead): number =>
    counts.reduce((sum, count, reason) => sum + (shown[reason] ? count : 0), 0);
  const entries: UnmatchedEntry[] = [];
  let toSkip = skip;
  for (const head of heads) {
    if (!head.reached) continue;
    if (entries.length === take) break;
    const count = countOf(head);
    // Whole blocks before the page are skipped unread.
    if (beforeId === undefined && toSkip >= count) {
      toSkip -= count;
      continue;
    }
    for (const entry of await readBlock(db, of, head.blockNo)) {
      if (!shown[unmatchedReasons.indexOf(entry.reason)]) continue;
      if (beforeId !== undefined && entry.recordId >= beforeId) continue;
      if (toSkip > 0) toSkip--;
      else if (entries.length < take) entries.push(entry);
    }
  }
  return { total: heads.reduce((sum, head) => sum + countOf(head), 0), entries };
}

/** Reads the entries of a block, newest first. */
async function readBlock(
  db: DbHandle,
  of: { tenantId: string; jobId: string; side: SideNumber },
  blockNo: number,
): Promise<UnmatchedEntry[]> {
  const [block] = await db.query<{ ids: Uint8Array; reasons: Uint8Array; nearest: Uint8Array | null }>(
    `select ids, reasons, nearest from unmatched_blocks
      where tenant_id = $1::uuid and job_id = $2::uuid and side = $3::smallint and block_no = $4::int`,
    [of.tenantId, of.jobId, of.side, blockNo],
  );
  if (!block) return [];
  const ids = Buffer.from(block.ids);
  const pairs = readNearest(block.nearest && Buffer.from(block.nearest), block.reasons.length);
  const entry = (reason: number, place: number): UnmatchedEntry => ({
    recordId: readId(ids, place * idBytes),
    reason: unmatchedReasons[reason] as UnmatchedReason,
    ...(pairs[place] && { nearest: pairs[place] }),
  });
  return Array.from(block.reasons, entry).reverse();
}

/** Returns why records of a side have no MATCH in a job; none for a record that the job did not list. */
export async function unmatchedReasonsOf(
  db: DbHandle,
  of: { tenantId: string; jobId: string; side: SideNumber },
  recordIds: readonly string[],
): Promise<Map<string, UnmatchedReason>> {
  const found = new Map<string, UnmatchedReason>();
  if (recordIds.length === 0) return found;
  const blocks = await db.query<{ firstId: string; lastId: string; ids: Uint8Array; reasons: Uint8Array }>(
    `select first_id::text as "firstId", last_id::text as "lastId", ids, reasons from unmatched_blocks b
      where tenant_id = $1::uuid and job_id = $2::uuid and side = $3::smallint
        and exists (select 1 from unnest($4::uuid[]) r(id) where r.id between b.first_id and b.last_id)`,
    [of.tenantId, of.jobId, of.side, recordIds],
  );
  for (const { firstId, lastId, ids, reasons } of blocks) {
    const bytes = Buffer.from(ids.buffer, ids.byteOffset, ids.byteLength);
    for (const id of recordIds) {
      if (id < firstId || id > lastId) continue;
      const place = placeOf(bytes, id);
      if (place !== -1) found.set(id, unmatchedReasons[reasons[place] as number] as UnmatchedReason);
    }
  }
  return found;
}

/** Finds an id in ascending ids by halves; -1 where it is missing. */
function placeOf(ids: Buffer, id: string): number {
  const wanted = Buffer.alloc(idBytes);
  writeId(wanted, 0, id);
  let [from, to] = [0, ids.length / idBytes];
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = ids.compare(wanted, 0, idBytes, middle * idBytes, (middle + 1) * idBytes);
    if (order === 0) return middle;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}
