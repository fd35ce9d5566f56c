import { readDay } from '../../calendar';
import { refuse } from './failure';

/** A calendar as an expression gives it. JSONata may hand over a single item in place of a list. */
export type CalendarInput = string | readonly unknown[] | Readonly<Record<string, unknown>>;

/** Which days count, ready for counting without a walk over the days. */
export interface BusinessCalendar {
  /** Business days of one week. */
  perWeek: number;
  /** Business days among the first n days of a week that begins on Monday, n from 0 to 6. */
  fromMonday: readonly number[];
  /** Holidays that are no weekend days anyway: ascending, each once. */
  holidays: readonly number[];
}

export const MAX_HOLIDAYS = 10_000;

const FUNCTION_NAME = 'businessDaysBetween';
const SATURDAY = 6;
const SUNDAY = 7;
const DAYS_PER_WEEK = 7;
/** 1969-12-29, the Monday before 1970-01-01. */
const A_MONDAY = -3;

/** Business days from a fixed Monday up to and including `day`; only differences of two mean something. */
export function businessDaysUpTo(calendar: BusinessCalendar, day: number): number {
  const sinceMonday = day + 1 - A_MONDAY;
  const weeks = Math.floor(sinceMonday / DAYS_PER_WEEK);
  const rest = sinceMonday - weeks * DAYS_PER_WEEK;
  return weeks * calendar.perWeek + (calendar.fromMonday[rest] ?? 0) - holidaysUpTo(calendar.holidays, day);
}

function holidaysUpTo(holidays: readonly number[], day: number): number {
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
  const weekendDays = new Set(weekend?.map(weekday) ?? [SATURDAY, SUNDAY]);
  const fromMonday = [0];
  for (let day = 1; day <= DAYS_PER_WEEK; day += 1) {
    fromMonday.push((fromMonday[day - 1] ?? 0) + (weekendDays.has(day) ? 0 : 1));
  }
  const days = new Set(holidays.map(holiday).filter((day) => !weekendDays.has(isoWeekday(day))));
  return {
    perWeek: fromMonday[DAYS_PER_WEEK] ?? 0,
    fromMonday,
    holidays: [...days].sort((one, other) => one - other),
  };
}

function isoWeekday(day: number): number {
  return ((day - A_MONDAY) % DAYS_PER_WEEK + DAYS_PER_WEEK) % DAYS_PER_WEEK + 1;
}

function weekday(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= DAYS_PER_WEEK) return value;
  return refuse('calendar_invalid', FUNCTION_NAME, value, 'is no day of the week (1 Monday to 7 Sunday)');
}

function holiday(value: unknown): number {
  const reading = readDay(value);
  return reading.ok ? reading.day : refuse('calendar_invalid', FUNCTION_NAME, value, 'is no date of a holiday');
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
    refuse('calendar_invalid', FUNCTION_NAME, unknownKey, 'is no part of a calendar (weekend, holidays)');
  }
  const { weekend, holidays } = input;
  return limited({
    weekend: weekend === undefined ? undefined : asList(weekend),
    holidays: holidays === undefined ? [] : asList(holidays),
  });
}

function limited(lists: CalendarLists): CalendarLists {
  if (lists.holidays.length > MAX_HOLIDAYS) {
    refuse('calendar_invalid', FUNCTION_NAME, lists.holidays.length, `holidays are more than ${MAX_HOLIDAYS}`);
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
