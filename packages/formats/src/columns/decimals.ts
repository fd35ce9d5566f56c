import { limits } from '../limits';
import type { DecimalSeparator } from '../types';

/** A number as people write it: sign or parentheses, a currency before or after, digits with marks between them. */
const NUMBER = /^\(?\s*[-+\u2212]?\s*(?:[A-Z]{3}|[A-Z]{0,2}\$|[€£¥])?\s*[-+\u2212]?\s*(\d[\d.,' \u00a0\u202f]*)\s*(?:[A-Z]{3}|[€£¥$%])?\s*[-+]?\)?$/;
const GROUPED_BY_POINT = /^\d{1,3}(?:\.\d{3})+$/;
const GROUPED_BY_COMMA = /^\d{1,3}(?:,\d{3})+$/;

/** What one value says: a separator, nothing (`12`, `1,234`), or that it is no number. */
export function decimalEvidence(value: string): DecimalSeparator | 'none' | 'no number' {
  if (value.length > limits.valueChars) return 'no number';
  const digits = NUMBER.exec(value.trim())?.[1]?.replace(/[' \u00a0\u202f]/g, '');
  if (digits === undefined) return 'no number';
  const point = digits.lastIndexOf('.');
  const comma = digits.lastIndexOf(',');
  if (point < 0 && comma < 0) return 'none';
  if (point >= 0 && comma >= 0) return bothMarks(digits, point > comma ? '.' : ',');
  return oneMark(digits, point >= 0 ? '.' : ',');
}

function other(mark: DecimalSeparator): DecimalSeparator {
  return mark === '.' ? ',' : '.';
}

function bothMarks(digits: string, last: DecimalSeparator): DecimalSeparator | 'no number' {
  const whole = digits.slice(0, digits.lastIndexOf(last));
  const grouped = last === '.' ? GROUPED_BY_COMMA : GROUPED_BY_POINT;
  return grouped.test(whole) ? last : 'no number';
}

function oneMark(digits: string, mark: DecimalSeparator): DecimalSeparator | 'none' | 'no number' {
  const grouped = mark === '.' ? GROUPED_BY_POINT : GROUPED_BY_COMMA;
  const isSingle = digits.indexOf(mark) === digits.lastIndexOf(mark);
  if (!isSingle) return grouped.test(digits) ? other(mark) : 'no number';
  // 0,123 groups nothing: no number is written with a leading zero before its thousands.
  return grouped.test(digits) && !digits.startsWith('0') ? 'none' : mark;
}

/** Collects what the values of a column say. */
export class DecimalColumn {
  private readonly seen = new Set<DecimalSeparator>();
  private isNumeric = true;

  add(value: string): void {
    if (!this.isNumeric || value.trim() === '') return;
    const evidence = decimalEvidence(value);
    if (evidence === 'no number') this.isNumeric = false;
    else if (evidence !== 'none') this.seen.add(evidence);
  }

  /** The separator that the values prove; null where they prove none, or contradict each other. */
  get verdict(): DecimalSeparator | null {
    if (!this.isNumeric || this.seen.size !== 1) return null;
    return [...this.seen][0] as DecimalSeparator;
  }
}
