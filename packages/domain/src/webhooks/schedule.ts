import type { Outcome, Trigger } from './outcomes';

/** When an attempt follows a failed one, and how long each may take. */
export interface DeliveryPolicy {
  /** After the first, the second… failure; the last one serves all that follow. */
  retryDelaysMs: readonly number[];
  /** The first attempt included. */
  maxAttempts: number;
  firstTimeoutMs: number;
  retryTimeoutMs: number;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const defaultDeliveryPolicy: DeliveryPolicy = {
  retryDelaysMs: [5 * minuteMs, 30 * minuteMs, hourMs, 3 * hourMs, 8 * hourMs, 12 * hourMs],
  maxAttempts: 6,
  firstTimeoutMs: 5_000,
  retryTimeoutMs: 10_000,
};

export interface MadeAttempt {
  trigger: Trigger;
  /** Attempts of the schedule so far, this one included. */
  scheduled: number;
  /** What came of the attempt before, of whatever trigger; null: this is the first, or nobody knows. */
  before: Outcome | null;
  /** A connection that was kept from another request was closed before any byte of an answer. */
  staleConnection: boolean;
}

/** `resume`: the delivery goes on as if the attempt by hand had not been made. */
export type Next = { status: 'delivered' | 'abandoned' | 'resume' } | { status: 'retry_scheduled'; delayMs: number };

/** What becomes of a delivery after an attempt. */
export function afterAttempt(outcome: Outcome, attempt: MadeAttempt, policy: DeliveryPolicy): Next {
  const { trigger, scheduled } = attempt;
  if (outcome === 'delivered') return { status: 'delivered' };
  if (trigger === 'manual') return { status: 'resume' };
  if (scheduled >= policy.maxAttempts) return { status: 'abandoned' };
  const { retryDelaysMs } = policy;
  const delayMs = isReceiverBlameless(outcome, attempt)
    ? 0
    : (retryDelaysMs[Math.min(scheduled, retryDelaysMs.length) - 1] as number);
  return { status: 'retry_scheduled', delayMs };
}

/**
 * Such an attempt is repeated at once, but only once in a row: a second interruption waits, so that processes that die one after
 * the other do not use up all attempts. The repetition of a stale connection has one of its own, which cannot be stale.
 */
const isReceiverBlameless = (outcome: Outcome, { before, staleConnection }: MadeAttempt): boolean =>
  staleConnection || (outcome === 'interrupted' && before !== 'interrupted');

const unitMs = { ms: 1, s: 1_000, m: minuteMs, h: hourMs } as const;

/** A list of times such as `5m,30m,1h`, as `WEBHOOK_RETRY_DELAYS` holds it. */
export const delaysPattern = '^[1-9]\\d{0,6}(ms|s|m|h)(,[1-9]\\d{0,6}(ms|s|m|h))*$';

/** @param text fits `delaysPattern` */
export function parseDelays(text: string): number[] {
  return [...text.matchAll(/(\d+)(ms|s|m|h)/g)].map(
    ([, count, unit]) => Number(count) * unitMs[unit as keyof typeof unitMs],
  );
}
