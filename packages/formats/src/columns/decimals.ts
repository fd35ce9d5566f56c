import { limits } from '../limits';
import type { DecimalSeparator } from '../types';
import { areFew } from './footer';

/** Matches a number as people write it: sign or parentheses, a currency before or after, digits with separators. */
const numberText = new RegExp(
  [
    /^\(?\s*[-+\u2212]?\s*(?:[A-Z]{3}|[A-Z]{0,2}\$|[€£¥])?\s*/,
    /[-+\u2212]?\s*(\d[\d.,' \u00a0\u202f]*)\s*/,
    /(?:[A-Z]{3}|[€£¥$%])?\s*[-+]?\)?$/,
  ]
    .map(({ source }) => source)
    .join(''),
);
const groupedByPoint = /^\d{1,3}(?:\.\d{3})+$/;
const groupedByComma = /^\d{1,3}(?:,\d{3})+$/;

/** Returns what one value proves: a separator, nothing (`12`, `1,234`), or that it is no number. */
export function decimalEvidence(value: string): DecimalSeparator | 'none' | 'no number' {
  if (value.length > limits.valueChars) return 'no number';
  const digits = numberText.exec(value.trim())?.[1]?.replace(/[' \u00a0\u202f]/g, '');
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
  const grouped = last === '.' ? groupedByComma : groupedByPoint;
  return grouped.test(whole) ? last : 'no number';
}

function oneMark(digits: string, mark: DecimalSeparator): DecimalSeparator | 'none' | 'no number' {
  const grouped = mark === '.' ? groupedByPoint : groupedByComma;
  const isSingle = digits.indexOf(mark) === digits.lastIndexOf(mark);
  if (!isSingle) return grouped.test(digits) ? other(mark) : 'no number';
  // `0,123` has no thousands: no number has a leading zero before them.
  return grouped.test(digits) && !digits.startsWith('0') ? 'none' : mark;
}

/** Collects what a column's values prove about its decimal separator. */
export class DecimalColumn {
  private readonly counts = { '.': 0, ',': 0, none: 0, 'no number': 0 };
  private unclear: string | null = null;

  add(value: string): void {
    if (value.trim() === '') return;
    const evidence = decimalEvidence(value);
    this.counts[evidence]++;
    if (evidence === 'none' && /[.,]/.test(value)) this.unclear ??= value.trim();
  }

  /** The separator that the values prove. Null where they prove none, or where more than a few contradict it. */
  get verdict(): DecimalSeparator | null {
    if (!this.isNumeric) return null;
    const { '.': points, ',': commas } = this.counts;
    if (points === commas || !areFew(Math.min(points, commas), Math.max(points, commas))) return null;
    return points > commas ? '.' : ',';
  }

  /** A number with two possible readings and no proof in the column: `1.234`. */
  get ambiguous(): string | null {
    return this.isNumeric && this.counts['.'] + this.counts[','] === 0 ? this.unclear : null;
  }

  private get isNumeric(): boolean {
    const { '.': points, ',': commas, none, 'no number': others } = this.counts;
    return areFew(others, points + commas + none);
  }
}
