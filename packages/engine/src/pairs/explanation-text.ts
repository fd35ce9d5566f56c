import { amountDelta, leftBlockKey } from '../scoring/explanation';
import type { ExplanationFrame } from '../scoring/explanation';
import { storable } from '../values/json';
import type { RowStore } from './columns/row-store';
import { noDay } from '../values/calendar';

/** Bound on matchers for which the texts of all outcomes are cached. */
const maxCachedMatchers = 12;

/** Writes the stored form of an explanation (`storedExplanation`) as JSON text. */
export class ExplanationText {
  private readonly outcomes = new Map<number, string>();
  private blockKeyRow = -1;
  private blockKeyText = '';

  constructor(
    private readonly frame: ExplanationFrame,
    private readonly lefts: RowStore,
    private readonly rights: RowStore,
  ) {}

  /** Writes the text of a pair; `values` are the matchers', NaN abstains. */
  write(left: number, right: number, values: Float64Array, reasons: unknown): string {
    return this.valuesText(values) + this.deltas(left, right) + this.blockKey(left) + reasonsText(reasons) + '}';
  }

  private valuesText(values: Float64Array): string {
    const bits = outcomeBits(values);
    const known = this.outcomes.get(bits);
    if (known !== undefined) return known;
    const text = `{"values":${JSON.stringify(Array.from(values, (value) => (Number.isNaN(value) ? null : value)))}`;
    if (bits >= 0) this.outcomes.set(bits, text);
    return text;
  }

  private deltas(left: number, right: number): string {
    const leftUnits = this.lefts.units[left] ?? NaN;
    const rightUnits = this.rights.units[right] ?? NaN;
    const leftDay = this.lefts.days[left] ?? noDay;
    const rightDay = this.rights.days[right] ?? noDay;
    let text = '';
    if (!Number.isNaN(leftUnits) && !Number.isNaN(rightUnits)) {
      text = `,"amountDelta":${amountDelta(leftUnits, rightUnits, this.frame.amountScale)}`;
    }
    return leftDay === noDay || rightDay === noDay ? text : `${text},"dayDelta":${rightDay - leftDay}`;
  }

  /** Caches the text of one left record, because its pairs mostly follow each other. */
  private blockKey(left: number): string {
    if (left === this.blockKeyRow) return this.blockKeyText;
    const units = this.lefts.units[left] ?? NaN;
    const day = this.lefts.days[left] ?? noDay;
    const key = leftBlockKey(this.frame, Number.isNaN(units) ? null : units, day === noDay ? null : day);
    this.blockKeyRow = left;
    this.blockKeyText = key === undefined ? '' : `,"blockKey":${JSON.stringify(key)}`;
    return this.blockKeyText;
  }
}

/** Returns matcher i as bit i when all matchers returned 0 or 1; −1 otherwise. */
function outcomeBits(values: Float64Array): number {
  if (values.length > maxCachedMatchers) return -1;
  let bits = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value === 1) bits |= 1 << index;
    else if (value !== 0) return -1;
  }
  return bits;
}

function reasonsText(reasons: unknown): string {
  if (reasons === undefined) return '';
  const kept = storable(reasons);
  return kept === undefined ? '' : `,"reasons":${JSON.stringify(kept)}`;
}
