import { BestFind } from './find';
import type { Find, FindRank } from './find';
import type { FoundSet, Hunt, Pass, SetLimits } from './hunt';

/** What it costs to look into a group, besides a node for each of its rows. */
const nodesPerGroup = 50;

/** The best set of 2 to maxGroupSize members within the tolerance. */
export function findSubsetOf(hunt: Hunt): Find | null {
  const { target, settings } = hunt;
  return bestSet(hunt, 'COMPLETE', {
    minSum: target.minSum,
    maxSum: target.maxSum,
    minMembers: 2,
    maxMembers: settings.maxGroupSize,
    uniformity: 0,
  });
}

/** What comes nearest to the target from below. */
export function findPartial(hunt: Hunt): Find | null {
  const { settings } = hunt;
  const limits = partialLimits(hunt, settings.maxGroupSize);
  return limits === null ? null : bestSet(hunt, 'PARTIAL', limits);
}

/** Null when no set can be partial. */
export function partialLimits(
  { target, settings: { partial, minPartialSum } }: Hunt,
  maxMembers: number,
): SetLimits | null {
  // What adds up to nothing is no part.
  const minSum = Math.max(1, minPartialSum(target.units));
  const maxSum = target.minSum - 1;
  if (maxSum < minSum || partial.minMembers > maxMembers) return null;
  return { minSum, maxSum, minMembers: partial.minMembers, maxMembers, uniformity: partial.uniformityRatio };
}

function bestSet(hunt: Hunt, status: Find['status'], limits: SetLimits): Find | null {
  for (const pass of hunt.passes(hunt.settings.maxGroupSize)) {
    const found = hunt.settings.grouped
      ? bestOfGroups(hunt, status, limits, pass)
      : inGroup(hunt, 0, status, limits, pass);
    if (found !== null) return found;
  }
  return null;
}

function bestOfGroups(hunt: Hunt, status: Find['status'], limits: SetLimits, pass: Pass): Find | null {
  const { target, members } = hunt;
  const best = new BestFind();
  let candidates = 0;
  for (const group of members.groupsWithin(pass.days, limits.minSum)) {
    if (hunt.isSpent()) break;
    const found = inGroup(hunt, group, status, narrowed(limits, target.units, best), pass);
    candidates += hunt.candidates;
    hunt.spend(nodesPerGroup + hunt.candidates);
    if (found !== null) best.offer(found, rankOf(hunt, found));
  }
  hunt.candidates = candidates;
  return best.found;
}

export function rankOf(
  { target, members: { index } }: Hunt,
  { places, sum, spread, inside, placed }: FoundSet,
): FindRank {
  return {
    delta: Math.abs(sum - target.units),
    size: places.length,
    unplaced: places.length - placed,
    outside: places.length - inside,
    spread,
    firstRow: Math.min(...places.map((place) => index.row[place] as number)),
    order: places.map((place) => index.rank[place] as number).sort((one, other) => one - other),
  };
}

/** What can still be as good as the best so far. */
export function narrowed(limits: SetLimits, target: number, { rank }: BestFind): SetLimits {
  if (rank === null) return limits;
  return {
    ...limits,
    minSum: Math.max(limits.minSum, target - rank.delta),
    maxSum: Math.min(limits.maxSum, target + rank.delta),
    maxMembers: rank.delta === 0 ? Math.min(rank.size, limits.maxMembers) : limits.maxMembers,
  };
}

function inGroup(hunt: Hunt, group: number, status: Find['status'], limits: SetLimits, pass: Pass): Find | null {
  const { candidates, index } = hunt.members;
  hunt.candidates = 0;
  if (index.groups === 0) return null;
  candidates.gather(hunt.target, group, pass.days);
  hunt.candidates = candidates.count;
  if (candidates.truncated) hunt.complete = false;
  const found = hunt.search(candidates, limits, pass);
  if (found === null) return null;
  return { ...found, kind: status === 'PARTIAL' ? 'partial' : 'subset', status, group, expected: null };
}
