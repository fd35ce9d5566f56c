import { recordKeys, type CompositionParams, type RuleSetParams, type Side } from '@tieout/engine';
import type { FieldError } from '@tieout/infra';
import type { RuleSet } from '../../rules/rule-sets';
import type { AmountSignMode, ItemKeys } from './types';

/** The properties of a reconciliation that a pass has to agree with. */
export interface PassFrame {
  datasetIds: Record<Side, readonly string[]>;
  keys: Record<Side, ItemKeys>;
  amountSign: AmountSignMode;
}

/** Returns whether a rule set ties records of one side to each other. */
export const isNetting = ({ leftDatasetId, rightDatasetId }: Pick<RuleSet, 'leftDatasetId' | 'rightDatasetId'>) =>
  leftDatasetId === rightDatasetId;

/** Lists the reasons why a rule set cannot be a pass. @param path of the rule set in the request */
export function passFaults(ruleSet: RuleSet, frame: PassFrame, path: string): FieldError[] {
  const faults: FieldError[] = [];
  const refuse = (key: string, code: string, message: string): void => {
    faults.push({ path, code, message: `rule set ${ruleSet.name} (${ruleSet.id}): ${key} ${message}`, key });
  };
  const { params } = ruleSet;
  const netting = isNetting(ruleSet);
  const { left, right } = frame.datasetIds;
  if (netting) {
    if (!left.includes(ruleSet.leftDatasetId) && !right.includes(ruleSet.leftDatasetId))
      refuse('leftDatasetId', 'other_dataset', 'is a dataset of neither side');
    if (params.composition?.enabled === true)
      refuse('params.composition', 'netting_composition', 'must be off where a dataset is compared with itself');
    if (params.amountSign === 'same')
      refuse('params.amountSign', 'netting_sign', 'must be opposite where a dataset is compared with itself');
  } else {
    if (!left.includes(ruleSet.leftDatasetId))
      refuse('leftDatasetId', 'other_dataset', 'is not a dataset of the left side');
    if (!right.includes(ruleSet.rightDatasetId))
      refuse('rightDatasetId', 'other_dataset', 'is not a dataset of the right side');
    if (params.amountSign !== undefined && params.amountSign !== frame.amountSign)
      refuse('params.amountSign', 'other_sign', `must be ${frame.amountSign} or left out, as in the reconciliation`);
  }
  if (params.assignment !== 'one_to_one')
    refuse('params.assignment', 'not_one_to_one', 'must be one_to_one: a record is held once');
  if (params.composition?.enabled === true && params.composition.skipAlreadyMatched === false)
    refuse('params.composition.skipAlreadyMatched', 'uses_matched', 'must not be false: a record is held once');
  for (const [key, given, wanted] of keysOf(params, frame.keys)) {
    if (given !== wanted) {
      const name = wanted === null ? 'left out' : `"${wanted}" or left out`;
      refuse(`params.${key}`, 'other_key', `is "${given}" and must be ${name}, as in the reconciliation`);
    }
  }
  return faults;
}

/** Lists the keys that params name, each with the key of the reconciliation in its place. */
function* keysOf(
  params: RuleSetParams,
  { left, right }: Record<Side, ItemKeys>,
): Generator<[key: string, given: string, wanted: string | null]> {
  const blocking = params.blocking ?? {};
  const composition: CompositionParams = params.composition ?? {};
  const places: [string, string | undefined, (string | null)[]][] = [
    ['blocking.amountKey', blocking.amountKey, [left.amount, right.amount]],
    ['blocking.amountKeyLeft', blocking.amountKeyLeft, [left.amount]],
    ['blocking.amountKeyRight', blocking.amountKeyRight, [right.amount]],
    ['blocking.dateKey', blocking.dateKey, [left.date, right.date]],
    ['blocking.dateKeyLeft', blocking.dateKeyLeft, [left.date]],
    ['blocking.dateKeyRight', blocking.dateKeyRight, [right.date]],
    ['composition.amountField', composition.amountField, [left.amount, right.amount]],
    ['composition.dateFieldLeft', composition.dateFieldLeft, [left.date]],
    ['composition.dateFieldRight', composition.dateFieldRight, [right.date]],
  ];
  for (const [key, given, wanted] of places) {
    if (given !== undefined) for (const one of wanted) yield [key, given, one];
  }
}

/** The keys of a reconciliation that names none: those of the first pass's blocking, else amount and date. */
export function defaultKeys(params: RuleSetParams): Record<Side, ItemKeys> {
  const keys = recordKeys(params);
  return {
    left: { ...keys.left, currency: null },
    right: { ...keys.right, currency: null },
  };
}

/**
 * Returns the params with which a pass runs: the keys and the sign that it leaves out are those of the reconciliation.
 */
export function paramsOfPass(ruleSet: RuleSet, frame: PassFrame): RuleSetParams {
  const { params } = ruleSet;
  const { left, right } = isNetting(ruleSet) ? sideOfNetting(ruleSet, frame) : frame.keys;
  const named = recordKeys(params);
  return {
    ...params,
    recordKeys: {
      left: { amount: left.amount ?? named.left.amount, date: left.date ?? named.left.date },
      right: { amount: right.amount ?? named.right.amount, date: right.date ?? named.right.date },
    },
    amountSign: isNetting(ruleSet) ? 'opposite' : frame.amountSign,
    ...(left.currency === null || right.currency === null
      ? {}
      : { filters: [...(params.filters ?? []), oneCurrency(left.currency, right.currency)] }),
  };
}

/** An expression that holds where both records have one currency; a missing one is a currency of its own. */
export function oneCurrency(left: string, right: string): string {
  const at = (side: Side, path: string): string =>
    `${side}.${path
      .split('.')
      .map((key) => `\`${key}\``)
      .join('.')}`;
  const text = (value: string): string => `(${value} ? $string(${value}) : "")`;
  return `${text(at('left', left))} = ${text(at('right', right))}`;
}

function sideOfNetting(ruleSet: RuleSet, { datasetIds, keys }: PassFrame): Record<Side, ItemKeys> {
  const own = datasetIds.left.includes(ruleSet.leftDatasetId) ? keys.left : keys.right;
  return { left: own, right: own };
}
