/** Types of events that webhooks can subscribe to. */
export const eventTypes = [
  'ITEM_CREATED',
  'ITEM_UPDATED',
  'ITEM_DELETED',
  'ITEM_ERROR',
  'ITEM_WAITING_USER_INPUT',
  'ITEM_WAITING_USER_ACTION',
  'ITEM_LOGIN_SUCCEEDED',
  'TRANSACTIONS_CREATED',
  'TRANSACTIONS_UPDATED',
  'MATCHING_JOB_COMPLETED',
  'MATCHING_JOB_FAILED',
  'MATCHING_JOB_CANCELLED',
  'COMPOSITE_MATCH_CREATED',
  'MATCH_STALE',
  'MATCH_GROUP_HELD',
  'MATCH_GROUP_PENDING',
  'MATCH_GROUP_RELEASED',
  'PERIOD_CLOSED',
  'PERIOD_REOPENED',
  'RECONCILIATION_RUN_COMPLETED',
  'AUDIT_HEAD',
] as const;
export type EventType = (typeof eventTypes)[number];

/** Sent on request to one webhook, whatever events it subscribes to. */
export const testEventType = 'WEBHOOK_TEST';

/** The beginning of every payload. */
export interface EventHead {
  /** UUID v7 */
  eventId: string;
  occurredAt: Date;
}

/** Builds the text that is delivered. It is stored, so that every delivery of an event sends the same bytes. */
export function eventBody(type: string, { eventId, occurredAt }: EventHead, data: object): string {
  return JSON.stringify({ event: type, data: { eventId, occurredAt: occurredAt.toISOString(), ...data } });
}
