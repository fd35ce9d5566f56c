import { locateKeys } from '../blocking/key-expressions';
import { blockingParts } from '../definition/keys';
import type { BlockingKeyParams, BlockingParams, BlockingRuleParams, Issue, RuleSetParams } from '../definition/types';
import { parseExpression } from '../expression/compile';
import type { Side } from '../values/types';
import {
  expressionIssues,
  fieldPath,
  integerBetween,
  issue,
  maxAmountTolerance,
  numberBetween,
  present,
} from './checks';

const minBucketSize = 0.0001;
/** Bound on rules: the rules of a listed pair are the bits of a byte. */
const maxRules = 8;
const maxKeys = 8;
/** Bound on the similar records that a record finds. */
const maxTop = 50;
/** Bound on a rule's name, which the explanation of every match repeats. */
const maxNameLength = 100;

/** Keys that blocking may have next to its rules: the fields that rules read unless they name their own. */
const fieldKeys = ['amountKey', 'amountKeyLeft', 'amountKeyRight', 'dateKey', 'dateKeyLeft', 'dateKeyRight'] as const;
const besideRules: ReadonlySet<string> = new Set([...fieldKeys, 'enabled', 'rules']);

/** Returns everything that is wrong with blocking. */
export function blockingIssues(params: RuleSetParams): Issue[] {
  const { blocking = {} } = params;
  const path = '/params/blocking';
  const { rules } = blocking;
  return [
    ...ruleIssues(path, params, blocking),
    ...(rules === undefined ? [] : rulesIssues(path, params, rules)),
    ...(rules === undefined ? [] : keysBesideRules(path, blocking)),
    ...locateKeys(params).flatMap(({ path: at, source, sides }) => {
      const faults = expressionIssues(at, source);
      if (faults.length > 0) return faults;
      const [side, other] = sides;
      return other === undefined ? namesOther(at, source, side) : namesSide(at, source);
    }),
  ];
}

function rulesIssues(path: string, params: RuleSetParams, rules: readonly BlockingRuleParams[]): Issue[] {
  if (rules.length === 0 || rules.length > maxRules)
    return [issue(`${path}/rules`, 'out_of_range', `must hold 1 to ${maxRules} rules`)];
  return rules.flatMap((rule, at) => {
    const faults = ruleIssues(`${path}/rules/${at}`, params, rule);
    return faults.length > 0 ? faults : missingCondition(`${path}/rules/${at}`, params, rule);
  });
}

/** Refuses a rule without a condition, because it would make the others useless. */
function missingCondition(path: string, params: RuleSetParams, rule: BlockingRuleParams): Issue[] {
  const { amount, dayWindow } = blockingParts({ ...params, blocking: { ...rule, enabled: true } });
  if (rule.keys !== undefined || rule.text !== undefined || amount !== null || dayWindow !== null) return [];
  const message =
    'must have a condition: keys, text, an amountKey, amountTolerance or amountBucketSize, or dateToleranceDays; a ' +
    'dateKey without another key needs one of windowDays, dateToleranceDays, dateFromDays and dateToDays';
  return [issue(path, 'no_condition', message)];
}

function keysBesideRules(path: string, blocking: BlockingParams): Issue[] {
  return Object.entries(blocking).flatMap(([key, value]) =>
    value === undefined || besideRules.has(key)
      ? []
      : [issue(`${path}/${key}`, 'belongs_in_rule', 'must be in a rule where blocking has rules')],
  );
}

function ruleIssues(path: string, params: RuleSetParams, rule: BlockingRuleParams): Issue[] {
  const { name = '', keys, text } = rule;
  return [
    ...present(`${path}/name`, rule.name),
    ...(name.length > maxNameLength
      ? [issue(`${path}/name`, 'too_long', `must have at most ${maxNameLength} characters`)]
      : []),
    ...fieldKeys.flatMap((key) => fieldPath(`${path}/${key}`, rule[key])),
    ...numberBetween(`${path}/amountTolerancePercent`, rule.amountTolerancePercent, 0),
    ...numberBetween(`${path}/amountTolerance`, rule.amountTolerance, 0, maxAmountTolerance),
    ...numberBetween(`${path}/amountBucketSize`, rule.amountBucketSize, minBucketSize),
    ...numberBetween(`${path}/amountBucketWindow`, rule.amountBucketWindow, 0),
    ...numberBetween(`${path}/dateToleranceDays`, rule.dateToleranceDays, 0),
    ...dayWindowIssues(path, params, rule),
    ...(keys === undefined ? [] : keysIssues(`${path}/keys`, keys)),
    ...integerBetween(`${path}/text/top`, text?.top, 1, maxTop),
    ...numberBetween(`${path}/text/maxDocumentShare`, text?.maxDocumentShare, 0, 1),
  ];
}

const maxDays = 4_000_000;

function dayWindowIssues(path: string, { windowDays }: RuleSetParams, rule: BlockingRuleParams): Issue[] {
  const { dateFromDays, dateToDays, dateToleranceDays = windowDays } = rule;
  const given = (['dateFromDays', 'dateToDays'] as const).filter((key) => rule[key] !== undefined);
  const faults = given.flatMap((key) => numberBetween(`${path}/${key}`, rule[key], -maxDays, maxDays));
  if (faults.length > 0 || given.length === 0) return faults;
  const from = dateFromDays ?? (dateToleranceDays === undefined ? undefined : -dateToleranceDays);
  const to = dateToDays ?? dateToleranceDays;
  if (from === undefined) return [issue(`${path}/dateFromDays`, 'required', 'is required with dateToDays')];
  if (to === undefined) return [issue(`${path}/dateToDays`, 'required', 'is required with dateFromDays')];
  if (Math.ceil(from) <= Math.floor(to)) return [];
  return [issue(`${path}/dateToDays`, 'out_of_range', `must be >= dateFromDays (${from}), in whole days`)];
}

function keysIssues(path: string, keys: readonly BlockingKeyParams[]): Issue[] {
  if (keys.length === 0 || keys.length > maxKeys)
    return [issue(path, 'out_of_range', `must hold 1 to ${maxKeys} keys`)];
  return keys.flatMap(({ left, right, expr }, at) => {
    const isPair = left !== undefined && right !== undefined && expr === undefined;
    const isOne = expr !== undefined && left === undefined && right === undefined;
    return isPair || isOne ? [] : [issue(`${path}/${at}`, 'one_of', 'must have left and right, or only expr')];
  });
}

/** Refuses an expression that applies to one side but names the other: it would give nothing for every record. */
function namesOther(path: string, source: string, side: Side | undefined): Issue[] {
  const other = side === 'left' ? 'right' : 'left';
  const { all, keys } = parseExpression(source).references[other];
  if (all || keys.length === 0) return [];
  const message =
    `reads ${side} records and names ${other}: name fields of this side ` + `(${side}.${other} for one named ${other})`;
  return [issue(path, 'names_side', message)];
}

/** Refuses an expression that applies to both sides but names one of them. */
function namesSide(path: string, source: string): Issue[] {
  const { left, right } = parseExpression(source).references;
  const named = [left, right].some(({ all, keys }) => all || keys.length > 0);
  if (!named) return [];
  return [issue(path, 'names_side', 'names a side: give left and right in place of expr, or leave the side out')];
}
