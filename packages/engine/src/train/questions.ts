import { rank } from './scores';
import type { TrainingPairs } from './types';

const strata = 8;
/** The best pairs are alike: scores above this share of them are one stratum with those just below. */
const surestShare = 0.05;

/** A range of scores, 0..1, with the pairs that win their records there. */
export interface Stratum {
  from: number;
  to: number;
  pairs: number;
  reviewed: number;
}

export interface QuestionInput {
  /** Pairs with one value each, which is their score; in each range of scores, the first ones are asked first. */
  pairs: TrainingPairs;
  isOneToOne: boolean;
  limit: number;
}

/**
 * Chooses undecided pairs that together teach most: about as many of each range of scores, whatever pairs there are in
 * it, those ranges first that have the fewest reviews.
 */
export function chooseQuestions({ pairs, isOneToOne, limit }: QuestionInput): { pair: number; stratum: Stratum }[] {
  const { scores, order, isRival } = rank(pairs, [1], isOneToOne);
  const winners = order.filter((pair) => isRival[pair] !== 1);
  const from = scores[winners.at(-1) ?? -1] ?? 0;
  const to = scores[winners[Math.floor(winners.length * surestShare)] ?? -1] ?? 0;
  const edge = (at: number): number => from + ((to - from) * at) / strata;
  const found = Array.from({ length: strata }, (_, at) => ({
    open: [] as number[],
    taken: 0,
    stratum: { from: edge(at), to: at === strata - 1 ? 1 : edge(at + 1), pairs: 0, reviewed: 0 },
  }));
  for (const pair of winners.sort()) {
    const place = Math.floor((((scores[pair] as number) - from) / Math.max(to - from, 1e-9)) * strata);
    const own = found[Math.max(0, Math.min(strata - 1, place))] as (typeof found)[number];
    own.stratum.pairs++;
    if (pairs.labels[pair] === -1) own.open.push(pair);
    else own.stratum.reviewed++;
  }
  const questions: { pair: number; stratum: Stratum }[] = [];
  while (questions.length < limit) {
    const open = found.filter((one) => one.taken < one.open.length);
    const [first] = open.sort((one, other) => asked(one) - asked(other));
    if (first === undefined) break;
    questions.push({ pair: first.open[first.taken++] as number, stratum: first.stratum });
  }
  return questions;
}

const asked = ({ taken, stratum }: { taken: number; stratum: Stratum }): number => taken + stratum.reviewed;
