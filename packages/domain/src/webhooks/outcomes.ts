import type { BodyState } from '@tieout/infra';
import type { attemptOutcomes } from '../kernel/metrics';

export type AttemptOutcome = (typeof attemptOutcomes)[number];

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

/** `manual`: the tenant asked for the attempt; it takes no place in the retry schedule. */
export type AttemptTrigger = 'schedule' | 'manual';
