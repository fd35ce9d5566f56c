import { amountToNumber } from '../values/decimal';
import { storable } from '../values/json';
import { roundScore } from '../scoring/scoring';
import type { JsonObject } from '../values/types';
import type { CompositeFind } from './best-composite';
import type { TargetSearch } from './target-search';
import { maxOtherSets } from './limits';
import { scoreOf } from './target';
import { targetSide } from './types';
import type { CompositeDirection, CompositionPool, Proposal } from './types';

/** Turns the best set of a target into a proposal. */
export function propose(
  search: TargetSearch,
  find: CompositeFind,
  direction: CompositeDirection,
  pool: Pick<CompositionPool, 'amountScale' | 'groupNames'>,
): Proposal {
  const {
    settings: { thresholds, grouped },
    target,
    members,
    days,
  } = search;
  const sign = target.sign * search.settings.signs[targetSide[direction]];
  const score = scoreOf(search.settings, target, { ...find, size: find.places.length });
  const isMatch =
    find.status === 'COMPLETE' &&
    score >= thresholds.match &&
    find.otherSets === 0 &&
    search.complete &&
    !repeatsPosition(search, find);
  const expected =
    find.expected ??
    (grouped && days !== null ? members.freePlaces(find.group, days, target).length : find.places.length);
  return {
    direction,
    target: target.row,
    members: find.places.map((place) => members.index.row[place] as number),
    kind: find.kind,
    status: find.status,
    decision: isMatch ? 'MATCH' : 'POSSIBLE',
    score,
    expectedMemberCount: expected,
    targetUnits: sign * target.units,
    composedUnits: sign * find.sum,
    spread: find.spread,
    inside: find.inside,
    placed: find.placed,
    ...(search.settings.relation?.usesEvidence === true ? { evidence: find.evidence } : {}),
    explanation: explain(search, find, { ...pool, sign }),
  };
}

/**
 * Returns whether members of one plan hold a position twice: they add up, but are not the plan. The labels decide
 * whether it is one plan. All labelled members must name the same plan, and either all members are labelled or their
 * number equals the number of positions. Members that share a position and differ by more than the rest of a division
 * belong to different plans.
 */
function repeatsPosition({ settings, members: { index } }: TargetSearch, { kind, places }: CompositeFind): boolean {
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
  search: TargetSearch,
  find: CompositeFind,
  { amountScale, groupNames, sign }: Pick<CompositionPool, 'amountScale' | 'groupNames'> & { sign: number },
): JsonObject {
  const {
    settings,
    target,
    members: { index },
  } = search;
  const { kind, sum, status, installments } = find;
  const group = settings.grouped ? groupNames[index.groupCode[find.group] as number] : undefined;
  return {
    scale: settings.scale,
    thresholds: { match: settings.thresholds.match, possible: settings.thresholds.possible },
    kind,
    tolerance: amountToNumber(target.tolerance, amountScale),
    amountDelta: amountToNumber(sign * (sum - target.units) + 0, amountScale),
    search: { candidates: search.candidates, nodes: search.nodes, complete: search.complete },
    ...(find.otherSets > 0 ? { ambiguous: true, otherSets: Math.min(find.otherSets, maxOtherSets) } : {}),
    ...(group === undefined ? {} : { group: storable(group) }),
    ...(settings.dateStrategy === 'none' ? {} : { dates: explainDates(search, find) }),
    ...(installments === undefined ? {} : { installments: explainInstallments(installments, amountScale) }),
    ...(settings.relation?.usesEvidence === true ? { evidence: roundScore(find.evidence) } : {}),
    ...(target.heldUnits === 0 ? {} : { heldAmount: amountToNumber(sign * target.heldUnits, amountScale) }),
    ...(status === 'PARTIAL' ? { completionRatio: roundScore(sum / target.units) } : {}),
  };
}

function explainDates(
  { settings: { dateStrategy, toleranceDays } }: TargetSearch,
  { inside, spread }: CompositeFind,
): JsonObject {
  return { strategy: dateStrategy, toleranceDays, inside, spreadDays: spread };
}

/** Describes a plan; a share of the target is rounded to the smallest unit. */
function explainInstallments(
  { count, unitUnits, positions }: NonNullable<CompositeFind['installments']>,
  amountScale: number,
): JsonObject {
  return {
    count,
    unitValue: amountToNumber(Math.round(unitUnits), amountScale),
    ...(positions === undefined ? {} : { positions: positions.map((position) => (position === 0 ? null : position)) }),
  };
}
