import { amountFits } from '../blocking/blocking';
import { normalizeText } from '../expression/functions/normalize';
import { readAmount, type AmountReading } from '../values/decimal';
import { readPath } from '../values/json';
import type { JsonObject, Side } from '../values/types';
import { dayAt, numberAt, textAt } from './fields';
import type { FieldPair, FieldProfile } from './types';

/** Shorter values coincide by chance. */
const minValueLength = 6;
const minCodeLength = 5;
/** Codes rarely coincide by chance. */
const enoughCodes = 200;
const isCode = (value: string): boolean => value.length >= minValueLength && /\d/u.test(value) && !/\s/u.test(value);
/** Keys have at least this share of distinct values. */
const minKeyDistinct = 0.9;
const maxKeyWords = 1.6;
/** Relative differences of amounts are counted in bins of 0.5 %. */
const binsPerUnit = 200;

/** Two records that share a value found once on each side: partners, unless by chance. */
export type Anchor = readonly [left: number, right: number];

export interface AnchorDays {
  kind: 'date';
  pair: FieldPair;
  from: number;
  to: number;
  /** Share of the anchors with both dates that lie inside. */
  share: number;
  /** The same of those that are surely partners: see `bestWindows`. */
  ofPartners: number;
}

export interface AnchorAmounts {
  kind: 'amount';
  pair: FieldPair;
  /** Fraction of the larger amount. */
  tolerance: number;
  opposite: boolean;
  /** Share of the anchors that lie inside. */
  share: number;
  /** The same of those that are surely partners: see `bestWindows`. */
  ofPartners: number;
  /** Share of amounts that blocking reads (plain decimals, not too large), on the side where it is lower. */
  read: number;
}

export type Sides = Record<Side, readonly JsonObject[]>;

/** Finds anchors by codes, by whole values too where codes give few, and by amounts where texts give few. */
export function findAnchors(
  sides: Sides,
  profiles: Record<Side, readonly FieldProfile[]>,
  pairs: readonly FieldPair[],
): Anchor[] {
  const texts = (side: Side): FieldProfile[] => profiles[side].filter(({ kind }) => kind === 'text' || kind === 'code');
  const fields = { left: texts('left'), right: texts('right') };
  const valuesIn = (record: JsonObject, side: Side): string[] =>
    fields[side].flatMap(({ path }) => valuesOf(textAt(record, path)));
  const byCode = pairsWithUniqueValue(sides, (record, side) => valuesIn(record, side).filter(isCode));
  if (byCode.length >= enoughCodes) return byCode;
  const anchors = pairsWithUniqueValue(sides, valuesIn);
  if (anchors.length >= 50) return anchors;
  const numbers = pairs.filter(({ kind }) => kind === 'number');
  const byAmount = pairsWithUniqueValue(sides, (record, side) =>
    numbers.map((pair, at) => `${at} ${Math.abs(numberAt(record, pair[side].path))}`),
  );
  return [...anchors, ...byAmount];
}

/** Finds anchors by values, however short, of fields that hold one word and hardly a value twice. */
export function keyAnchors(sides: Sides, pairs: readonly FieldPair[]): Anchor[] {
  const isKey = ({ distinct, words }: FieldProfile): boolean => distinct >= minKeyDistinct && words < maxKeyWords;
  return pairs
    .filter(({ kind, left, right }) => (kind === 'code' || kind === 'text') && isKey(left) && isKey(right))
    .flatMap((pair) =>
      pairsWithUniqueValue(sides, (record, side) => {
        const text = normalizeText(textAt(record, pair[side].path));
        return text === '' ? [] : [text];
      }),
    );
}

