import type { JobProducer } from '../jobs';
import type { TenantScope } from '../scope';

/** Records of one processing job: enough to work set-based, few enough to repeat after a crash. */
export const PROCESSING_CHUNK = 500;

/** Enqueues the processing of records once the transaction in hand, if any, is durable. */
export async function enqueueProcessing(scope: TenantScope, recordIds: readonly string[]): Promise<void> {
  await scope.db.afterCommit(() => enqueueChunks(scope.queue, scope.tenantId, recordIds));
}

export async function enqueueChunks(queue: JobProducer, tenantId: string, recordIds: readonly string[]): Promise<void> {
  if (recordIds.length <= PROCESSING_CHUNK) {
    if (recordIds.length > 0) await queue.enqueue('records.process', { tenantId, recordIds: [...recordIds] });
    return;
  }
  const items: { payload: { tenantId: string; recordIds: string[] } }[] = [];
  for (let i = 0; i < recordIds.length; i += PROCESSING_CHUNK) {
    items.push({ payload: { tenantId, recordIds: recordIds.slice(i, i + PROCESSING_CHUNK) } });
  }
  await queue.enqueueMany('records.process', items);
}
