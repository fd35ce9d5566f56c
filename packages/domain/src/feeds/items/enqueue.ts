import type { TenantScope } from '../../kernel/scope';

/**
 * Enqueues the next step of an item. A step has one queue job, however often it is enqueued; a claim that is too early,
 * or for a step that is no longer the next one, does nothing.
 */
export function enqueueStep(
  scope: Pick<TenantScope, 'tenantId' | 'queue'>,
  item: { id: string; revision: number },
  delayMs = 0,
): Promise<void> {
  return scope.queue.enqueue(
    'item.sync',
    { tenantId: scope.tenantId, itemId: item.id },
    { jobId: `item-${item.id}-${item.revision}`, ...(delayMs > 0 ? { delayMs } : {}) },
  );
}

/** Enqueues copying the transactions of an item into its datasets. */
export function enqueueFeed(scope: Pick<TenantScope, 'tenantId' | 'queue'>, itemId: string): Promise<void> {
  return scope.queue.enqueue('item.ingest', { tenantId: scope.tenantId, itemId });
}
