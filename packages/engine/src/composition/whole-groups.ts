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
  const found = search.isMonthly
    ? bestByMonths(search, sums.within(minSum, maxSum, days), days)
    : firstOf(search, sums.best({ target: units, minSum, maxSum, days, limit: maxOtherSets + 1 }), days);
  search.candidates = found?.places.length ?? 0;
  return found === null || !search.admits(found) ? null : found;
}

function firstOf(search: TargetSearch, [best, ...others]: readonly WholeGroup[], days: DayRange): CompositeFind | null {
  return best === undefined ? null : { ...wholeOf(search, best, days), otherSets: others.length };
}

function bestByMonths(search: TargetSearch, groups: readonly WholeGroup[], days: DayRange): CompositeFind | null {
  const [inMonths, any] = [new BestComposite(), new BestComposite()];
  for (const group of groups) {
    const find = wholeOf(search, group, days);
    const best = find.inside === find.places.length ? inMonths : any;
    if (search.admits(find)) best.offer(find, rankOf(search, find));
  }
  return inMonths.found ?? any.found;
}

function wholeOf(search: TargetSearch, { group, sum, spread }: WholeGroup, days: DayRange): CompositeFind {
  const places = search.members.freePlaces(group, days);
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
    placed: 0,
    expected: places.length,
  };
}
