import type { RuleParams } from '../../api/rules';
import type { TriedRules } from '../../api/simulations';
import type { HistogramBin } from './draft';

type TriedChanges = NonNullable<TriedRules['changes']>;

/** Pairs that come, go or change their decision: how many of each are matches, and how many suggestions. */
export type CountsOfChanges = Record<'new' | 'lost' | 'changed', readonly [matches: number, possible: number]>;

export const changesOf = ({ new: fresh, lost, changed }: TriedChanges): CountsOfChanges => ({
  new: [fresh.MATCH, fresh.POSSIBLE],
  lost: [lost.MATCH, lost.POSSIBLE],
  changed: [changed.to_match, changed.to_possible],
});

export type TriedThresholds = Pick<RuleParams, 'Tmatch' | 'Tpossible'>;

/** The decisions that rules would make, and how many of them are held already. */
export interface TrialFigures {
  matches: number;
  possible: number;
  others: number;
  errors: number;
  /**
   * Matches that are not live, and live ones that would be none: nearly right, and told of moved thresholds alone. null
   * where there is nothing to compare with.
   */
  newMatches: number | null;
  lostMatches: number | null;
  /** Counted again for thresholds that have been moved since: nearly right. */
  isEstimate: boolean;
}

/** The figures of a trial for thresholds that were moved since it was asked for. */
export function figuresAt(answer: TriedRules, asked: TriedThresholds, now: TriedThresholds): TrialFigures {
  const { decision_counts: counts, scale, thresholds, changes, pairs } = answer;
  const at = (threshold: number) =>
    thresholds[Math.max(0, Math.min(thresholds.length - 1, Math.round((threshold / scale) * (thresholds.length - 1))))];
  const [upper, lower] = [at(now.Tmatch), at(now.Tpossible)];
  const isSame = asked.Tmatch === now.Tmatch;
  const isEstimate = !isSame || asked.Tpossible !== now.Tpossible;
  const matches = isSame ? counts.MATCH : (upper?.matches ?? 0);
  const possible = !isEstimate
    ? counts.POSSIBLE
    : isSame
      ? (lower?.possible ?? 0)
      : Math.max(0, (lower?.pairs ?? 0) - matches);
  const kept = Math.min(matches, upper?.live ?? 0);
  return {
    matches,
    possible,
    others: Math.max(0, pairs - matches - possible - counts.ERROR),
    errors: counts.ERROR,
    newMatches: changes && matches - kept,
    lostMatches: changes && Math.max(0, changes.live.MATCH - kept),
    isEstimate,
  };
}

/** Merges the bins of a trial into fewer, wider ones, and counts them by the present thresholds. */
export function widerBins(histogram: TriedRules['histogram'], now: TriedThresholds, bins = 50): HistogramBin[] {
  const each = Math.max(1, Math.ceil(histogram.length / bins));
  const found: HistogramBin[] = [];
  for (let at = 0; at < histogram.length; at += each) {
    const some = histogram.slice(at, at + each);
    const wide = { from: some[0]?.from ?? 0, to: some.at(-1)?.to ?? 0, matches: 0, possible: 0, others: 0 };
    for (const { from, pairs } of some) {
      if (from >= now.Tmatch) wide.matches += pairs;
      else if (from >= now.Tpossible) wide.possible += pairs;
      else wide.others += pairs;
    }
    found.push(wide);
  }
  return found;
}
