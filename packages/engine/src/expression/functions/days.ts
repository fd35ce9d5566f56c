import { readDay } from '../../calendar';
import { refuse } from './failure';

/** The day of a date or timestamp as `readDay` reads it; undefined for a missing or blank one. */
export function dayOf(value: string | undefined, name: string): number | undefined {
  const reading = readDay(value);
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
