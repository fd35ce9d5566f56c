import { readDay } from '../../values/calendar';
import { refuse, refuseType } from './failure';
import { memoiseTexts } from './memo';

/** Few dates are on many records. */
const readDayText = memoiseTexts(readDay);

/** The day of a date or timestamp as `readDay` reads it; undefined for a missing or blank one. Arguments count from 1. */
export function dayOf(value: unknown, name: string, argument: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return refuseType(name, argument);
  const reading = readDayText(value);
  if (reading.ok) return reading.day;
  if (reading.reason === 'missing') return undefined;
  return refuse('date_unreadable', name, value, 'is neither a date (YYYY-MM-DD) nor an RFC 3339 timestamp');
}

/** Whole calendar days from `from` to `to`, negative when `to` is earlier. */
export function daysBetween(from: unknown, to: unknown): number | undefined {
  const first = dayOf(from, 'daysBetween', 1);
  const last = dayOf(to, 'daysBetween', 2);
  return first === undefined || last === undefined ? undefined : last - first;
}
