import type { Side } from '@tieout/engine';
import { pairMark, type PairList } from './pair-list';

/**
 * Takes out the POSSIBLE pairs beyond the best ones of each record of a side. The best
 * have the highest score, then the smallest partner. Returns the number of pairs that are out.
 */
export function cutPossible(pairs: PairList, side: Side, max: number): number {
  const [own, other] = side === 'left' ? [pairs.left, pairs.right] : [pairs.right, pairs.left];
  const isPossible = (pair: number): boolean => !pairs.isMatch(pair) && !pairs.has(pair, pairMark.gone);
  const counts = new Map<number, number>();
  for (let pair = 0; pair < pairs.length; pair++)
    if (isPossible(pair)) counts.set(own[pair] as number, (counts.get(own[pair] as number) ?? 0) + 1);
  const crowded = new Set([...counts].filter(([, count]) => count > max).map(([record]) => record));
  if (crowded.size === 0) return 0;
  const rivals: number[] = [];
  for (let pair = 0; pair < pairs.length; pair++)
    if (isPossible(pair) && crowded.has(own[pair] as number)) rivals.push(pair);
  rivals.sort(
    (one, two) =>
      (own[one] as number) - (own[two] as number) ||
      (pairs.score[two] as number) - (pairs.score[one] as number) ||
      (other[one] as number) - (other[two] as number),
  );
  let cut = 0;
  let place = 0;
  rivals.forEach((pair, at) => {
    place = at > 0 && own[rivals[at - 1] as number] === own[pair] ? place + 1 : 0;
    if (place < max) return;
    pairs.mark(pair, pairMark.gone);
    cut++;
  });
  return cut;
}
