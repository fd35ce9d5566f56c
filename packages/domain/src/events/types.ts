/** What happens in the service that receivers can be told of. */
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
] as const;
export type EventType = (typeof eventTypes)[number];

/** Sent on request, to one webhook, whichever events that one wants. */
export const testEventType = 'WEBHOOK_TEST';
