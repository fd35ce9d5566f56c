import type { AttemptOutcome, BodyState } from '@tieout/infra';

/** `interrupted`: the process that made the attempt is gone; whether the receiver got it is not known. */
export type Outcome = AttemptOutcome | 'interrupted';

export const outcomes = [
  'delivered',
  'http_status',
  'redirect',
  'timeout',
  'dns_error',
  'connection_refused',
  'connection_reset',
  'tls_error',
  'protocol_error',
  'blocked_address',
  'interrupted',
] as const satisfies readonly Outcome[];

export const bodyStates = ['complete', 'truncated', 'deadline', 'error'] as const satisfies readonly BodyState[];

export const deliveryStatuses = [
  'pending',
  'sending',
  'retry_scheduled',
  'delivered',
  'abandoned',
  'cancelled',
] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export type Trigger = 'schedule' | 'manual';
