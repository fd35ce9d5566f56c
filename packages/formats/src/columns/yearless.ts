import { isNoValue } from './amounts';
import { isDateName } from './serials';

const dottedDay = /^(?:0?[1-9]|[12]\d|3[01])\.\s?(?:0?[1-9]|1[0-2])\.$/;
const dayAndMonth = /^(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|[12]\d|3[01])$/;
const hourAndMinute = /^(?:[01]?\d|2[0-3])\.[0-5]\d$/;
const timeColumnName = /(?:^|[^a-z])(?:time|uhrzeit|zeit|hora|heure|ora|ore|tijd)(?:[^a-z]|$)/i;

/** Returns whether a text is a day of a month as Germans write it: `13.01.`. */
export const isDayOfMonth = (text: string): boolean => text.length <= 7 && dottedDay.test(text);

/** Finds columns of days without a year, and of times of day, which look like amounts: `13.01.`, `13.01`, `10.15`. */
export class YearlessColumn {
  private readonly isDate: boolean;
  private readonly isTime: boolean;
  private isDay = true;
  private isClock = true;
  private example: string | null = null;

  constructor(name: string) {
    this.isDate = isDateName(name);
    this.isTime = timeColumnName.test(name);
  }

  add(value: string): void {
    if ((!this.isDay && !this.isClock) || isNoValue(value)) return;
    const text = value.trim();
    this.isDay &&= text.length <= 7 && (dottedDay.test(text) || (this.isDate && dayAndMonth.test(text)));
    this.isClock &&= this.isTime && text.length <= 5 && hourAndMinute.test(text);
    this.example ??= text;
  }

  /** A value of the column, and its meaning; null where it holds others. */
  get verdict(): { example: string; meaning: 'day' | 'time' } | null {
    if (this.example === null || (!this.isDay && !this.isClock)) return null;
    return { example: this.example, meaning: this.isDay ? 'day' : 'time' };
  }
}
