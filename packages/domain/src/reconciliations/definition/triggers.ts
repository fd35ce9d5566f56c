import { isTimezone } from '@tieout/engine';
import type { FieldError } from '@tieout/infra';
import { CronExpressionParser } from 'cron-parser';
import type { RunTriggers } from './types';

export const defaultQuietSeconds = 60;
export const defaultMaxWaitSeconds = 900;

/** Lists the faults of triggers. */
export function triggerFaults({ schedule, onArrival }: RunTriggers): FieldError[] {
  const faults: FieldError[] = [];
  if (schedule?.timezone !== undefined && !isTimezone(schedule.timezone)) {
    const path = '/triggers/schedule/timezone';
    faults.push({ path, code: 'timezone', message: 'must be a time zone such as Europe/Berlin' });
  } else if (schedule) {
    const problem = cronProblem(schedule.cron, schedule.timezone ?? 'UTC');
    if (problem !== null) {
      const message = `${problem}; give five fields, such as "0 6 * * 1-5" for 6:00 on working days`;
      faults.push({ path: '/triggers/schedule/cron', code: 'cron', message });
    }
  }
  const quiet = onArrival?.quietSeconds ?? defaultQuietSeconds;
  const maxWait = onArrival?.maxWaitSeconds ?? defaultMaxWaitSeconds;
  if (onArrival && maxWait < quiet) {
    const message = `must be at least quietSeconds (${quiet})`;
    faults.push({ path: '/triggers/onArrival/maxWaitSeconds', code: 'minimum', message });
  }
  return faults;
}

/** Returns the first moment of a schedule after another one, by the clock of the zone. */
export function nextMoment(cron: string, timezone: string, after: Date): Date {
  return CronExpressionParser.parse(cron, { currentDate: after, tz: timezone }).next().toDate();
}

/** Returns the next moment of a schedule after another one; null without a schedule. */
export const nextRunOf = ({ schedule }: RunTriggers, after: Date): Date | null =>
  schedule ? nextMoment(schedule.cron, schedule.timezone ?? 'UTC', after) : null;

function cronProblem(cron: string, timezone: string): string | null {
  if (cron.trim().split(/\s+/).length !== 5) return 'must have five fields';
  try {
    nextMoment(cron, timezone, new Date(0));
    return null;
  } catch (error) {
    return error instanceof Error ? `is not a schedule (${error.message})` : 'is not a schedule';
  }
}
