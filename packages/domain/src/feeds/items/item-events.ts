import { emitEvent, enqueueDeliveries, type EventType } from '../../events';
import type { TenantScope } from '../../kernel/scope';

/** An event of an item, without its item id and its sequence number. */
export interface ItemEvent {
  type: EventType;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Stores events of an item. This transaction has raised the item's counter by their number, to `sequence`, and holds
 * its row until the commit, so that sequence numbers become visible in their order.
 */
export async function emitItemEvents(
  tx: TenantScope,
  itemId: string,
  sequence: number,
  events: readonly ItemEvent[],
): Promise<void> {
  let hasSubscriber = false;
  for (const [index, { type, data }] of events.entries()) {
    const number = sequence - events.length + index + 1;
    hasSubscriber =
      (await emitEvent(tx.db, tx.tenantId, { type, data: { itemId, ...data, sequence: number } })) || hasSubscriber;
  }
  if (hasSubscriber) await tx.db.afterCommit(() => enqueueDeliveries(tx.queue, [tx.tenantId]));
}
