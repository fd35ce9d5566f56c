import { textHash } from '../values/text-hash';
import { wordsOf } from '../expression/functions/word-cosine';
import type { JsonObject, Side } from '../values/types';
import { alignFields } from './align';
import { dayAt, numberAt, profileFields, textAt } from './fields';
import type { Sides } from './anchors';
import type { FieldPair } from './types';

/** A part of the records of both sides. */
export interface Slice {
  /** All paths of records that `keeps` reads, by side. */
  paths: Record<Side, readonly string[]>;
  keeps: (side: Side, record: JsonObject) => boolean;
}

/** Parts by which amounts of partners differ at most, and days: the widest that leaves the right side small enough. */
const amountMargins = [0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03] as const;
const dayMargins = [35, 21, 14, 10, 7, 5, 3] as const;
const minFill = 0.9;
const minDistinct = 0.2;
/** Words of a larger share of the records would put all of them into the slice. */
const maxWordShare = 0.02;

/**
 * Chooses a part of two datasets that holds records together with their partners, by two random samples: records with
 * amounts of one range, or days of one period, with a margin on the right; else those with one of some words.
 * @param share the part of the left records that the slice should have
 * @param maxRightShare the part of the right ones that it may have
 */
export function chooseSlice(samples: Sides, share: number, maxRightShare = 1): Slice {
  if (share >= 1) return { paths: { left: [], right: [] }, keeps: () => true };
  const pairs = alignFields(samples, {
    left: profileFields(samples.left),
    right: profileFields(samples.right),
  });
  const isFull = ({ left, right }: FieldPair): boolean => Math.min(left.fill, right.fill) >= minFill;
  const amounts = pairs.find(
    (pair) =>
      pair.kind === 'number' && isFull(pair) && Math.min(pair.left.distinct, pair.right.distinct) >= minDistinct,
  );
  if (amounts !== undefined) {
    const value = (record: JsonObject, path: string): number => Math.abs(numberAt(record, path));
    return byRange(samples, amounts, {
      value,
      share,
      maxRightShare,
      widen: (from, to) => amountMargins.map((margin) => [from * (1 - margin), to / (1 - margin)]),
    });
  }
  const days = pairs.find((pair) => pair.kind === 'date' && isFull(pair));
  if (days !== undefined)
    return byRange(samples, days, {
      value: dayAt,
      share,
      maxRightShare,
      widen: (from, to) => dayMargins.map((margin) => [from - margin, to + margin]),
    });
  return byWords(samples, pairs, share);
}

interface RangeOptions {
  value: (record: JsonObject, path: string) => number;
  share: number;
  maxRightShare: number;
  /** Returns wider ranges, the widest first. */
  widen: (from: number, to: number) => [number, number][];
}

function byRange(samples: Sides, pair: FieldPair, { value, share, maxRightShare, widen }: RangeOptions): Slice {
  const values = Float64Array.from(samples.left, (record) => value(record, pair.left.path))
    .filter((one) => !Number.isNaN(one))
    .sort();
  const first = Math.floor((values.length * (1 - share)) / 2);
  const from = values[first] ?? 0;
  const to = values[Math.min(values.length - 1, first + Math.floor(values.length * share))] ?? 0;
  const rights = samples.right.map((record) => value(record, pair.right.path));
  const isSmall = ([low, high]: [number, number]): boolean =>
    rights.filter((one) => one >= low && one <= high).length <= maxRightShare * rights.length;
  const ranges = widen(from, to);
  const [low, high] = ranges.find(isSmall) ?? ranges.at(-1) ?? [from, to];
  return {
    paths: pathsOf([pair]),
    keeps: (side, record) => {
      const own = value(record, pair[side].path);
      return side === 'left' ? own >= from && own <= to : own >= low && own <= high;
    },
  };
}

function byWords(samples: Sides, pairs: readonly FieldPair[], share: number): Slice {
  const texts = pairs.filter(({ kind }) => kind === 'text' || kind === 'code');
  const wordsIn = (side: Side, record: JsonObject): string[] =>
    texts.flatMap((pair) => [...wordsOf(textAt(record, pair[side].path))]);
  const counts = new Map<string, number>();
  for (const side of ['left', 'right'] as const)
    for (const record of samples[side])
      for (const word of new Set(wordsIn(side, record))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const records = samples.left.length + samples.right.length;
  const isRare = (word: string): boolean => (counts.get(word) ?? 0) <= maxWordShare * records;
  // The hash is uniform, so that the part of the words below a bound grows with the bound.
  const lowest = (side: Side, record: JsonObject): number =>
    wordsIn(side, record)
      .filter(isRare)
      .reduce((min, word) => Math.min(min, textHash(word)), Infinity);
  const bounds = Float64Array.from(samples.left, (record) => lowest('left', record)).sort();
  const bound = bounds[Math.floor(bounds.length * share)] ?? Infinity;
  return { paths: pathsOf(texts), keeps: (side, record) => lowest(side, record) < bound };
}

const pathsOf = (pairs: readonly FieldPair[]): Slice['paths'] => ({
  left: pairs.map(({ left }) => left.path),
  right: pairs.map(({ right }) => right.path),
});
