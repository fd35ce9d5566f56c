import { readDay } from '../../values/calendar';
import { refuse } from './failure';

/** A calendar as an expression gives it. JSONata may hand over a single item in place of a list. */
export type CalendarInput = string | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Business days in a form that is counted without a walk over the days. */
export interface BusinessCalendar {
  /** Business days of one week. */
  perWeek: number;
  /** Business days among the first n days of a week that begins on Monday, n from 0 to 6. */
  fromMonday: readonly number[];
  /** Holidays that are not weekend days anyway: ascending, each once. */
  holidays: Int32Array;
}

export const maxHolidays = 10_000;

const functionName = 'businessDaysBetween';
const saturday = 6;
const sunday = 7;
const daysPerWeek = 7;
/** A Monday before 0001-01-01, the first day that can be written, which is a Monday too. */
const firstMonday = -719_169;

/** Counts business days from a fixed Monday up to and including `day`; only differences of two have a meaning. */
export function businessDaysUpTo(calendar: BusinessCalendar, day: number): number {
  const days = sinceMonday(day) + 1;
  const weeks = Math.floor(days / daysPerWeek);
  const rest = days % daysPerWeek;
  return weeks * calendar.perWeek + (calendar.fromMonday[rest] ?? 0) - holidaysUpTo(calendar.holidays, day);
}

function holidaysUpTo(holidays: Int32Array, day: number): number {
  let low = 0;
  let high = holidays.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((holidays[middle] ?? Infinity) <= day) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function parseCalendar(weekend: readonly unknown[] | undefined, holidays: readonly unknown[]): BusinessCalendar {
  const weekendDays = new Set(weekend?.map(weekday) ?? [saturday, sunday]);
  const isBusiness = Array.from({ length: daysPerWeek }, (_, index) => !weekendDays.has(index + 1));
  const fromMonday = [0];
  for (const [index, counts] of isBusiness.entries()) fromMonday.push((fromMonday[index] ?? 0) + (counts ? 1 : 0));
  return { perWeek: fromMonday[daysPerWeek] ?? 0, fromMonday, holidays: businessDaysOf(holidays, isBusiness) };
}

/** Reads the holidays that are not weekend days: ascending, each once. Most lists are sorted already. */
function businessDaysOf(holidays: readonly unknown[], isBusiness: readonly boolean[]): Int32Array {
  const days = new Int32Array(holidays.length);
  let count = 0;
  let ascending = true;
  for (let index = 0; index < holidays.length; index++) {
    const day = holiday(holidays[index]);
    if (isBusiness[sinceMonday(day) % daysPerWeek] !== true) continue;
    if (count > 0 && day <= (days[count - 1] ?? day)) ascending = false;
    days[count] = day;
    count++;
  }
  const found = days.subarray(0, count);
  return ascending ? found : found.sort().filter((day, index) => index === 0 || day !== found[index - 1]);
}

/** Days since a Monday before every day that can be written. */
function sinceMonday(day: number): number {
  return day - firstMonday;
}

function weekday(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= daysPerWeek) return value;
  return refuse('calendar_invalid', functionName, value, 'is not a day of the week (1 Monday to 7 Sunday)');
}

function holiday(value: unknown): number {
  const reading = readDay(value);
  return reading.ok ? reading.day : refuse('calendar_invalid', functionName, value, 'is not a date of a holiday');
}

/** The lists of a calendar, before anything in them is read. */
export interface CalendarLists {
  weekend: readonly unknown[] | undefined;
  holidays: readonly unknown[];
}

export function calendarLists(input: CalendarInput | undefined): CalendarLists {
  if (input === undefined) return { weekend: undefined, holidays: [] };
  if (typeof input === 'string' || isList(input)) return limited({ weekend: undefined, holidays: asList(input) });
  const unknownKey = Object.keys(input).find((key) => key !== 'weekend' && key !== 'holidays');
  if (unknownKey !== undefined) {
    refuse('calendar_invalid', functionName, unknownKey, 'is not part of a calendar (weekend, holidays)');
  }
  const { weekend, holidays } = input;
  return limited({
    weekend: weekend === undefined ? undefined : asList(weekend),
    holidays: holidays === undefined ? [] : asList(holidays),
  });
}

function limited(lists: CalendarLists): CalendarLists {
  if (lists.holidays.length > maxHolidays) {
    refuse('calendar_invalid', functionName, lists.holidays.length, `holidays are more than ${maxHolidays}`);
  }
  return lists;
}

function asList(value: unknown): readonly unknown[] {
  return isList(value) ? value : [value];
}

/** `Array.isArray` would give its items the type `any`. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
