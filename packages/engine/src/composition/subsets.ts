import { BestComposite, mayImprove } from './best-composite';
import type { CompositeFind, CompositeRank } from './best-composite';
import { findBestSet } from './evidence';
import type { FoundSet, TargetSearch, Pass, SetLimits } from './target-search';

/** Cost of a group in nodes, besides one node for each of its rows. */
const nodesPerGroup = 50;

/** Finds the best set of 2 to maxGroupSize members within the tolerance; a rest may be completed by one member. */
export function findSubsetOf(search: TargetSearch): CompositeFind | null {
  const { target, settings } = search;
  return bestSet(search, 'COMPLETE', {
    minSum: target.minSum,
    maxSum: target.maxSum,
    minMembers: target.minMembers,
    maxMembers: settings.maxGroupSize,
    uniformity: 0,
  });
}

/** Finds the partial set that is nearest to the target from below. */
export function findPartial(search: TargetSearch): CompositeFind | null {
  const { settings } = search;
  const limits = partialLimits(search, settings.maxGroupSize);
  return limits === null ? null : bestSet(search, 'PARTIAL', limits);
}

/** Returns the bounds of a partial set; null when no set can be partial. */
export function partialLimits(
  { target, settings: { partial, minPartialSum } }: TargetSearch,
  maxMembers: number,
): SetLimits | null {
  // A sum of nothing is no part.
  const minSum = Math.max(1, minPartialSum(target.units));
  const maxSum = target.minSum - 1;
  // The members that hold the other part count too.
  const minMembers = target.heldUnits === 0 ? partial.minMembers : 1;
  if (maxSum < minSum || minMembers > maxMembers) return null;
  return { minSum, maxSum, minMembers, maxMembers, uniformity: partial.uniformityRatio };
}

/** A search for sets of one kind in one pass. */
interface SetQuery {
  status: CompositeFind['status'];
  limits: SetLimits;
  pass: Pass;
}

function bestSet(search: TargetSearch, status: CompositeFind['status'], limits: SetLimits): CompositeFind | null {
  for (const pass of search.passes(search.settings.maxGroupSize)) {
    const query = { status, limits, pass };
    const { from, to } = search.groups;
    const found = search.settings.grouped
      ? bestOfGroups(search, query)
      : from < to
        ? bestInGroup(search, from, query)
        : null;
    if (found !== null) return found;
  }
  return null;
}

function bestOfGroups(search: TargetSearch, query: SetQuery): CompositeFind | null {
  const { target, members } = search;
  const best = new BestComposite();
  let candidates = 0;
  for (const group of members.groupsWithin(query.pass.days, query.limits.minSum, target.matchKey)) {
    if (search.isSpent()) break;
    const found = bestInGroup(search, group, { ...query, limits: narrowed(query.limits, target.units, best) });
    candidates += search.candidates;
    search.spend(nodesPerGroup + search.candidates);
    if (found !== null) best.offer(found, rankOf(search, found));
  }
  search.candidates = candidates;
  return best.found;
}

/** Returns the rank of a set among the sets of its target. */
export function rankOf(search: TargetSearch, found: FoundSet): CompositeRank {
  const {
    target,
    settings,
    members: { index },
  } = search;
  const { places, sum, spread, inside, placed, evidence } = found;
  return {
    isWeak: settings.evidenceWeight > 0 && !search.reaches(settings.thresholds.match, found),
    delta: Math.abs(sum - target.units),
    evidence,
    mayRise: target.evidenceOf !== null && evidence < 1,
    size: places.length,
    unplaced: places.length - placed,
    outside: places.length - inside,
    spread,
    firstRow: Math.min(...places.map((place) => index.row[place] as number)),
    order: places.map((place) => index.rank[place] as number).sort((one, other) => one - other),
  };
}

/** Narrows the bounds to sets that can still be as good as the best so far. */
export function narrowed(limits: SetLimits, target: number, { rank }: BestComposite): SetLimits {
  if (rank === null || rank.isWeak) return limits;
  return {
    ...limits,
    minSum: Math.max(limits.minSum, target - rank.delta),
    maxSum: Math.min(limits.maxSum, target + rank.delta),
    maxMembers: mayImprove(rank) ? limits.maxMembers : Math.min(rank.size, limits.maxMembers),
  };
}

function bestInGroup(search: TargetSearch, group: number, { status, limits, pass }: SetQuery): CompositeFind | null {
  const { candidates, index } = search.members;
  search.candidates = 0;
  if (index.groups === 0) return null;
  candidates.gather(search.target, group, pass.days);
  search.candidates = candidates.count;
  if (candidates.truncated) search.complete = false;
  const found = findBestSet(search, candidates, { limits, pass });
  if (found === null) return null;
  return { ...found, kind: status === 'PARTIAL' ? 'partial' : 'subset', status, group, expected: null };
}
