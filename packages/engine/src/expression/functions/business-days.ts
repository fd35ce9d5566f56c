import { businessDaysUpTo, calendarLists, parseCalendar } from './business-calendar';
import type { BusinessCalendar, CalendarInput, CalendarLists } from './business-calendar';
import { dayOf } from './days';

interface ParsedCalendar {
  lists: CalendarLists;
  calendar: BusinessCalendar;
}

/** A list that differs from each of them in its last item is compared with all. */
const REMEMBERED_CALENDARS = 4;

/** The latest distinct calendars, latest first. Bounded by their number and by the holidays of each. */
const parsed: ParsedCalendar[] = [];

/**
 * Business days d with `from` < d <= `to`, or minus those with `to` < d <= `from` when `to` is
 * earlier. Saturday and Sunday are the weekend unless the calendar says otherwise.
 */
export function businessDaysBetween(from: unknown, to: unknown, calendar?: CalendarInput): number | undefined {
  const first = dayOf(from, 'businessDaysBetween', 1);
  const last = dayOf(to, 'businessDaysBetween', 2);
  if (first === undefined || last === undefined) return undefined;
  const business = calendarOf(calendar);
  return businessDaysUpTo(business, last) - businessDaysUpTo(business, first);
}

/** Finds a calendar by content, because an expression makes a new list for each pair. */
function calendarOf(input: CalendarInput | undefined): BusinessCalendar {
  const lists = calendarLists(input);
  const known = parsed.find((one) => sameLists(one.lists, lists));
  if (known !== undefined) return known.calendar;
  const calendar = parseCalendar(lists.weekend, lists.holidays);
  parsed.unshift({ lists: copyOf(lists), calendar });
  parsed.length = Math.min(parsed.length, REMEMBERED_CALENDARS);
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
  for (let index = 0; index < one.length; index += 1) if (one[index] !== other[index]) return false;
  return true;
}
