import { roundScore } from '../scoring/scoring';
import type { CompositionSettings } from './settings';
import type { Target } from './target';

/**
 * What a set is worth, from exact integers: each of them is below 2^53. COMPLETE: one less the share of the target that it misses; PARTIAL:
 * the share that it reaches; times the share of its members inside the date rule.
 */
export function scoreOf(
  { scale }: Pick<CompositionSettings, 'scale'>,
  { units, minSum }: Pick<Target, 'units' | 'minSum'>,
  { sum, size, inside }: { sum: number; size: number; inside: number },
): number {
  const reached = sum < minSum ? sum : Math.max(0, units - Math.abs(sum - units));
  return roundScore((scale * (reached * inside)) / (units * size), scale);
}
