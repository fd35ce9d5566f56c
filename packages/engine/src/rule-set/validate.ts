import type { Issue, CompositionParams, RuleSetDefinition, RuleSetParams } from '../definition/types';
import { maxSetMembers } from '../composition/limits';
import { scoreScale, defaultGroupSize, effectiveMatchers } from '../definition/defaults';
import { isTimezone } from '../values/zone';
import { blockingIssues } from './validate-blocking';
import {
  expressionIssues,
  fieldPath,
  integerBetween,
  issue,
  maxAmountTolerance,
  numberBetween,
  oneOf,
  present,
} from './checks';
import { locateExpressions } from './references';

const directions = ['left_to_many_right', 'right_to_many_left', 'both', 'one_to_many', 'many_to_one'] as const;
const amountSignNames = ['same', 'opposite'] as const;
const dateStrategies = ['none', 'window', 'after', 'before', 'monthly'] as const;

/** Returns everything that is wrong with a rule set whose types are right; empty when it can be compiled. */
export function validateRuleSet(def: RuleSetDefinition): Issue[] {
  const { params } = def;
  return [
    ...engineIssues(def),
    ...thresholdIssues(params),
    ...numberBetween('/params/windowDays', params.windowDays, 0),
    ...numberBetween('/params/amountTolerancePercent', params.amountTolerancePercent, 0),
    ...numberBetween('/params/amountTolerance', params.amountTolerance, 0, maxAmountTolerance),
    ...oneOf('/params/amountSign', params.amountSign, amountSignNames),
    ...timezoneIssues(params),
    ...oneOf('/params/assignment', params.assignment, ['none', 'one_to_one']),
    ...integerBetween('/params/maxPossiblePerRecord', params.maxPossiblePerRecord, 1, 100),
    ...matcherIssues(params),
    ...blockingIssues(params),
    ...compositionIssues('/params/composition', params.composition ?? {}),
    ...evidenceIssues('/params/composition/evidence', params),
    ...locateExpressions(def).flatMap(({ path, source }) => expressionIssues(path, source)),
  ];
}

function engineIssues(def: RuleSetDefinition): Issue[] {
  const matchers = def.params.matchers ?? [];
  if (def.engine === 'jsonata') {
    return [
      ...(def.jsonataExpr === null
        ? [issue('/jsonataExpr', 'jsonata_expr_required', 'is required for engine jsonata')]
        : []),
      ...(matchers.length > 0
        ? [issue('/params/matchers', 'matchers_not_allowed', 'belong to engine jsonata-batch')]
        : []),
    ];
  }
  if (matchers.length > 0) return [];
  return [issue('/params/matchers', 'matchers_required', 'must hold a matcher for engine jsonata-batch')];
}

function thresholdIssues({ Tmatch, Tpossible }: RuleSetParams): Issue[] {
  const scale = scoreScale(Tmatch);
  return [
    ...numberBetween('/params/Tmatch', Tmatch, 0, scale),
    ...numberBetween('/params/Tpossible', Tpossible, 0),
    ...(Tpossible > Tmatch ? [issue('/params/Tpossible', 'tpossible_gt_tmatch', `must be <= Tmatch (${Tmatch})`)] : []),
  ];
}

function timezoneIssues({ timezone }: RuleSetParams): Issue[] {
  if (timezone === undefined || isTimezone(timezone)) return [];
  return [issue('/params/timezone', 'unknown_timezone', 'must be an IANA time zone, such as UTC or America/Sao_Paulo')];
}

function matcherIssues(params: RuleSetParams): Issue[] {
  const matchers = effectiveMatchers(params);
  const firstOf = new Map<string, number>();
  const issues = matchers.flatMap((matcher, index) => {
    const path = `/params/matchers/${index}`;
    const first = firstOf.get(matcher.id);
    firstOf.set(matcher.id, first ?? index);
    return [
      ...present(`${path}/id`, params.matchers?.[index]?.id),
      ...present(`${path}/name`, params.matchers?.[index]?.name),
      ...(first === undefined
        ? []
        : [issue(`${path}/id`, 'duplicate_matcher_id', `"${matcher.id}" is the id of matcher ${first + 1} too`)]),
      ...numberBetween(`${path}/weight`, matcher.weight, 0),
    ];
  });
  const sum = matchers.reduce((total, matcher) => total + matcher.weight, 0);
  if (matchers.length > 0 && !(sum > 0 && Number.isFinite(sum))) {
    issues.push(issue('/params/matchers', 'weights_sum', 'must have weights whose sum is > 0'));
  }
  return issues;
}

