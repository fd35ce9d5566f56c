import { readDay } from '../../values/calendar';
import type { DayReading } from '../../values/calendar';
import { dayInZone } from '../../values/zone';
import { businessDaysUpTo, calendarLists, parseCalendar } from './business-calendar';
import type { BusinessCalendar, CalendarInput, CalendarLists } from './business-calendar';
import { refuse, refuseType } from './failure';
import { memoiseTexts } from './memo';

type DayReader = (text: string) => DayReading;

/** Reads the day of a date or timestamp; undefined for a missing or blank one. Arguments count from 1. */
function dayOf(read: DayReader, value: unknown, name: string, argument: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return refuseType(name, argument);
  const reading = read(value);
  if (reading.ok) return reading.day;
  if (reading.reason === 'missing') return undefined;
  return refuse('date_unreadable', name, value, 'is neither a date (YYYY-MM-DD) nor an RFC 3339 timestamp');
}

/** The functions of days, by name. Their parameters are those that expressions see. */
export interface DayFunctions {
  /** Whole calendar days from `from` to `to`, negative when `to` is earlier. */
  daysBetween: (from: unknown, to: unknown) => number | undefined;
  /**
   * Business days d with `from` < d <= `to`, or minus those with `to` < d <= `from` when `to` is earlier. Saturday and
   * Sunday are the weekend unless the calendar says otherwise.
   */
  businessDaysBetween: (from: unknown, to: unknown, calendar?: CalendarInput) => number | undefined;
}

/** Creates the functions of days in a time zone. */
export function dayFunctions(timezone: string): DayFunctions {
  const dayIn = dayInZone(timezone);
  // Many records share few dates.
  const read = memoiseTexts((text) => readDay(text, dayIn));
  return {
    daysBetween: (from, to) => {
      const first = dayOf(read, from, 'daysBetween', 1);
      const last = dayOf(read, to, 'daysBetween', 2);
      return first === undefined || last === undefined ? undefined : last - first;
    },
    businessDaysBetween: (from, to, calendar) => {
      const first = dayOf(read, from, 'businessDaysBetween', 1);
      const last = dayOf(read, to, 'businessDaysBetween', 2);
      if (first === undefined || last === undefined) return undefined;
      const business = calendarOf(calendar);
      return businessDaysUpTo(business, last) - businessDaysUpTo(business, first);
    },
  };
}

interface ParsedCalendar {
  lists: CalendarLists;
  calendar: BusinessCalendar;
}

/** A list that differs from each of them in its last item is compared with all. */
const rememberedCalendars = 4;

/** The latest distinct calendars, latest first. Bounded by their number and by the holidays of each. */
const parsed: ParsedCalendar[] = [];

/** Finds a calendar by content, because an expression makes a new list for each pair. */
function calendarOf(input: CalendarInput | undefined): BusinessCalendar {
  const lists = calendarLists(input);
  const known = parsed.find((one) => sameLists(one.lists, lists));
  if (known !== undefined) return known.calendar;
  const calendar = parseCalendar(lists.weekend, lists.holidays);
  parsed.unshift({ lists: copyOf(lists), calendar });
  parsed.length = Math.min(parsed.length, rememberedCalendars);
  return calendar;
}

/** A caller may change its lists later. */
function copyOf({ weekend, holidays }: CalendarLists): CalendarLists {
  return { weekend: weekend?.slice(), holidays: holidays.slice() };
}

function sameLists(one: CalendarLists, other: CalendarLists): boolean {
  return (
    sameItems(one.holidays, other.holidays) &&
    (one.weekend === other.weekend ||
      (one.weekend !== undefined && other.weekend !== undefined && sameItems(one.weekend, other.weekend)))
  );
}

function sameItems(one: readonly unknown[], other: readonly unknown[]): boolean {
  if (one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}
