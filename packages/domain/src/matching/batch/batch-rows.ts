import type { PoolClient } from '@tieout/infra';
import type { BatchBounds, PlannedBatch } from './batch-cuts';
import type { GroupBounds } from '../composition/group-bounds';

interface BatchRow {
  kind: 'pairs' | 'groups';
  bounds: BatchBounds | GroupBounds;
  rows: number;
  pairs: number;
}

export const pairsBatch = ({ bounds, leftRows, pairs }: PlannedBatch): BatchRow => ({
  kind: 'pairs',
  bounds,
  rows: leftRows,
  pairs,
});
export const groupsBatch = (bounds: GroupBounds): BatchRow => ({
  kind: 'groups',
  bounds,
  rows: bounds.to - bounds.from,
  pairs: 0,
});

/** Numbers them from `firstNo` on. */
export async function insertBatches(
  writer: PoolClient,
  tenantId: string,
  entry: { id: string; jobId: string },
  batches: readonly BatchRow[],
  firstNo: number,
): Promise<void> {
  await writer.query(
    `insert into job_batches (entry_id, batch_no, tenant_id, job_id, kind, bounds, left_rows, pairs)
     select $1, $8::int + b.no::int - 1, $2, $3, b.kind, b.bounds, b.left_rows, b.pairs
       from unnest($4::text[], $5::jsonb[], $6::int[], $7::bigint[]) with ordinality as b(kind, bounds, left_rows, pairs, no)`,
    [
      entry.id,
      tenantId,
      entry.jobId,
      batches.map((b) => b.kind),
      batches.map((b) => JSON.stringify(b.bounds)),
      batches.map((b) => b.rows),
      batches.map((b) => b.pairs),
      firstNo,
    ],
  );
}
