import type { BulkItem } from '@tieout/infra';
import type { JobProducer } from '../jobs';
import type { TenantScope } from '../scope';

/** Records of one processing job: enough to work set-based, few enough to repeat after a crash. */
export const PROCESSING_CHUNK = 500;

/** Enqueues the processing of records once the transaction in hand, if any, is durable. */
export async function enqueueProcessing(scope: TenantScope, recordIds: readonly string[]): Promise<void> {
  await scope.db.afterCommit(() => enqueueChunks(scope.queue, scope.tenantId, recordIds));
}

export interface ChunkOptions {
  /** Chunks that were enqueued before these, and belong with them. */
  ahead?: number;
  /** See EnqueueOptions. */
  once?: boolean;
}

/**
 * The number of a chunk is its priority: the first one of any tenant comes before the second of another, however much
 * one of them has sent at once.
 */
export async function enqueueChunks(queue: JobProducer, tenantId: string, recordIds: readonly string[], { ahead = 0, once = false }: ChunkOptions = {}): Promise<void> {
  if (recordIds.length <= PROCESSING_CHUNK) {
    if (recordIds.length > 0) await queue.enqueue('records.process', { tenantId, recordIds: [...recordIds] }, { priority: ahead + 1, once });
    return;
  }
  const items: BulkItem<{ tenantId: string; recordIds: string[] }>[] = [];
  for (let i = 0; i < recordIds.length; i += PROCESSING_CHUNK) {
    items.push({ payload: { tenantId, recordIds: recordIds.slice(i, i + PROCESSING_CHUNK) }, priority: ahead + items.length + 1, once });
  }
  await queue.enqueueMany('records.process', items);
}
