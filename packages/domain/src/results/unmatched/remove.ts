import type { Queries } from '@tieout/infra';
import { columnsOf, withoutRecords, type SideNumber } from './blocks';
import { readNearest } from './nearest';

interface BlockKey {
  jobId: string;
  side: SideNumber;
  blockNo: number;
}

/** Removes deleted records from every list of the tenant. Runs inside the transaction that deletes them. */
export async function removeUnmatched(tx: Queries, tenantId: string, recordIds: readonly string[]): Promise<void> {
  const sorted = [...recordIds].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return;
  // The same order everywhere prevents deadlocks of deletions.
  const blocks = await tx.query<BlockKey>(
    `select job_id as "jobId", side, block_no as "blockNo" from unmatched_blocks
      where tenant_id = $1::uuid and first_id <= $3::uuid and last_id >= $2::uuid order by job_id, side, block_no`,
    [tenantId, first, last],
  );
  const removed = new Set(recordIds);
  for (const block of blocks) await removeFrom(tx, tenantId, block, removed);
}

async function removeFrom(tx: Queries, tenantId: string, key: BlockKey, removed: ReadonlySet<string>): Promise<void> {
  const where = `where tenant_id = $1::uuid and job_id = $2::uuid and side = $3::smallint and block_no = $4::int`;
  const parameters = [tenantId, key.jobId, key.side, key.blockNo];
  const [block] = await tx.query<{ ids: Uint8Array; reasons: Uint8Array; nearest: Uint8Array | null }>(
    `select ids, reasons, nearest from unmatched_blocks ${where} for update`,
    parameters,
  );
  if (!block) return;
  const pairs = readNearest(block.nearest && Buffer.from(block.nearest), block.reasons.length);
  const list = {
    ids: Buffer.from(block.ids),
    reasons: Buffer.from(block.reasons),
    nearest: (place: number) => pairs[place],
  };
  const rest = withoutRecords(list, removed);
  if (rest === list) return;
  if (rest.reasons.length === 0) {
    await tx.execute(`delete from unmatched_blocks ${where}`, parameters);
    return;
  }
  await tx.execute(
    `update unmatched_blocks set first_id = $5::text::uuid, last_id = $6::text::uuid, counts = $7::int[],
            ids = $8, reasons = $9, nearest = $10 ${where}`,
    [...parameters, ...columnsOf(rest)],
  );
}
