import { idBytes, readId, type DbHandle } from '@tieout/infra';
import type { PageSlice } from '../../kernel/paging';
import { unmatchedReasons, type SideNumber, type UnmatchedReason } from './blocks';

export interface UnmatchedEntry {
  recordId: string;
  reason: UnmatchedReason;
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
  const [block] = await db.query<{ ids: Uint8Array; reasons: Uint8Array }>(
    `select ids, reasons from unmatched_blocks
      where tenant_id = $1::uuid and job_id = $2::uuid and side = $3::smallint and block_no = $4::int`,
    [of.tenantId, of.jobId, of.side, blockNo],
  );
  if (!block) return [];
  const ids = Buffer.from(block.ids);
  const entry = (reason: number, place: number): UnmatchedEntry => ({
    recordId: readId(ids, place * idBytes),
    reason: unmatchedReasons[reason] as UnmatchedReason,
  });
  return Array.from(block.reasons, entry).reverse();
}
