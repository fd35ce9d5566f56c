import type { OpenItemAnswer, ListSide } from '../../api/open-items';
import { unitsOf } from '../../text/format';

/** Fields of an item that sums, matching and candidates need; candidates have them. */
export type Selectable = Pick<
  OpenItemAnswer,
  'record_id' | 'side' | 'external_id' | 'amount' | 'remaining_amount' | 'date' | 'currency' | 'record'
>;

/** Selected items by record id, in the order of selection. */
export type Selection = ReadonlyMap<string, Selectable>;

export function toggled(selection: Selection, item: Selectable): Selection {
  const next = new Map(selection);
  if (!next.delete(item.record_id)) next.set(item.record_id, item);
  return next;
}

export const ofSide = (selection: Selection, side: ListSide): Selectable[] =>
  [...selection.values()].filter((item) => item.side === side);

export interface Sums {
  left: bigint;
  right: bigint;
  /** Left less right, or left plus right where signs are opposite. */
  difference: bigint;
  currency: string | null;
  isMixed: boolean;
}

const sumOf = (items: readonly Selectable[]): bigint =>
  items.reduce((sum, { remaining_amount: remaining }) => sum + (unitsOf(remaining) ?? 0n), 0n);

export function sumsOf(selection: Selection, amountSign: string): Sums {
  const left = sumOf(ofSide(selection, 'left'));
  const right = sumOf(ofSide(selection, 'right'));
  const currencies = new Set([...selection.values()].map(({ currency }) => currency));
  return {
    left,
    right,
    difference: left - (amountSign === 'opposite' ? -right : right),
    currency: currencies.size === 1 ? ([...currencies][0] ?? null) : null,
    isMixed: currencies.size > 1,
  };
}

/**
 * Finds the record that can be held in part, so that both sides agree: the only one of its side, and larger than the
 * difference. Undefined where there is none.
 */
export function partialRecordOf(selection: Selection, sums: Sums, amountSign: string): PartialRecord | undefined {
  for (const side of ['left', 'right'] as const) {
    const [item, ...others] = ofSide(selection, side);
    const amount = unitsOf(item?.remaining_amount ?? null);
    if (item === undefined || others.length > 0 || amount === null) continue;
    const excess = side === 'left' ? sums.difference : amountSign === 'opposite' ? sums.difference : -sums.difference;
    const held = amount - excess;
    if (excess !== 0n && held !== 0n && held < 0n === amount < 0n && size(held) < size(amount))
      return { item, held, open: excess };
  }
  return undefined;
}

export interface PartialRecord {
  item: Selectable;
  /** Units that the match takes. */
  held: bigint;
  /** Units that stay open. */
  open: bigint;
}

const size = (units: bigint): bigint => (units < 0n ? -units : units);
