import { dayInZone } from './zone';
import type { DayInZone } from './zone';

/** `day` counts days since 1970-01-01 in the proleptic Gregorian calendar and may be negative. */
export type DayReading = { ok: true; day: number } | { ok: false; reason: 'missing' | 'unreadable' };

/** The day of a record without a date; smaller than every day number. */
export const noDay = -2_147_483_648;

/** 0001-01-01 and 9999-12-31: other years have no text of ten characters. */
const firstDay = -719_162;
const lastDay = 2_932_896;

const unreadable: DayReading = { ok: false, reason: 'unreadable' };
const missing: DayReading = { ok: false, reason: 'missing' };
const minutesPerDay = 1440;
const utcDay = dayInZone('UTC');
const dateLength = 10;
const hyphen = 45;
const digitZero = 48;

const dateOrTimestamp =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:([Zz])|([+-])(\d{2}):(\d{2}))?)?$/;

/**
 * Reads `YYYY-MM-DD` or an RFC 3339 timestamp (`T`, `t` or a blank before the time) of the years 0001
 * to 9999. A date, or a timestamp without an offset, counts on the day that is written; one with an offset counts on
 * its day in the zone, by default UTC. A leap second belongs to the minute that it ends.
 */
export function readDay(value: unknown, dayIn: DayInZone = utcDay): DayReading {
  if (value === null || value === undefined) return missing;
  if (typeof value !== 'string') return unreadable;
  if (value.length === dateLength) {
    const plain = plainDay(value);
    if (plain !== null) return { ok: true, day: plain };
  }
  if (value.trim() === '') return missing;
  const parts = dateOrTimestamp.exec(value);
  if (parts === null) return unreadable;
  const day = civilDay(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  if (day === null) return unreadable;
  if (parts[4] === undefined) return { ok: true, day };
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  if (!isTimeOfDay(hour, minute, Number(parts[6]))) return unreadable;
  if (parts[7] === undefined && parts[8] === undefined) return { ok: true, day };
  const offset = offsetMinutes(parts[8], parts[9], parts[10]);
  if (offset === null) return unreadable;
  const own = dayIn((day * minutesPerDay + hour * 60 + minute - offset) * 60);
  return own >= firstDay && own <= lastDay ? { ok: true, day: own } : unreadable;
}

/** Reads the day of `YYYY-MM-DD` without cutting the text into parts; null for any other text. */
function plainDay(text: string): number | null {
  if (text.charCodeAt(4) !== hyphen || text.charCodeAt(7) !== hyphen) return null;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  // A character that is not a digit makes its number NaN, which no date contains.
  return civilDay(year, twoDigits(text, 5), twoDigits(text, 8));
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - digitZero;
  const ones = text.charCodeAt(at + 1) - digitZero;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? 10 * tens + ones : NaN;
}

function isTimeOfDay(hour: number, minute: number, second: number): boolean {
  return hour <= 23 && minute <= 59 && second <= 60;
}

function offsetMinutes(sign: string | undefined, hours = '00', minutes = '00'): number | null {
  const hour = Number(hours);
  const minute = Number(minutes);
  if (hour > 23 || minute > 59) return null;
  return (sign === '-' ? -1 : 1) * (hour * 60 + minute);
}

/** Formats a day number as `YYYY-MM-DD`. */
export function formatDay(day: number): string {
  const { year, month, dayOfMonth } = civilDate(day);
  return `${String(year).padStart(4, '0')}-${pad2(month)}-${pad2(dayOfMonth)}`;
}

/** Returns the same day a number of months later; a month without that day gives its last day. */
export function addMonths(day: number, months: number): number {
  const { year, month, dayOfMonth } = civilDate(day);
  const ordinal = year * 12 + (month - 1) + months;
  const first = dayFromCivil(Math.floor(ordinal / 12), modulo12(ordinal) + 1, 1);
  const next = dayFromCivil(Math.floor((ordinal + 1) / 12), modulo12(ordinal + 1) + 1, 1);
  return Math.min(first + dayOfMonth - 1, next - 1);
}

function modulo12(ordinal: number): number {
  return ((ordinal % 12) + 12) % 12;
}

function pad2(value: number): string {
  return String(value).padStart(2, '0');
}

function civilDay(year: number, month: number, dayOfMonth: number): number | null {
  if (!(year >= 1 && month >= 1 && month <= 12)) return null;
  if (!(dayOfMonth >= 1 && dayOfMonth <= daysInMonth(year, month))) return null;
  return dayFromCivil(year, month, dayOfMonth);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/**
 * Counts days since 1970-01-01. Years begin in March here, so that the leap day is last (Howard Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms").
 */
export function dayFromCivil(year: number, month: number, dayOfMonth: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const leapDays = Math.floor(shifted / 4) - Math.floor(shifted / 100) + Math.floor(shifted / 400);
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  return shifted * 365 + leapDays + dayOfYear - 719468;
}

function civilDate(day: number): { year: number; month: number; dayOfMonth: number } {
  const shifted = day + 719468;
  const era = Math.floor(shifted / 146097);
  const dayOfEra = shifted - era * 146097;
  const leapDays = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36524) + Math.floor(dayOfEra / 146096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1;
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth };
}
