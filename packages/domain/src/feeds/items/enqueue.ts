import type { TenantScope } from '../../kernel/scope';

/**
 * Has a worker take the next step of an item. One queue job for each step, however often it is asked for; a claim that comes too
 * early, or for a step that is no longer the next, does nothing.
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

/** Has a worker carry transactions of an item into its datasets. */
export function enqueueFeed(scope: Pick<TenantScope, 'tenantId' | 'queue'>, itemId: string): Promise<void> {
  return scope.queue.enqueue('item.ingest', { tenantId: scope.tenantId, itemId });
}