/** Returns the values of a text that can identify a record. */
export function valuesOf(text: string): string[] {
  const whole = text.toLowerCase();
  const codes = whole.split(/[\s,;:()[\]"]+/u).filter((word) => word.length >= minCodeLength && /\d/u.test(word));
  return whole.length >= minValueLength ? [whole, ...codes.filter((code) => code !== whole)] : codes;
}

function pairsWithUniqueValue(sides: Sides, valuesOfRecord: (record: JsonObject, side: Side) => string[]): Anchor[] {
  const lefts = onlyHolders(sides, 'left', valuesOfRecord);
  const rights = onlyHolders(sides, 'right', valuesOfRecord);
  const anchors = new Map<string, Anchor>();
  for (const [value, left] of lefts) {
    const right = rights.get(value);
    if (left >= 0 && right !== undefined && right >= 0) anchors.set(`${left} ${right}`, [left, right]);
  }
  return [...anchors.values()];
}

/** Returns the record of each value; -1 where several hold it. */
function onlyHolders(
  sides: Sides,
  side: Side,
  valuesOfRecord: (record: JsonObject, side: Side) => string[],
): Map<string, number> {
  const holders = new Map<string, number>();
  sides[side].forEach((record, at) => {
    for (const value of valuesOfRecord(record, side))
      if (holders.get(value) !== at) holders.set(value, holders.has(value) ? -1 : at);
  });
  return holders;
}

/** Returns the window of days between partners, which anchors have more often than by chance. */
export function dateWindow(sides: Sides, anchors: readonly Anchor[], pair: FieldPair): AnchorDays | null {
  const days = (left: number, right: number): number =>
    dayAt(sides.right[right] as JsonObject, pair.right.path) - dayAt(sides.left[left] as JsonObject, pair.left.path);
  const found = countsAgainstChance(anchors, days);
  if (found === null) return null;
  const edge = (step: -1 | 1): number => edgeOf(found, found.mode, step);
  const [from, to] = [edge(-1), edge(1)];
  const share = shareInside(found, from, to);
  return { kind: 'date', pair, from, to, share, ofPartners: share };
}

/** Returns how far the amounts of partners differ, and whether their signs do. */
export function amountTolerance(sides: Sides, anchors: readonly Anchor[], pair: FieldPair): AnchorAmounts | null {
  const difference =
    (sign: 1 | -1) =>
    (left: number, right: number): number => {
      const one = numberAt(sides.left[left] as JsonObject, pair.left.path);
      const other = sign * numberAt(sides.right[right] as JsonObject, pair.right.path);
      const larger = Math.max(Math.abs(one), Math.abs(other));
      if (one === other) return 0;
      return Math.max(1, Math.round((Math.abs(one - other) / larger) * binsPerUnit));
    };
  const found = ([1, -1] as const).flatMap((sign) => {
    const bins = countsAgainstChance(anchors, difference(sign));
    if (bins === null || bins.mode > binsPerUnit / 10) return [];
    const to = edgeOf(bins, bins.mode, 1);
    const tolerance = to === 0 ? 0 : (to + 0.5) / binsPerUnit;
    const share = shareInside(bins, 0, to);
    return [{ kind: 'amount' as const, pair, tolerance, opposite: sign === -1, share, ofPartners: share }];
  });
  const [best] = found.sort((one, other) => other.share - one.share);
  return best === undefined
    ? null
    : { ...best, read: Math.min(readShare(sides, 'left', pair), readShare(sides, 'right', pair)) };
}

function readShare(sides: Sides, side: Side, pair: FieldPair): number {
  const { path } = pair[side];
  const amounts = sides[side].filter((record) => !Number.isNaN(numberAt(record, path)));
  const read = amounts.filter((record) => isRead(readAmount(readPath(record, path))));
  return read.length / Math.max(1, amounts.length);
}

const isRead = (amount: AmountReading): boolean => amount.ok && amountFits(amount);

/** Counts of each difference: among anchors, and among records that met by chance. */
interface CountsAgainstChance {
  mode: number;
  found: ReadonlyMap<number, number>;
  chance: ReadonlyMap<number, number>;
}

/** Exchanges of partners per anchor, which show what chance gives. */
const exchanges = 8;
const minAnchors = 5;
/** Steps beyond an edge of a window that are counted together, because one alone may be empty. */
const edgeSteps = 4;
/** Differences further than this from the mode are chance. */
const farSteps = 40;

function countsAgainstChance(
  anchors: readonly Anchor[],
  difference: (left: number, right: number) => number,
): CountsAgainstChance | null {
  const found = new Map<number, number>();
  const shuffled = new Map<number, number>();
  const count = (counts: Map<number, number>, value: number, weight: number): void => {
    if (!Number.isNaN(value)) counts.set(value, (counts.get(value) ?? 0) + weight);
  };
  for (const [left, right] of anchors) count(found, difference(left, right), 1);
  anchors.forEach(([left], at) => {
    for (let step = 1; step <= exchanges; step++) {
      const other = anchors[(at + step * 37) % anchors.length] as Anchor;
      if (other[0] !== left) count(shuffled, difference(left, other[1]), 1 / exchanges);
    }
  });
  const [mode, modeCount] = [...found].sort(
    ([one, ones], [other, others]) => others - ones || Math.abs(one) - Math.abs(other) || one - other,
  )[0] ?? [0, 0];
  if (modeCount < minAnchors) return null;
  const far = (counts: ReadonlyMap<number, number>): number =>
    [...counts].reduce((sum, [value, number]) => (Math.abs(value - mode) > farSteps ? sum + number : sum), 0);
  const share = Math.min(1, far(found) / Math.max(1, far(shuffled)));
  const chance = new Map([...shuffled].map(([value, number]) => [value, number * share]));
  if (modeCount < 2 * (chance.get(mode) ?? 0) + 3) return null;
  return { mode, found, chance };
}

/** Walks from the mode to the last value that anchors have more often than by chance. */
function edgeOf({ found, chance }: CountsAgainstChance, mode: number, step: -1 | 1): number {
  const at = (counts: ReadonlyMap<number, number>, value: number): number => counts.get(value) ?? 0;
  const exceeds = (from: number): boolean => {
    let [seen, expected] = [0, 0];
    for (let more = 1; more <= edgeSteps; more++) {
      seen += at(found, from + step * more);
      expected += at(chance, from + step * more);
    }
    return seen > expected + 3 * Math.sqrt(expected) + 1 && seen > 1.5 * expected;
  };
  let value = mode;
  while (exceeds(value)) value += step;
  while (value !== mode && at(found, value) <= 1.5 * at(chance, value)) value -= step;
  return value;
}

/** Returns the share of anchors inside, without those due to chance. */
function shareInside({ found, chance }: CountsAgainstChance, from: number, to: number): number {
  const sum = (isInside: boolean): number => {
    let total = 0;
    for (const [value, count] of found)
      if (!isInside || (value >= from && value <= to)) total += count - (chance.get(value) ?? 0);
    return total;
  };
  return Math.max(0, Math.min(1, sum(true) / Math.max(1, sum(false))));
}
