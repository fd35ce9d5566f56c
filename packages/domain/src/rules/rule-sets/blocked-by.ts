import {
  minAmountScale,
  readAmount,
  rescale,
  type AmountReading,
  type BlockingRule,
  type CompiledRuleSet,
  type JsonObject,
  type Side,
} from '@tieout/engine';
import type { ScoredRecord } from '../../kernel/ports';

/** The part of blocking that keeps a pair from being compared. */
export type BlockingPart = 'blocking' | 'window';

/** A record in one rule of blocking. Records without codes have all keys in common. */
interface Place {
  bucket: number;
  day: number;
  amount: AmountReading;
  codes: readonly number[];
}

/** Returns what keeps a pair from being compared; null where blocking lets it through. */
export async function blockedBy(
  compiled: CompiledRuleSet,
  pair: Record<Side, ScoredRecord>,
): Promise<BlockingPart | null> {
  const rules = compiled.listed?.rules.map(({ blocking }) => blocking) ?? [compiled.blocking];
  const places = {
    left: await placesOf(compiled, 'left', pair.left),
    right: await placesOf(compiled, 'right', pair.right),
  };
  const parts = rules.map((rule, at) => partOf(rule, places.left[at] ?? null, places.right[at] ?? null));
  if (parts.includes(null)) return null;
  return parts.includes('window') ? 'window' : 'blocking';
}

async function placesOf(
  compiled: CompiledRuleSet,
  side: Side,
  { value, rest }: ScoredRecord,
): Promise<readonly (Place | null)[]> {
  const amount = amountOf(compiled, side, { value, rest });
  if (compiled.listed !== null) return (await compiled.listed.place(side, value, amount)).places;
  const { day } = compiled.readKeys(side, value);
  const key = compiled.blocking.keyOf({ amount, day });
  return ['reason' in key ? null : { ...key, amount, codes: [] }];
}

function amountOf(
  compiled: CompiledRuleSet,
  side: Side,
  { value, rest }: { value: JsonObject; rest: string | null },
): AmountReading {
  const reading = readAmount(rest);
  if (!reading.ok) return compiled.readKeys(side, value).amount;
  return { ...reading, units: compiled.amountSigns[side] * reading.units };
}

function partOf(rule: BlockingRule, left: Place | null, right: Place | null): BlockingPart | null {
  if (left === null || right === null) return 'blocking';
  const haveKeys = left.codes.length > 0 || right.codes.length > 0;
  if (haveKeys && !left.codes.some((code) => right.codes.includes(code))) return 'blocking';
  if (Math.abs(left.bucket - right.bucket) > rule.bucketWindow) return 'blocking';
  const scale = Math.max(minAmountScale, scaleOf(left.amount), scaleOf(right.amount));
  if (rule.exact && !rule.admits(unitsAt(left.amount, scale), unitsAt(right.amount, scale), scale)) return 'blocking';
  const days = right.day - left.day;
  return rule.blocksOnDay && (days < rule.dayWindow.from || days > rule.dayWindow.to) ? 'window' : null;
}

const scaleOf = (amount: AmountReading): number => (amount.ok ? amount.scale : 0);
const unitsAt = (amount: AmountReading, scale: number): number | null =>
  amount.ok ? rescale(amount.units, amount.scale, scale) : null;
