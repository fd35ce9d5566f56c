import { NO_DAY } from '../pairs/types';
import type { Find } from './find';
import type { Hunt } from './hunt';
import { MOST_OTHER_SETS } from './limits';
import { LAST_DAY } from './many-index';
import { countInside } from './month-slots';

/** The best group that fits as a whole: smallest difference, fewest members, smallest spread, first row. */
export function findWholeGroup(hunt: Hunt): Find | null {
  const { target, members, days } = hunt;
  if (days === null) return null;
  const [best, ...others] = members.sums.best(target.units, target.least, target.most, days, MOST_OTHER_SETS + 1);
  if (best === undefined) return null;
  const { index } = members;
  const places = members.freePlaces(best.group, days);
  hunt.candidates = places.length;
  const memberDays = places.map((place) => (index.day[place] === LAST_DAY ? NO_DAY : (index.day[place] as number)));
  return {
    kind: 'group',
    status: 'COMPLETE',
    group: best.group,
    places,
    sum: best.sum,
    spread: best.spread,
    otherSets: others.length,
    inside: hunt.isMonthly ? countInside(memberDays, hunt.slots, hunt.settings.toleranceDays) : places.length,
    expected: places.length,
  };
}
