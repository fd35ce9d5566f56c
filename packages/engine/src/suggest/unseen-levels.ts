import type { Comparison, LearntModel, PairSample } from './types';

/** Returns 1 for each level that pairs are at, else 0. */
export function levelsOf(held: Uint8Array, count: number): Uint8Array {
  const seen = new Uint8Array(count);
  for (const level of held) seen[level] = 1;
  return seen;
}

/**
 * Returns a model in which levels that no candidate is at do not convince: the weights that were learnt for them come
 * from the half pair that is added to each level. They weigh nothing, or what they were learnt to weigh against a match
 * where other pairs are at them. In an ordered comparison they stay between the levels beside them that candidates are
 * at. No score changes: no candidate has such a level.
 */
export function withoutUnseen(
  { levels: held, seen }: Pick<PairSample, 'levels' | 'seen'>,
  comparisons: readonly Comparison[],
  model: LearntModel,
): LearntModel {
  const weights = comparisons.map(({ levels, isOrdered }, at) => {
    const known = levelsOf(held[at] as Uint8Array, levels.length);
    const own = model.weights[at] as Float64Array;
    const isKept = (level: number): boolean => known[level] === 1 && levels[level]?.isMissing === false;
    return own.map((weight, level) => {
      if (known[level] === 1) return weight;
      const alone = seen?.[at]?.[level] === 1 ? Math.min(weight, 0) : 0;
      if (!isOrdered || levels[level]?.isMissing === true) return alone;
      const before = own.findLast((_, one) => one < level && isKept(one)) ?? Infinity;
      const after = own.find((_, one) => one > level && isKept(one)) ?? -Infinity;
      return Math.max(after, Math.min(before, alone));
    });
  });
  return { ...model, weights };
}

/** A pair without values stays below a threshold by more than scores are rounded by. */
const margin = 0.01;

/**
 * Returns a model by which a pair without any value is no match. Where nearly all records have partners, a match needs
 * no evidence: what it lacks is taken from the levels of missing values that no candidate is at. No score changes.
 *
 * @param match the score of MATCH
 */
export function withoutFreeMatches(
  { levels: held }: Pick<PairSample, 'levels'>,
  comparisons: readonly Comparison[],
  model: LearntModel,
  match: number,
): LearntModel {
  // The first level for missing values is that of records without any.
  const places = comparisons.map(({ levels }) =>
    Math.max(
      0,
      levels.findIndex(({ isMissing }) => isMissing),
    ),
  );
  const isFree = comparisons.map(({ levels }, at) => {
    const level = places[at] as number;
    return levels[level]?.isMissing === true && levelsOf(held[at] as Uint8Array, levels.length)[level] !== 1;
  });
  const known = places.reduce((sum, level, at) => (isFree[at] ? sum : sum + (model.weights[at]?.[level] as number)), 0);
  const share = (known + margin - match) / isFree.filter(Boolean).length;
  if (share <= 0) return model;
  const weights = model.weights.map((own, at) =>
    own.map((weight, level) => (isFree[at] && level === places[at] ? Math.min(weight, -share) : weight)),
  );
  return { ...model, weights };
}
