import { readDay } from '../../calendar';
import { refuse } from './failure';
import { memoiseTexts } from './memo';

/** Few dates are on many records. */
const readDayText = memoiseTexts(readDay);

/** The day of a date or timestamp as `readDay` reads it; undefined for a missing or blank one. */
export function dayOf(value: string | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  const reading = readDayText(value);
  if (reading.ok) return reading.day;
  if (reading.reason === 'missing') return undefined;
  return refuse('date_unreadable', name, value, 'is neither a date (YYYY-MM-DD) nor an RFC 3339 timestamp');
}

/** Whole calendar days from `from` to `to`, negative when `to` is earlier. */
export function daysBetween(from: string | undefined, to: string | undefined): number | undefined {
  const first = dayOf(from, 'daysBetween');
  const last = dayOf(to, 'daysBetween');
  return first === undefined || last === undefined ? undefined : last - first;
}
