import type { DecimalSeparator } from '../types';
import { decimalEvidence, isNoValue, isShortened } from './amounts';
import { areFew } from './cells';
import { Forms } from './forms';
import { latinDigits } from '../text/characters';

/** Collects what a column's values prove about its decimal separator. */
export class DecimalColumn {
  private readonly counts = { '.': 0, ',': 0, none: 0, 'no number': 0 };
  private unclear: string | null = null;
  private long: string | null = null;
  /** A number that a spreadsheet shortened. */
  shortened: string | null = null;
  private readonly forms = new Forms();
  /** The first number. */
  example = '';
  private readonly proofs: Record<DecimalSeparator, string[]> = { '.': [], ',': [] };
  /** The first cells that are no numbers. */
  readonly odd: string[] = [];

  add(value: string): void {
    if (isNoValue(value)) return;
    const evidence = decimalEvidence(value);
    this.counts[evidence]++;
    if (evidence !== 'no number') {
      this.example ||= value.trim();
      if (isShortened(value)) this.shortened ??= value.trim();
    }
    if ((evidence === '.' || evidence === ',') && this.proofs[evidence].length < maxExamples)
      this.proofs[evidence].push(value.trim());
    if (evidence === 'none' && /\d[.,]\d/.test(latinDigits(value))) this.unclear ??= latinDigits(value.trim());
    if ((evidence === '.' || evidence === ',') && value.length > maxExactChars) this.long ??= value.trim();
    if (evidence !== 'no number') return;
    this.forms.add(value.trim());
    if (this.odd.length < maxExamples) this.odd.push(value.trim());
  }

  /**
   * The separator that the numbers of the column prove, if most values are numbers. Null where they prove none, or
   * where more than a few contradict it.
   */
  get verdict(): DecimalSeparator | null {
    if (this.counts['no number'] >= this.numbers) return null;
    const { '.': points, ',': commas } = this.counts;
    if (points === commas || !areFew(Math.min(points, commas), Math.max(points, commas))) return null;
    return points > commas ? '.' : ',';
  }

  /** A number with two possible readings and no proof in the column: `1.234`. */
  get ambiguous(): string | null {
    return this.isNumeric && this.counts['.'] + this.counts[','] === 0 ? this.unclear : null;
  }

  /** A number with more digits than a double keeps, in a column of numbers. */
  get tooLong(): string | null {
    return this.isNumeric ? this.long : null;
  }

  /** Returns whether most values are numbers, some with decimals, although too many are not. */
  get isMostlyNumeric(): boolean {
    const { '.': points, ',': commas, 'no number': others } = this.counts;
    return !this.isNumeric && points + commas > 0 && this.numbers >= 2 && others < this.numbers;
  }

  /** Cells with a decimal comma and cells with a decimal point, where most values are numbers and both are frequent. */
  get mixed(): string[] {
    const { '.': points, ',': commas } = this.counts;
    const isMixed = points > 0 && commas > 0 && this.verdict === null && this.counts['no number'] < this.numbers;
    return isMixed ? ofEach([this.proofs[','], this.proofs['.']]) : [];
  }

  /** Returns whether nearly all values are numbers, some of them with decimals or thousands. */
  get areNumbers(): boolean {
    return this.isNumeric && (this.counts['.'] + this.counts[','] > 0 || this.unclear !== null);
  }

  /** Returns whether no value is a number, and all are alike. */
  get areAlike(): boolean {
    return this.numbers === 0 && this.forms.areFew;
  }

  private get numbers(): number {
    return this.counts['.'] + this.counts[','] + this.counts.none;
  }

  private get isNumeric(): boolean {
    return areFew(this.counts['no number'], this.numbers);
  }
}

/** A number of fewer characters is exact as a double. */
const maxExactChars = 15;

/** Cells that a warning shows. */
export const maxExamples = 3;

/** Takes cells from lists in turn, as many as a warning shows. */
export function ofEach(lists: readonly (readonly string[])[]): string[] {
  const places = Array.from({ length: maxExamples }, (_, place) => place);
  return places.flatMap((place) => lists.flatMap((list) => list[place] ?? [])).slice(0, maxExamples);
}
