import { addMonths, formatDay, readDay } from '@tieout/engine';
import type { SandboxState } from './state';

/** A calendar month; days are counted since 1970-01-01. */
export interface Month {
  /** `2026-11` */
  name: string;
  /** Counts from 0, the first month of the data. */
  index: number;
  firstDay: number;
}

export const dayOf = (ms: number): number => Math.floor(ms / 86_400_000);

/** The first day of the data, a year before the item was created. */
export const firstDayOf = ({ startDay }: SandboxState): number => addMonths(startDay, -12) + 1;

const monthStart = (day: number): number => {
  const reading = readDay(`${formatDay(day).slice(0, 7)}-01`);
  return reading.ok ? reading.day : day;
};

/** Returns every month that holds a day of the data. */
export function monthsOf(state: SandboxState): Month[] {
  const first = monthStart(firstDayOf(state));
  const months: Month[] = [];
  for (let index = 0; addMonths(first, index) <= state.untilDay; index++) {
    const firstDay = addMonths(first, index);
    months.push({ name: formatDay(firstDay).slice(0, 7), index, firstDay });
  }
  return months;
}

/** Returns a day of a month, counted from 1; every month has at least 28. */
export const dayIn = (month: Month, dayOfMonth: number): number => month.firstDay + dayOfMonth - 1;

export const isInside = (state: SandboxState, day: number): boolean =>
  day >= firstDayOf(state) && day <= state.untilDay;
