import { isTimezone, offsetInZone } from '@tieout/engine';
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

/** Clocks change by less than this. */
const maxChangeMs = 3 * 3_600_000;
const dayMs = 86_400_000;

/**
 * Returns the first moment of a schedule after another one, by the clock of the zone. A time that a change of the clock
 * leaves out comes later by as much. One that comes twice counts once, and twice where the schedule names no hour.
 */
export function nextMoment(cron: string, timezone: string, after: Date): Date {
  const offsetOf = offsetInZone(timezone);
  const offsetAt = (moment: number): number => offsetOf(moment / 1_000) * 1_000;
  const clockAt = (moment: number): number => moment + offsetAt(moment);
  const namesHour = !cron.trim().split(/\s+/)[1]?.startsWith('*');
  // Times are read as of UTC, so that the parser sees no change of the clock.
  const currentDate = new Date(clockAt(after.getTime()) - maxChangeMs);
  const times = CronExpressionParser.parse(cron, { currentDate, tz: 'UTC' });
  let next = Infinity;
  for (;;) {
    const clock = times.next().getTime();
    const moments = momentsAt(clock, offsetAt);
    const first = Math.min(...moments);
    if (next < Infinity && first >= next && clock >= clockAt(next)) return new Date(next);
    for (const moment of namesHour ? [first] : moments) {
      if (moment > after.getTime()) next = Math.min(next, moment);
    }
  }
}

/** Lists the moments at which a clock shows a time; for one that it leaves out, the moment by the offset of before. */
function momentsAt(clock: number, offsetAt: (moment: number) => number): number[] {
  const [before, after] = [-dayMs, dayMs].map((ms) => clock - offsetAt(clock + ms)) as [number, number];
  const shown = [before, after].filter((moment) => moment + offsetAt(moment) === clock);
  return shown.length > 0 ? shown : [before];
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
