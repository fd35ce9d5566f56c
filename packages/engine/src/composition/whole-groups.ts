import type { DayRange } from './day-ranges';
import { BestFind } from './find';
import type { Find } from './find';
import type { WholeGroup } from './group-sums';
import type { Hunt } from './hunt';
import { maxOtherSets } from './limits';
import { rankOf } from './subsets';

/**
 * The best group that fits as a whole: smallest difference, fewest members, smallest spread, first row. Under `monthly` those that
 * lie in their months as a whole go before all others, and more members inside before a smaller spread.
 */
export function findWholeGroup(hunt: Hunt): Find | null {
  const {
    target: { units, minSum, maxSum },
    members: { sums },
    days,
  } = hunt;
  if (days === null) return null;
  const found = hunt.isMonthly
    ? bestByMonths(hunt, sums.within(minSum, maxSum, days), days)
    : firstOf(hunt, sums.best(units, minSum, maxSum, days, maxOtherSets + 1), days);
  hunt.candidates = found?.places.length ?? 0;
  return found === null || !hunt.admits(found) ? null : found;
}

function firstOf(hunt: Hunt, [best, ...others]: readonly WholeGroup[], days: DayRange): Find | null {
  return best === undefined ? null : { ...wholeOf(hunt, best, days), otherSets: others.length };
}

function bestByMonths(hunt: Hunt, groups: readonly WholeGroup[], days: DayRange): Find | null {
  const [inMonths, any] = [new BestFind(), new BestFind()];
  for (const group of groups) {
    const find = wholeOf(hunt, group, days);
    const best = find.inside === find.places.length ? inMonths : any;
    if (hunt.admits(find)) best.offer(find, rankOf(hunt, find));
  }
  return inMonths.found ?? any.found;
}

function wholeOf(hunt: Hunt, { group, sum, spread }: WholeGroup, days: DayRange): Find {
  const places = hunt.members.freePlaces(group, days);
  return {
    kind: 'group',
    status: 'COMPLETE',
    group,
    places,
    sum,
    spread,
    otherSets: 0,
    keys: null,
    inside: hunt.countInside(places, []),
    placed: 0,
    expected: places.length,
  };
}
