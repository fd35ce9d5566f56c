import { noDay } from '../values/calendar';
import type { DayRange } from './day-ranges';
import { BestComposite } from './best-composite';
import type { CompositeFind } from './best-composite';
import type { WholeGroup } from './group-sums';
import type { TargetSearch } from './target-search';
import { maxOtherSets } from './limits';
import { rankOf } from './subsets';

/**
 * Finds the best group that fits as a whole: smallest difference, fewest members, smallest spread, first row. Under
 * `monthly` groups that lie in their months as a whole win over all others, and more members inside win over a
 * smaller spread.
 */
export function findWholeGroup(search: TargetSearch): CompositeFind | null {
  const {
    target: { units, minSum, maxSum },
    members: { sums },
    days,
  } = search;
  if (days === null) return null;
  const isPart = search.target.evidenceOf !== null || search.isOfKey;
  const found = isPart
    ? bestByMonths(search, wholesOf(search, days), days)
    : search.isMonthly
      ? bestByMonths(search, sums.within(minSum, maxSum, days), days)
      : firstOf(search, sums.best({ target: units, minSum, maxSum, days, limit: maxOtherSets + 1 }), days);
  search.candidates = found?.places.length ?? 0;
  return found === null || !search.reaches(search.settings.thresholds.possible, found) ? null : found;
}

/** Sums the related rows of each group with the match key of the target. */
function wholesOf(search: TargetSearch, days: DayRange): WholeGroup[] {
  const { target, members, groups } = search;
  const found: WholeGroup[] = [];
  for (let group = groups.from; group < groups.to && !search.isSpent(); group++) {
    const places = members.freePlaces(group, days, target);
    search.spend(places.length);
    if (places.length < 2 || places.length > search.settings.maxGroupSize) continue;
    const sum = places.reduce((total, place) => total + (members.index.units[place] as number), 0);
    if (sum < target.minSum || sum > target.maxSum) continue;
    const dated = places.map((place) => members.index.dayAt(place)).filter((day) => day !== noDay);
    const spread = dated.length === 0 ? 0 : Math.max(...dated) - Math.min(...dated);
    const firstRow = Math.min(...places.map((place) => members.index.row[place] as number));
    found.push({ group, sum, size: places.length, spread, firstRow });
  }
  return found;
}

function firstOf(search: TargetSearch, [best, ...others]: readonly WholeGroup[], days: DayRange): CompositeFind | null {
  return best === undefined ? null : { ...wholeOf(search, best, days), otherSets: others.length };
}

function bestByMonths(search: TargetSearch, groups: readonly WholeGroup[], days: DayRange): CompositeFind | null {
  const [inMonths, any] = [new BestComposite(), new BestComposite()];
  for (const group of groups) {
    const find = wholeOf(search, group, days);
    const best = find.inside === find.places.length ? inMonths : any;
    if (search.reaches(search.settings.thresholds.possible, find)) best.offer(find, rankOf(search, find));
  }
  return inMonths.found ?? any.found;
}

function wholeOf(search: TargetSearch, { group, sum, spread }: WholeGroup, days: DayRange): CompositeFind {
  const places = search.members.freePlaces(group, days, search.target);
  return {
    kind: 'group',
    status: 'COMPLETE',
    group,
    places,
    sum,
    spread,
    otherSets: 0,
    keys: null,
    inside: search.countInside(places, []),
    evidence: search.evidenceOf(places),
    placed: 0,
    expected: places.length,
  };
}
