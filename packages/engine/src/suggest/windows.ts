import { lowerBound } from '../values/binary-search';
import type { JsonObject } from '../values/types';
import { amountTolerance, dateWindow, type Anchor, type AnchorAmounts, type AnchorDays, type Sides } from './anchors';
import { dayAt, numberAt } from './fields';
import type { FieldPair } from './types';

/** Windows hold at least this share of the anchors with both values. */
const minShare = 0.7;
const minFill = 0.9;
const maxDays = 92;
const maxTolerance = 0.25;

/** Conditions on amounts and dates that partners meet together. */
export interface Windows {
  amount: AnchorAmounts | null;
  date: AnchorDays | null;
}

/**
 * Returns the windows that hold best. Many anchors are no partners where records without one share texts with others:
 * these differ in amounts and in dates, so that each window holds for too few, and both lose the same ones. What counts
 * then is the share of one window among the anchors inside the other.
 */
export function bestWindows(sides: Sides, anchors: readonly Anchor[], pairs: readonly FieldPair[]): Windows {
  const full = (kind: FieldPair['kind']): FieldPair[] =>
    pairs.filter((pair) => pair.kind === kind && Math.min(pair.left.fill, pair.right.fill) >= minFill);
  const [amount = null] = full('number')
    .flatMap((pair) => amountTolerance(sides, anchors, pair) ?? [])
    .filter(({ tolerance }) => tolerance <= maxTolerance)
    .sort((one, other) => other.share - one.share);
  const [date = null] = full('date')
    .flatMap((pair) => dateWindow(sides, anchors, pair) ?? [])
    .filter(({ from, to }) => to - from <= maxDays)
    .sort((one, other) => other.share - one.share || one.to - one.from - (other.to - other.from));
  if (amount !== null && date !== null) {
    const [byAmount, byDate] = [
      { amount, date: null },
      { amount: null, date },
    ].map((own) => anchors.filter((anchor) => isInside(sides, own, anchor))) as [Anchor[], Anchor[]];
    const both = byAmount.filter((anchor) => isInside(sides, { amount: null, date }, anchor)).length;
    const [ofAmount, ofDate] = [both / Math.max(1, byDate.length), both / Math.max(1, byAmount.length)];
    if (Math.min(ofAmount, ofDate) >= minShare)
      return {
        amount: { ...amount, ofPartners: Math.max(amount.share, ofAmount) },
        date: { ...date, ofPartners: Math.max(date.share, ofDate) },
      };
  }
  const held = <Window extends AnchorAmounts | AnchorDays>(window: Window | null): Window | null =>
    window !== null && window.share >= minShare ? window : null;
  return { amount: held(amount), date: held(date) };
}

function isInside(sides: Sides, { amount, date }: Windows, [left, right]: Anchor): boolean {
  const [one, other] = [sides.left[left] as JsonObject, sides.right[right] as JsonObject];
  if (date !== null) {
    const gap = dayAt(other, date.pair.right.path) - dayAt(one, date.pair.left.path);
    if (!(gap >= date.from && gap <= date.to)) return false;
  }
  if (amount === null) return true;
  const value = numberAt(one, amount.pair.left.path);
  const { from, to } = reachOf(value, amount);
  const opposite = (amount.opposite ? -1 : 1) * numberAt(other, amount.pair.right.path);
  return opposite >= from && opposite <= to;
}

/** Returns the amounts that the tolerance, a part of the larger amount, lets through. */
function reachOf(value: number, { tolerance }: AnchorAmounts): { from: number; to: number } {
  const ends = [value, value * (1 - tolerance), value / (1 - tolerance)];
  return { from: Math.min(...ends) - 1e-9, to: Math.max(...ends) + 1e-9 };
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
    ({ from, to } = reachOf(value, amount));
  }
  const { order, sorted, days } = index;
  const first = lowerBound(0, sorted.length, (at) => (sorted[at] as number) < from);
  for (let at = first; at < sorted.length && (sorted[at] as number) <= to; at++) {
    const right = order[at] as number;
    const gap = (days[right] as number) - day;
    if (date === null || (gap >= date.from && gap <= date.to)) visit(right);
  }
}
