import type { Side } from '@tieout/engine';
import { fate, type DecidedPairs } from './decide';
import type { LivePairs } from './live';
import type { ScoredPairs } from './pairs';

/** Bins of the histogram; a threshold lies before each of them and after the last one. */
export const scoreBins = 100;

/** Counts what a rule set decides with another threshold. */
export interface ThresholdFigures {
  threshold: number;
  /** Pairs with at least this score; those that people decided on are not among them. */
  pairs: number;
  /** Pairs that are MATCH if this is Tmatch. */
  matches: number;
  /** Records of each side that have a MATCH if this is Tmatch. */
  matched: Record<Side, number>;
  /** Pairs that are POSSIBLE if this is Tpossible and Tmatch stays. */
  possible: number;
  /** Matches that are live or held already; null without a rule set to compare with. */
  live: number | null;
}

export interface ScoreBin {
  from: number;
  to: number;
  pairs: number;
  /** Pairs that win their records: with Tmatch below this bin they are MATCH. */
  matches: number;
}

interface FiguresInput {
  scale: number;
  records: Record<Side, number>;
  pairs: ScoredPairs;
  decided: DecidedPairs;
  live: LivePairs | null;
}

/** Counts pairs by score, from the best one down. */
export function figuresOf(input: FiguresInput): { histogram: ScoreBin[]; thresholds: ThresholdFigures[] } {
  const { scale, records, pairs, live } = input;
  const { fates, wins, order } = input.decided;
  const seen = { left: new Uint8Array(records.left), right: new Uint8Array(records.right) };
  const now: ThresholdFigures = {
    threshold: 0,
    pairs: 0,
    matches: 0,
    matched: { left: 0, right: 0 },
    possible: 0,
    live: live === null ? null : 0,
  };
  const thresholds: ThresholdFigures[] = [];
  let place = 0;
  for (let bin = scoreBins; bin >= 0; bin--) {
    const threshold = (bin * scale) / scoreBins;
    for (; place < order.length; place++) {
      const at = order[place] as number;
      if ((pairs.score[at] as number) < threshold) break;
      if (fates[at] === fate.gone) continue;
      now.pairs++;
      if (fates[at] === fate.possible || fates[at] === fate.low) now.possible++;
      if (wins[at] === 0) continue;
      now.matches++;
      if (live?.hasMatch(pairs.left[at] as number, pairs.right[at] as number)) now.live!++;
      for (const side of ['left', 'right'] as const) {
        const record = pairs[side][at] as number;
        if (seen[side][record] === 1) continue;
        seen[side][record] = 1;
        now.matched[side]++;
      }
    }
    thresholds.push({ ...now, threshold, matched: { ...now.matched } });
  }
  thresholds.reverse();
  const histogram = thresholds.slice(0, -1).map((figures, bin): ScoreBin => {
    const next = thresholds[bin + 1] as ThresholdFigures;
    // The last bin holds the best score itself.
    const above = bin === scoreBins - 1 ? { pairs: 0, matches: 0 } : next;
    const counts = { pairs: figures.pairs - above.pairs, matches: figures.matches - above.matches };
    return { from: figures.threshold, to: next.threshold, ...counts };
  });
  return { histogram, thresholds };
}
