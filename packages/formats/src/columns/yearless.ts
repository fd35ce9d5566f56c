import { isNoValue } from './amounts';
import { isDateName } from './serials';

const dottedDay = /^(?:0?[1-9]|[12]\d|3[01])\.\s?(?:0?[1-9]|1[0-2])\.$/;
const dayAndMonth = /^(?:0?[1-9]|[12]\d|3[01])([./-])(?:0?[1-9]|[12]\d|3[01])$/;
const hourAndMinute = /^(?:[01]?\d|2[0-3])\.[0-5]\d$/;
const monthOfYear = /^(?:(?:0?[1-9]|1[0-2])[./](?:19|20)\d{2}|(?:19|20)\d{2}[./](?:0[1-9]|1[0-2]))$/;
const monthColumnName =
  /(?<!\p{L})(?:month|monat|m[êe]s|mois|mese|maand|miesi[ąa]c|m[ěe]s[íi]c|месяц|period[eo]?|per[íi]odo)(?!\p{L})/iu;
/** Months of years are no amounts where this many stand in a column, whatever its name. */
const minMonths = 2;
const timeColumnName = /(?:^|[^a-z])(?:time|uhrzeit|zeit|hora|heure|ora|ore|tijd)(?:[^a-z]|$)/i;

/** Returns whether a text is a day of a month as Germans write it: `13.01.`. */
export const isDayOfMonth = (text: string): boolean => text.length <= 7 && dottedDay.test(text);

/** Finds columns of days without a year, months and times, which look like amounts: `13.01.`, `10.2026`, `10.15`. */
export class YearlessColumn {
  private readonly isDate: boolean;
  private readonly isTime: boolean;
  private isDay = true;
  private isClock = true;
  private isMonth = true;
  private values = 0;
  private readonly isMonthName: boolean;
  private example: string | null = null;

  constructor(name: string) {
    this.isDate = isDateName(name);
    this.isTime = timeColumnName.test(name);
    this.isMonthName = monthColumnName.test(name);
  }

  add(value: string): void {
    if ((!this.isDay && !this.isClock && !this.isMonth) || isNoValue(value)) return;
    const text = value.trim();
    this.isDay &&= text.length <= 7 && (dottedDay.test(text) || (this.isDate && dayAndMonth.test(text)));
    this.isClock &&= this.isTime && text.length <= 5 && hourAndMinute.test(text);
    this.isMonth &&= text.length <= 7 && monthOfYear.test(text) && (this.isMonthName || /^\d{1,2}\D/.test(text));
    this.values++;
    this.example ??= text;
  }

  /** A value of the column, and its meaning; null where it holds others. */
  get verdict(): { example: string; meaning: 'day' | 'time' | 'month' } | null {
    const { example, isDay, isClock } = this;
    const isMonth = this.isMonth && (this.isMonthName || this.values >= minMonths);
    if (example === null || (!isDay && !isClock && !isMonth)) return null;
    return { example, meaning: isDay ? 'day' : isClock ? 'time' : 'month' };
  }
}