function compositionIssues(path: string, composition: CompositionParams): Issue[] {
  const { partial = {}, installmentDiscovery = {} } = composition;
  const fields = ['amountField', 'groupByField', 'dateFieldLeft', 'dateFieldRight'] as const;
  return [
    ...oneOf(`${path}/direction`, composition.direction, directions),
    ...integerBetween(`${path}/maxGroupSize`, composition.maxGroupSize, 2, maxSetMembers),
    ...numberBetween(`${path}/amountTolerancePercent`, composition.amountTolerancePercent, 0, 100),
    ...numberBetween(`${path}/amountTolerance`, composition.amountTolerance, 0, maxAmountTolerance),
    ...fields.flatMap((field) => fieldPath(`${path}/${field}`, composition[field])),
    ...matchKeyIssues(`${path}/matchKeys`, composition),
    ...oneOf(`${path}/dateStrategy`, composition.dateStrategy, dateStrategies),
    ...numberBetween(`${path}/dateToleranceDays`, composition.dateToleranceDays, 0),
    ...integerBetween(`${path}/partial/minMembers`, partial.minMembers, 1, maxSetMembers),
    ...reachableMinMembers(`${path}/partial/minMembers`, composition),
    ...numberBetween(`${path}/partial/minCompletionRatio`, partial.minCompletionRatio, 0, 1),
    ...numberBetween(`${path}/partial/uniformityRatio`, partial.uniformityRatio, 0, 1),
    ...integerBetween(`${path}/installmentDiscovery/maxDivisor`, installmentDiscovery.maxDivisor, 2, maxSetMembers),
    ...numberBetween(`${path}/installmentDiscovery/divisorTolerance`, installmentDiscovery.divisorTolerance, 0, 0.5),
    ...fieldPath(`${path}/installmentDiscovery/totalCountField`, installmentDiscovery.totalCountField),
    ...fieldPath(`${path}/installmentDiscovery/unitValueField`, installmentDiscovery.unitValueField),
  ];
}

const maxMatchKeys = 8;

function matchKeyIssues(path: string, { matchKeys }: CompositionParams): Issue[] {
  if (matchKeys === undefined) return [];
  if (matchKeys.length === 0 || matchKeys.length > maxMatchKeys)
    return [issue(path, 'out_of_range', `must hold 1 to ${maxMatchKeys} keys`)];
  return matchKeys.flatMap(({ left, right }, at) => [
    ...fieldPath(`${path}/${at}/left`, left),
    ...fieldPath(`${path}/${at}/right`, right),
  ]);
}

function evidenceIssues(path: string, params: RuleSetParams): Issue[] {
  const evidence = params.composition?.evidence;
  if (evidence === undefined) return [];
  const known = effectiveMatchers(params).map(({ id }) => id);
  const named = evidence.matchers;
  return [
    ...(named.length === 0 ? [issue(`${path}/matchers`, 'empty', 'must name a matcher')] : []),
    ...named.flatMap((id, at) => [
      ...(known.includes(id)
        ? []
        : [issue(`${path}/matchers/${at}`, 'unknown_matcher', `must be the id of a matcher: ${known.join(', ')}`)]),
      ...(named.indexOf(id) < at ? [issue(`${path}/matchers/${at}`, 'duplicate', `names "${id}" twice`)] : []),
    ]),
    ...numberBetween(`${path}/weight`, evidence.weight, 0, 1),
  ];
}

/** Checks that a part of a group needs no more members than a group may have. */
function reachableMinMembers(path: string, { maxGroupSize = defaultGroupSize, partial }: CompositionParams): Issue[] {
  const minMembers = partial?.minMembers;
  if (minMembers === undefined || minMembers > maxSetMembers || maxGroupSize < 2 || minMembers <= maxGroupSize)
    return [];
  return [issue(path, 'out_of_range', `must be <= maxGroupSize (${maxGroupSize})`)];
}
