import { amountToNumber } from '../decimal';
import { storable } from '../storable';
import { roundScore } from '../scoring';
import type { JsonObject } from '../types';
import type { Find } from './find';
import type { Hunt } from './hunt';
import { MOST_OTHER_SETS } from './limits';
import type { CompositeDirection, CompositionPool, Proposal } from './types';

/** Null when the score is below Tpossible. */
export function propose(
  hunt: Hunt, find: Find, direction: CompositeDirection, pool: Pick<CompositionPool, 'amountScale' | 'groupNames'>,
): Proposal | null {
  const { settings: { thresholds, grouped }, target, members, days } = hunt;
  const score = scoreOf(hunt, find);
  if (score < thresholds.possible) return null;
  const isMatch = find.status === 'COMPLETE' && score >= thresholds.match && find.otherSets === 0 && hunt.complete && !repeatsPosition(hunt, find);
  const expected = find.expected ?? (grouped && days !== null ? members.freePlaces(find.group, days).length : find.places.length);
  return {
    direction,
    target: target.row,
    members: find.places.map((place) => members.index.row[place] as number),
    kind: find.kind,
    status: find.status,
    decision: isMatch ? 'MATCH' : 'POSSIBLE',
    score,
    expectedMemberCount: expected,
    targetUnits: target.sign * target.units,
    composedUnits: target.sign * find.sum,
    spread: find.spread,
    inside: find.inside,
    placed: find.placed,
    explanation: explain(hunt, find, pool),
  };
}

/** Members of one plan, one of them twice: they add up, but are not the plan. */
function repeatsPosition({ settings, members: { index } }: Hunt, { kind, places }: Find): boolean {
  const [first] = places;
  if (kind !== 'subset' || !settings.installments.enabled || first === undefined || index.totalCount(first) === 0) return false;
  const isOnePlan = places.every((place) => (
    index.totalCount(place) === index.totalCount(first) && Object.is(index.unitValue(place), index.unitValue(first))));
  const positions = places.map((place) => index.position(place)).filter((position) => position > 0);
  return isOnePlan && new Set(positions).size < positions.length;
}

/** From the exact integers: each of them is below 2^53. */
function scoreOf({ settings: { scale }, target: { units } }: Hunt, { status, sum, inside, places }: Find): number {
  const reached = status === 'PARTIAL' ? sum : Math.max(0, units - Math.abs(sum - units));
  return roundScore((scale * (reached * inside)) / (units * places.length), scale);
}

function explain(hunt: Hunt, find: Find, { amountScale, groupNames }: Pick<CompositionPool, 'amountScale' | 'groupNames'>): JsonObject {
  const { settings, target, members: { index } } = hunt;
  const { kind, sum, status, installments } = find;
  const group = settings.grouped ? groupNames[index.groupCode[find.group] as number] : undefined;
  return {
    scale: settings.scale,
    thresholds: { match: settings.thresholds.match, possible: settings.thresholds.possible },
    kind,
    tolerance: amountToNumber(target.tolerance, amountScale),
    amountDelta: amountToNumber(target.sign * (sum - target.units) + 0, amountScale),
    search: { candidates: hunt.candidates, nodes: hunt.nodes, complete: hunt.complete },
    ...(find.otherSets > 0 ? { ambiguous: true, otherSets: Math.min(find.otherSets, MOST_OTHER_SETS) } : {}),
    ...(group === undefined ? {} : { group: storable(group) }),
    ...(settings.dateStrategy === 'none' ? {} : { dates: explainDates(hunt, find) }),
    ...(installments === undefined ? {} : { installments: explainInstallments(installments, amountScale) }),
    ...(status === 'PARTIAL' ? { completionRatio: roundScore(sum / target.units) } : {}),
  };
}

function explainDates({ settings: { dateStrategy, toleranceDays } }: Hunt, { inside, spread }: Find): JsonObject {
  return { strategy: dateStrategy, toleranceDays, inside, spreadDays: spread };
}

/** A share of the target is given to the smallest unit. */
function explainInstallments({ count, unitUnits, positions }: NonNullable<Find['installments']>, amountScale: number): JsonObject {
  return {
    count,
    unitValue: amountToNumber(Math.round(unitUnits), amountScale),
    ...(positions === undefined ? {} : { positions: positions.map((position) => (position === 0 ? null : position)) }),
  };
}
