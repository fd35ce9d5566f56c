import { limits } from '../limits';
import { readDay } from '../statement/values';

/** The orders of day, month and year; an undecided file has the first possible one, which Quicken writes. */
export const orders = ['MDY', 'DMY', 'YMD'] as const;
export type DateOrder = (typeof orders)[number];

interface DateParts {
  parts: [string, string, string];
  /** The day comes before the month in every country that writes points. */
  hasPoints: boolean;
  /** An apostrophe stands before the years from 2000 on. */
  isFrom2000: boolean;
}

const pattern = /^(\d{1,4})\s*([/.-])\s*(\d{1,2}|[A-Za-z]{3,9})\s*([/.'-]|'\s)\s*(\d{1,4})$/;
const compact = /^(\d{4})(\d{2})(\d{2})$/;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Splits a date as QIF files write it: `1/15'26`, `15/01/2026`, `1/ 5/26`; null for anything else. */
export function datePartsOf(text: string): DateParts | null {
  if (text.length > limits.valueChars) return null;
  const plain = text.trim().replace(/\s+\d{1,2}:\d{2}.*$/, '');
  const whole = compact.exec(plain);
  if (whole !== null)
    return { parts: [whole[1] as string, whole[2] as string, whole[3] as string], hasPoints: false, isFrom2000: false };
  const match = pattern.exec(plain);
  if (match === null) return null;
  const [, first = '', mark = '', second = '', before = '', third = ''] = match;
  return { parts: [first, second, third], hasPoints: mark === '.', isFrom2000: before.startsWith("'") };
}

/** Returns the ISO day of a date in an order; null where the order does not fit. */
export function dayIn(
  { parts: [first, second, third], hasPoints, isFrom2000 }: DateParts,
  order: DateOrder,
): string | null {
  const isNamed = /[A-Za-z]/.test(second);
  if ((isNamed && order === 'MDY') || (hasPoints && order === 'MDY')) return null;
  const [year, month, day] = {
    DMY: [third, second, first],
    MDY: [third, first, second],
    YMD: [first, second, third],
  }[order] as [string, string, string];
  // Two digits in front are a year only where the format says so.
  if (day.length > 2 || (order === 'YMD' && year.length !== 4)) return null;
  const fullYear = fullYearOf(year, isFrom2000);
  return fullYear === null ? null : readDay(fullYear, monthOf(month), day.padStart(2, '0'));
}

function monthOf(text: string): string {
  const named = months.indexOf(text.slice(0, 3).toLowerCase());
  return (named < 0 ? text : String(named + 1)).padStart(2, '0');
}

const firstYearOf1900s = 70;

function fullYearOf(year: string, isFrom2000: boolean): string | null {
  if (year.length === 4) return year;
  if (year.length > 2) return null;
  const number = Number(year);
  return String(number + (isFrom2000 || number < firstYearOf1900s ? 2000 : 1900));
}
