/**
 * The retry schedule: how many attempts a delivery gets, how long each may take, and when the next one follows a failed
 * one. By default a delivery gets six attempts, 5 min, 30 min, 1 h, 3 h and 8 h apart, and is then abandoned.
 * `WEBHOOK_RETRY_DELAYS` and `WEBHOOK_MAX_ATTEMPTS` change that.
 */
import type { AttemptOutcome, AttemptTrigger } from './outcomes';

export interface DeliveryPolicy {
  /** Delays after the first, the second… failed attempt; the last one repeats. */
  retryDelaysMs: readonly number[];
  /** Attempts of a delivery, the first included. */
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

export interface FinishedAttempt {
  trigger: AttemptTrigger;
  /** Number of scheduled attempts so far, including this one. */
  scheduled: number;
  /** Outcome of the previous attempt, whatever its trigger; null for the first attempt, and when it is unknown. */
  previousOutcome: AttemptOutcome | null;
  /** The receiver closed a reused connection before it sent a byte of an answer. */
  staleConnection: boolean;
}

/** `resume`: the delivery continues as if the manual attempt had not been made. */
export type AfterAttempt =
  { status: 'delivered' | 'abandoned' | 'resume' } | { status: 'retry_scheduled'; delayMs: number };

/** Decides what follows an attempt. */
export function afterAttempt(outcome: AttemptOutcome, attempt: FinishedAttempt, policy: DeliveryPolicy): AfterAttempt {
  if (outcome === 'delivered') return { status: 'delivered' };
  if (attempt.trigger === 'manual') return { status: 'resume' };
  if (attempt.scheduled >= policy.maxAttempts) return { status: 'abandoned' };
  const delayMs = isReceiverBlameless(outcome, attempt) ? 0 : retryDelayMs(attempt.scheduled, policy);
  return { status: 'retry_scheduled', delayMs };
}

const retryDelayMs = (scheduled: number, { retryDelaysMs }: DeliveryPolicy): number =>
  retryDelaysMs[Math.min(scheduled, retryDelaysMs.length) - 1] as number;

/**
 * An attempt that failed without the receiver's fault is repeated at once. Two interruptions in a row are not:
 * processes that crash one after the other must not use up all attempts. The repetition of an attempt over a stale
 * connection opens a new connection, which cannot be stale.
 */
const isReceiverBlameless = (outcome: AttemptOutcome, { previousOutcome, staleConnection }: FinishedAttempt): boolean =>
  staleConnection || (outcome === 'interrupted' && previousOutcome !== 'interrupted');

const unitMs = { ms: 1, s: 1_000, m: minuteMs, h: hourMs } as const;

/** Pattern of `WEBHOOK_RETRY_DELAYS`, a list of delays such as `5m,30m,1h`. */
export const delaysPattern = '^[1-9]\\d{0,6}(ms|s|m|h)(,[1-9]\\d{0,6}(ms|s|m|h))*$';

/** @param text fits `delaysPattern` */
export function parseDelays(text: string): number[] {
  return [...text.matchAll(/(\d+)(ms|s|m|h)/g)].map(
    ([, count, unit]) => Number(count) * unitMs[unit as keyof typeof unitMs],
  );
}
