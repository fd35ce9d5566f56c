/** A pair that a job kept. */
export interface ScoredPair {
  /** Numbers of its two records, counted from 0 on each side. */
  left: number;
  right: number;
  score: number;
  /** Holds for a pair that belongs together. */
  isTrue: boolean;
  isMatch: boolean;
}

/** Figures of a choice of pairs; null where nothing was chosen, or nothing belongs together. */
export interface Quality {
  pairs: number;
  truePairs: number;
  precision: number | null;
  recall: number | null;
  f1: number | null;
}

export interface ThresholdQuality extends Quality {
  threshold: number;
  oneToOne: Quality;
}

/** @param all number of pairs that belong together */
export function qualityOf(pairs: number, truePairs: number, all: number): Quality {
  const precision = pairs === 0 ? null : truePairs / pairs;
  const recall = all === 0 ? null : truePairs / all;
  const f1 = precision === null || recall === null ? null : truePairs === 0 ? 0 : (2 * truePairs) / (pairs + all);
  return { pairs, truePairs, precision, recall, f1 };
}

/** Returns a function that says of each pair whether both of its records are free, and takes them. */
function oneForEach(): (pair: ScoredPair) => boolean {
  const taken = { left: new Set<number>(), right: new Set<number>() };
  return ({ left, right }) => {
    if (taken.left.has(left) || taken.right.has(right)) return false;
    taken.left.add(left);
    taken.right.add(right);
    return true;
  };
}

const steps = 100;

/**
 * Measures what each threshold of a hundred steps would match, from the lowest one at which pairs were kept: all pairs,
 * and one to one, where a better pair takes its records. @param sorted pairs by descending score
 */
export function byThreshold(
  sorted: readonly ScoredPair[],
  { scale, lowest, all }: { scale: number; lowest: number; all: number },
): ThresholdQuality[] {
  const found: ThresholdQuality[] = [];
  const takes = oneForEach();
  const counts = { pairs: 0, truePairs: 0, chosen: 0, trueChosen: 0 };
  let at = 0;
  for (let step = steps; step >= 0; step--) {
    const threshold = (step * scale) / steps;
    if (threshold < lowest) break;
    for (; at < sorted.length && (sorted[at] as ScoredPair).score >= threshold; at++) {
      const pair = sorted[at] as ScoredPair;
      const { isTrue } = pair;
      counts.pairs++;
      if (isTrue) counts.truePairs++;
      if (!takes(pair)) continue;
      counts.chosen++;
      if (isTrue) counts.trueChosen++;
    }
    found.push({
      threshold,
      ...qualityOf(counts.pairs, counts.truePairs, all),
      oneToOne: qualityOf(counts.chosen, counts.trueChosen, all),
    });
  }
  return found.reverse();
}

/** Measures the matches, each record in its best one only. @param sorted pairs by descending score */
export function oneToOne(sorted: readonly ScoredPair[], all: number): Quality {
  const takes = oneForEach();
  let pairs = 0;
  let truePairs = 0;
  for (const pair of sorted) {
    if (!pair.isMatch || !takes(pair)) continue;
    pairs++;
    if (pair.isTrue) truePairs++;
  }
  return qualityOf(pairs, truePairs, all);
}
