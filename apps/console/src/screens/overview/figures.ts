import type { Summary } from '../../api/reconciliations';
import { unitsOf } from '../../text/format';

type Side = Summary['left'];

const sides = ({ left, right }: Summary): readonly Side[] => [left, right];

/** The share of all records of both sides that groups hold; null where there is none to hold. */
export function matchedByCount(summary: Summary): number | null {
  const held = sides(summary).reduce((sum, side) => sum + side.held.count, 0);
  const all = sides(summary).reduce((sum, side) => sum + side.records.count - side.excluded.count, 0);
  return all === 0 ? null : held / all;
}

type Totals = Side['held'];

/** The sizes of amounts, added up. Currencies are not added to each other: only one can have a share. */
function sizeOf({ amounts }: Totals, currency: string | null): bigint {
  const units = unitsOf(amounts?.find((one) => one.currency === currency)?.amount ?? 0) ?? 0n;
  return units < 0n ? -units : units;
}

/** The share of the amount of both sides that groups hold; null where the records have several currencies or none. */
export function matchedByAmount(summary: Summary): number | null {
  const currencies = new Set(
    sides(summary).flatMap((side) => (side.records.amounts ?? []).map(({ currency }) => currency)),
  );
  const [currency] = currencies;
  if (currencies.size !== 1 || currency === undefined) return null;
  const sum = (part: (side: Side) => bigint): bigint => sides(summary).reduce((total, side) => total + part(side), 0n);
  const open = sum((side) => sizeOf(side.open, currency));
  const held = sum((side) => sizeOf(side.held, currency));
  return open + held === 0n ? null : Number((held * 10_000n) / (open + held)) / 10_000;
}

/** The open items of both sides by age, the youngest first. */
export function ageingOf({ left, right }: Summary): { days: string; count: number }[] {
  return left.ageing.map(({ days, count }, at) => ({ days, count: count + (right.ageing[at]?.count ?? 0) }));
}
