import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from '@sinclair/typebox';

/** Days for which data is kept after its end; null: forever. */
export type Days = number | null;

export interface RetentionPolicy {
  /** Results of a job, after a later job of the rule set completes. */
  supersededMatches: Days;
  /** Ended jobs whose results are neither live nor reviewed. */
  matchingJobs: Days;
  /** Ended deliveries, their attempts and events. */
  deliveries: Days;
  /** Bytes and rejected rows of files that were read. */
  files: Days;
  /** Queue jobs that have used all attempts. */
  failedQueueJobs: Days;
}

export const defaultRetention: RetentionPolicy = {
  supersededMatches: 0,
  matchingJobs: 365,
  deliveries: 30,
  files: 90,
  failedQueueJobs: 30,
};

/** Defines a setting of days or `forever`. */
export const retentionSetting = (kept: Days, description: string) =>
  Type.String({
    default: String(kept ?? 'forever'),
    pattern: '^(forever|\\d{1,5}(\\.\\d{1,6})?)$',
    description: `Days that ${description} stay, or forever`,
  });

/** Settings of the process that runs retention, to be spread into the schema of an app. */
export const retentionSettings = {
  RETENTION_SUPERSEDED_MATCHES: retentionSetting(
    defaultRetention.supersededMatches,
    'the results of a job that a later one of its rule set has replaced',
  ),
  RETENTION_MATCHING_JOBS: retentionSetting(
    defaultRetention.matchingJobs,
    'ended matching jobs without live or reviewed results',
  ),
  RETENTION_DELIVERIES: retentionSetting(defaultRetention.deliveries, 'ended deliveries, their attempts and events'),
  RETENTION_FILES: retentionSetting(defaultRetention.files, 'the bytes and rejected rows of files that have been read'),
  RETENTION_FAILED_QUEUE_JOBS: retentionSetting(
    defaultRetention.failedQueueJobs,
    'failed queue jobs, from their failure on,',
  ),
} as const;

export const readDays = (text: string): Days => (text === 'forever' ? null : Number(text));

/** Reads the policy from the settings. */
export function retentionOf(env: { readonly [K in keyof typeof retentionSettings]: string }): RetentionPolicy {
  return {
    supersededMatches: readDays(env.RETENTION_SUPERSEDED_MATCHES),
    matchingJobs: readDays(env.RETENTION_MATCHING_JOBS),
    deliveries: readDays(env.RETENTION_DELIVERIES),
    files: readDays(env.RETENTION_FILES),
    failedQueueJobs: readDays(env.RETENTION_FAILED_QUEUE_JOBS),
  };
}

/** SQL for the time before which rows are expired; `days` is an SQL expression. */
export const oldBefore = (days: string): string => `now() - make_interval(secs => ${days}::float8 * 86400)`;

/**
 * Repeats a step while it returns true. After each step it pauses for as long as the step took, which leaves the
 * database half of the time for other work.
 */
export async function repeatWithPauses(step: () => Promise<boolean>): Promise<void> {
  for (;;) {
    const startedMs = performance.now();
    if (!(await step())) return;
    await sleep(performance.now() - startedMs);
  }
}
