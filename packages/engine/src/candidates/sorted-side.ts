import type { SortedKeys } from '../blocking/blocking';
import { minAmountScale } from '../values/decimal';
import { gather, magnitudes, sortedOrder } from './order';
import { candidatesOf, recordState, unitsAt } from './side';
import type { CandidateSide } from './side';

/** The candidates of a side in the order of their keys, with amounts at one scale. */
export interface SortedSide {
  seqs: Uint32Array;
  keys: SortedKeys;
}

/** Sorts the candidates of a side by bucket and day, and by |units| within these where that is asked for. */
export function sortSide(columns: CandidateSide, amountScale: number, byMagnitude: boolean): SortedSide {
  const candidates = candidatesOf(columns);
  const { length } = candidates;
  const all = length === columns.length;
  const bucket = all ? columns.bucket : gather(columns.bucket, candidates, new Float64Array(length));
  const day = all ? columns.day : gather(columns.day, candidates, new Int32Array(length));
  const units = new Float64Array(length);
  for (let i = 0; i < length; i++) units[i] = unitsAt(columns, candidates[i] as number, amountScale);
  const order = sortedOrder(length, [bucket, day, ...(byMagnitude ? [magnitudes(units, length)] : [])]);
  const keys = {
    length,
    bucket: gather(bucket, order, new Float64Array(length)),
    day: gather(day, order, new Int32Array(length)),
    units: gather(units, order, new Float64Array(length)),
  };
  return { seqs: all ? order : order.map((i) => candidates[i] as number), keys };
}

/** Returns the smallest number of decimals, at least 2, that holds every amount of the sides exactly. */
export function commonScale(...sides: readonly Pick<CandidateSide, 'length' | 'scale'>[]): number {
  let scale = minAmountScale;
  for (const side of sides) for (let i = 0; i < side.length; i++) scale = Math.max(scale, side.scale[i] as number);
  return scale;
}

/** Excludes the candidates whose amounts are no safe integers at the common scale. Returns them. */
export function excludeOutOfRange(columns: CandidateSide, amountScale: number): number[] {
  const out: number[] = [];
  for (let seq = 0; seq < columns.length; seq++) {
    if (columns.state[seq] !== recordState.candidate || Number.isNaN(columns.units[seq])) continue;
    if (!Number.isNaN(unitsAt(columns, seq, amountScale))) continue;
    columns.state[seq] = recordState.unblocked;
    out.push(seq);
  }
  return out;
}
