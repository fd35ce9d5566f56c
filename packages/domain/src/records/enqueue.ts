import type { JobProducer } from '../jobs';
import type { TenantScope } from '../scope';

/** Records of one processing job: enough to work set-based, few enough to repeat after a crash. */
export const PROCESSING_CHUNK = 500;

/** Enqueues the processing of records once the transaction in hand, if any, is durable. */
export async function enqueueProcessing(scope: TenantScope, recordIds: readonly string[]): Promise<void> {
  await scope.db.afterCommit(() => enqueueChunks(scope.queue, scope.tenantId, recordIds));
}

/**
 * The number of a chunk is its priority: the first one of any tenant comes before the second of another, however much
 * one of them has sent at once.
 * @param ahead chunks that were enqueued before these, and belong with them
 */
export async function enqueueChunks(queue: JobProducer, tenantId: string, recordIds: readonly string[], ahead = 0): Promise<void> {
  if (recordIds.length <= PROCESSING_CHUNK) {
    if (recordIds.length > 0) await queue.enqueue('records.process', { tenantId, recordIds: [...recordIds] }, { priority: ahead + 1 });
    return;
  }
  const items: { payload: { tenantId: string; recordIds: string[] }; priority: number }[] = [];
  for (let i = 0; i < recordIds.length; i += PROCESSING_CHUNK) {
    items.push({ payload: { tenantId, recordIds: recordIds.slice(i, i + PROCESSING_CHUNK) }, priority: ahead + items.length + 1 });
  }
  await queue.enqueueMany('records.process', items);
}
