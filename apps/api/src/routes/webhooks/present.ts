import type { DeliveryAttempt, Delivery, DeliveryDetail, Page, Webhook } from '@tieout/domain';

/** Success as webhook operations answer it. */
export const success = <T>(data: T) => ({ status: 'success' as const, data });

/** `events` is there when the webhook names some: without it, it gets all. */
export const presentWebhook = ({ id, url, events, createdAt, updatedAt }: Webhook) => ({
  id,
  url,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
  ...(events.length === 0 ? {} : { events }),
});

export const presentDelivery = ({ id, event, eventId, status, attempts, nextAttemptAt, createdAt }: Delivery) => ({
  id,
  event,
  eventId,
  status,
  attempts,
  nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
});

export const presentDeliveries = ({ items, total, page, limit }: Page<Delivery>) =>
  success({ deliveries: items.map(presentDelivery), total, page, limit });

export const presentDeliveryDetail = (delivery: DeliveryDetail) => ({
  ...presentDelivery(delivery),
  attemptLog: delivery.attemptLog.map(presentAttempt),
});

const presentAttempt = ({ startedAt, ...attempt }: DeliveryAttempt) => ({
  ...attempt,
  startedAt: startedAt.toISOString(),
});
