import { emitEvent, enqueueDeliveries, type EventType } from '../../events';
import type { TenantScope } from '../../kernel/scope';

/** Something to be told of an item, besides which item it is and its place in the order of the item's events. */
export interface ItemEvent {
  type: EventType;
  data: Readonly<Record<string, unknown>>;
}

/**
 * Stores events of an item whose counter was raised by their number, to `sequence`, in this transaction. Whoever holds the row
 * until the commit has the numbers become visible in their order.
 */
export async function emitItemEvents(
  tx: TenantScope,
  itemId: string,
  sequence: number,
  events: readonly ItemEvent[],
): Promise<void> {
  let wanted = false;
  for (const [index, { type, data }] of events.entries()) {
    const number = sequence - events.length + index + 1;
    wanted = (await emitEvent(tx.db, tx.tenantId, type, { itemId, ...data, sequence: number })) || wanted;
  }
  if (wanted) await tx.db.afterCommit(() => enqueueDeliveries(tx.queue, [tx.tenantId]));
}
