import { rank } from './scores';
import type { TrainingPairs } from './types';

/** Ends of the strata on each side of the threshold, as shares of the way to the last score: the nearest are narrow. */
const ends = [0.1, 0.3, 0.6, 1];
/** The best pairs are alike: scores above this share of them are one stratum with those just below. */
const topShare = 0.05;

/** A range of scores, 0..1, with the pairs in it that are the best of their records. */
export interface Stratum {
  from: number;
  to: number;
  pairs: number;
  reviewed: number;
}

export interface QuestionInput {
  /** Pairs with one value each, which is their score; in each range of scores, the first ones are asked first. */
  pairs: TrainingPairs;
  /** The score of MATCH, 0..1. */
  match: number;
  /** Says of each pair what its matchers say: in each range of scores, pairs that differ are asked first. */
  kinds: readonly string[];
  isOneToOne: boolean;
  limit: number;
}

interface OpenStratum {
  open: number[];
  taken: number;
  stratum: Stratum;
}

/**
 * Chooses undecided pairs that together teach most: about as many of each range of scores, whatever pairs there are in
 * it, those ranges first that have the fewest reviews. Ranges are on both sides of the threshold, and narrow beside it.
 */
export function chooseQuestions(input: QuestionInput): { pair: number; stratum: Stratum }[] {
  const { pairs, isOneToOne, limit, match } = input;
  const { scores, order, isRival } = rank(pairs, [1], isOneToOne);
  const winners = order.filter((pair) => isRival[pair] !== 1);
  const worst = scores[winners.at(-1) ?? -1] ?? 0;
  const surest = scores[winners[Math.floor(winners.length * topShare)] ?? -1] ?? 0;
  const strata = strataOf(match, { worst, surest });
  for (const pair of winners.sort()) {
    const own = stratumOf(strata, scores[pair] as number, match);
    own.stratum.pairs++;
    if (pairs.labels[pair] === -1) own.open.push(pair);
    else own.stratum.reviewed++;
  }
  for (const one of strata) one.open = differentFirst(one.open, input.kinds);
  const questions: { pair: number; stratum: Stratum }[] = [];
  while (questions.length < limit) {
    const open = strata.filter((one) => one.taken < one.open.length);
    const [first] = open.sort((one, other) => asked(one) - asked(other));
    if (first === undefined) break;
    questions.push({ pair: first.open[first.taken++] as number, stratum: first.stratum });
  }
  return questions;
}

/** Returns the ranges of scores, those beside the threshold first, alternately above and below it. */
function strataOf(match: number, { worst, surest }: { worst: number; surest: number }): OpenStratum[] {
  const above = Math.max(0, Math.min(1, surest) - match);
  const below = Math.max(0, match - worst);
  const empty = (from: number, to: number): OpenStratum => ({
    open: [],
    taken: 0,
    stratum: { from, to, pairs: 0, reviewed: 0 },
  });
  return ends.flatMap((end, at) => {
    const start = ends[at - 1] ?? 0;
    const isLast = at === ends.length - 1;
    return [
      empty(match + start * above, isLast ? 1 : match + end * above),
      empty(isLast ? Math.min(worst, match) : match - end * below, match - start * below),
    ];
  });
}

/** Returns the range of a score: the first one on its side whose end is not before it. */
function stratumOf(strata: readonly OpenStratum[], score: number, match: number): OpenStratum {
  const isAbove = score >= match;
  const own = strata.filter((_, at) => (at % 2 === 0) === isAbove);
  const found = own.find(({ stratum: { from, to } }) => (isAbove ? score < to : score >= from));
  return found ?? (own.at(-1) as OpenStratum);
}

/** Returns the first pair of each kind, then the second one of each, and so on. */
function differentFirst(open: readonly number[], kinds: readonly string[]): number[] {
  const seen = new Map<string, number>();
  return open
    .map((pair) => {
      const kind = kinds[pair] ?? '';
      const round = seen.get(kind) ?? 0;
      seen.set(kind, round + 1);
      return { pair, round };
    })
    .sort((one, other) => one.round - other.round)
    .map(({ pair }) => pair);
}

const asked = ({ taken, stratum }: OpenStratum): number => taken + stratum.reviewed;
