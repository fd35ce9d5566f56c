import { amountToNumber } from '../values/decimal';
import { storable } from '../values/storable';
import { roundScore } from '../scoring/scoring';
import type { JsonObject } from '../values/types';
import type { Find } from './find';
import type { Hunt } from './hunt';
import { maxOtherSets } from './limits';
import { scoreOf } from './score';
import type { CompositeDirection, CompositionPool, Proposal } from './types';

export function propose(
  hunt: Hunt,
  find: Find,
  direction: CompositeDirection,
  pool: Pick<CompositionPool, 'amountScale' | 'groupNames'>,
): Proposal {
  const {
    settings: { thresholds, grouped },
    target,
    members,
    days,
  } = hunt;
  const score = scoreOf(hunt.settings, target, { ...find, size: find.places.length });
  const isMatch =
    find.status === 'COMPLETE' &&
    score >= thresholds.match &&
    find.otherSets === 0 &&
    hunt.complete &&
    !repeatsPosition(hunt, find);
  const expected =
    find.expected ?? (grouped && days !== null ? members.freePlaces(find.group, days).length : find.places.length);
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

/**
 * Members of one plan, a position of it twice: they add up, but are not the plan. Without the labels they are one: all that have a
 * label name the same plan, and either all have one or they are as many as the plan has positions. What shares a position and differs
 * by more than the rest of a division is of different plans.
 */
function repeatsPosition({ settings, members: { index } }: Hunt, { kind, places }: Find): boolean {
  if (kind === 'installments' || !settings.installments.enabled) return false;
  const labelled = places.filter((place) => index.totalCount(place) > 0);
  const [first] = labelled;
  if (first === undefined) return false;
  const count = index.totalCount(first);
  if (labelled.length < places.length && places.length !== count) return false;
  const values = new Set(labelled.map((place) => index.unitValue(place)).filter((value) => !Number.isNaN(value)));
  if (values.size > 1 || labelled.some((place) => index.totalCount(place) !== count)) return false;
  const byPosition = labelled
    .filter((place) => index.position(place) > 0)
    .sort(
      (one, other) =>
        index.position(one) - index.position(other) || (index.units[one] as number) - (index.units[other] as number),
    );
  return byPosition.some((place, at) => {
    const before = byPosition[at - 1];
    return (
      before !== undefined &&
      index.position(before) === index.position(place) &&
      (index.units[place] as number) - (index.units[before] as number) <= count
    );
  });
}

function explain(
  hunt: Hunt,
  find: Find,
  { amountScale, groupNames }: Pick<CompositionPool, 'amountScale' | 'groupNames'>,
): JsonObject {
  const {
    settings,
    target,
    members: { index },
  } = hunt;
  const { kind, sum, status, installments } = find;
  const group = settings.grouped ? groupNames[index.groupCode[find.group] as number] : undefined;
  return {
    scale: settings.scale,
    thresholds: { match: settings.thresholds.match, possible: settings.thresholds.possible },
    kind,
    tolerance: amountToNumber(target.tolerance, amountScale),
    amountDelta: amountToNumber(target.sign * (sum - target.units) + 0, amountScale),
    search: { candidates: hunt.candidates, nodes: hunt.nodes, complete: hunt.complete },
    ...(find.otherSets > 0 ? { ambiguous: true, otherSets: Math.min(find.otherSets, maxOtherSets) } : {}),
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
function explainInstallments(
  { count, unitUnits, positions }: NonNullable<Find['installments']>,
  amountScale: number,
): JsonObject {
  return {
    count,
    unitValue: amountToNumber(Math.round(unitUnits), amountScale),
    ...(positions === undefined ? {} : { positions: positions.map((position) => (position === 0 ? null : position)) }),
  };
}
