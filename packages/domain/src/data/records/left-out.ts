import { counted } from '@tieout/engine';
import type { TenantScope } from '../../kernel/scope';

/** Max time that work waits for records still being normalised, before it leaves them out. */
export const receivedWaitMs = 60_000;
export const receivedPollMs = 500;

/** Records of datasets that take no part in what reads them. */
export interface LeftOutRecords {
  /** Records that could not be normalised. */
  failed: number;
  /** Records that are not normalised yet. */
  pending: number;
}

export async function countPending({ db, tenantId }: TenantScope, datasetIds: readonly string[]): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count from records
      where tenant_id = $1::uuid and status = 'received' and dataset_id = any($2::uuid[])`,
    [tenantId, datasetIds],
  );
  return row?.count ?? 0;
}

/** Warns of records that were left out. */
export function leftOutWarnings({ failed, pending }: LeftOutRecords): { code: string; message: string }[] {
  const failedText =
    `${counted(failed, 'record')} could not be normalised and took no part: ` + 'see GET /v1/records?status=failed';
  const pendingText = `Without ${counted(pending, 'record')} that could not be normalised in time: run it again`;
  return [
    ...(failed > 0 ? [{ code: 'records_failed', message: failedText }] : []),
    ...(pending > 0 ? [{ code: 'records_pending', message: pendingText }] : []),
  ];
}
