import { addMonths, noDay } from '../values/calendar';
import { undatedLast } from './member-index';
import type { CompositionSettings } from './settings';

/** A range of days, both ends included. */
export interface DayRange {
  from: number;
  to: number;
}

export const anyDay: DayRange = { from: noDay, to: undatedLast };

/** Returns the days on which members may lie; null when there are none. `monthly` allows any day. */
export function allowedDays({ dateStrategy, toleranceDays }: CompositionSettings, day: number): DayRange | null {
  if (dateStrategy === 'none' || dateStrategy === 'monthly') return anyDay;
  if (day === noDay) return null;
  return {
    from: dateStrategy === 'after' ? day : day - toleranceDays,
    // Rows without a day are in no range but anyDay.
    to: dateStrategy === 'before' ? day : Math.min(day + toleranceDays, undatedLast - 1),
  };
}

/** Returns the slot days of the months from the day of the target on; none for a target without a day. */
export function slotDays(day: number, months: number): number[] {
  return day === noDay ? [] : Array.from({ length: months + 1 }, (_, month) => addMonths(day, month));
}

/** Returns the days around the slots, ascending and without overlap. */
export function slotRanges(slots: readonly number[], toleranceDays: number): DayRange[] {
  const ranges: DayRange[] = [];
  for (const slot of slots) {
    const last = ranges.at(-1);
    const from = slot - toleranceDays;
    const to = Math.min(slot + toleranceDays, undatedLast - 1);
    if (last !== undefined && from <= last.to + 1) last.to = to;
    else ranges.push({ from, to });
  }
  return ranges;
}
