import { lowerBound } from '../values/binary-search';
import type { JsonObject } from '../values/types';
import type { AnchorAmounts, AnchorDays, Sides } from './anchors';
import { dayAt, numberAt } from './fields';

/** Conditions on amounts and dates that partners meet together. */
export interface Windows {
  amount: AnchorAmounts | null;
  date: AnchorDays | null;
}

/** The right records in the order of what the windows search by, with their days. */
export interface WindowIndex {
  order: Int32Array;
  sorted: Float64Array;
  days: Float64Array;
}

export function windowIndex(sides: Sides, { amount, date }: Windows): WindowIndex {
  const days = Float64Array.from(sides.right, (record) => (date === null ? 0 : dayAt(record, date.pair.right.path)));
  const keys =
    amount === null
      ? days
      : Float64Array.from(
          sides.right,
          (record) => (amount.opposite ? -1 : 1) * numberAt(record, amount.pair.right.path),
        );
  const order = Int32Array.from(
    Array.from(keys.keys()).filter((at) => !Number.isNaN(keys[at] as number) && !Number.isNaN(days[at] as number)),
  ).sort((one, other) => (keys[one] as number) - (keys[other] as number) || one - other);
  return { order, sorted: Float64Array.from(order, (at) => keys[at] as number), days };
}

/** Visits the right records inside the windows of a left one. */
export function eachInWindows(
  { amount, date }: Windows,
  index: WindowIndex,
  left: JsonObject,
  visit: (right: number) => void,
): void {
  const day = date === null ? 0 : dayAt(left, date.pair.left.path);
  if (Number.isNaN(day)) return;
  let from = date === null ? -Infinity : day + date.from;
  let to = date === null ? Infinity : day + date.to;
  if (amount !== null) {
    const value = numberAt(left, amount.pair.left.path);
    if (Number.isNaN(value)) return;
    // The tolerance is a part of the larger amount.
    const reach = [value, value * (1 - amount.tolerance), value / (1 - amount.tolerance)];
    from = Math.min(...reach) - 1e-9;
    to = Math.max(...reach) + 1e-9;
  }
  const { order, sorted, days } = index;
  const first = lowerBound(0, sorted.length, (at) => (sorted[at] as number) < from);
  for (let at = first; at < sorted.length && (sorted[at] as number) <= to; at++) {
    const right = order[at] as number;
    const gap = (days[right] as number) - day;
    if (date === null || (gap >= date.from && gap <= date.to)) visit(right);
  }
}
