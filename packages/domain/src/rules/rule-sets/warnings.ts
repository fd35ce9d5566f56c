import type { RuleSet } from './rule-sets';

/** Something about a rule set that is worth checking, and what to do about it. */
export interface RuleSetWarning {
  code: string;
  message: string;
}

/** Is a warning of the rule set and of its jobs. */
export const compositionIgnoresExpression: RuleSetWarning = {
  code: 'composition_ignores_expression',
  message:
    'With engine jsonata, jsonataExpr scores pairs, and decides nothing on groups: name what a target and its ' +
    'members have in common in params.composition.matchKeys or params.filters',
};

/** Returns what the definition of a rule set makes worth checking. */
export function ruleSetWarnings({ engine, params, leftDatasetId, rightDatasetId }: RuleSet): RuleSetWarning[] {
  const { blocking = {}, matchers = [], filters = [], composition, Tpossible, assignment = 'none' } = params;
  const { enabled, ...keys } = blocking;
  const isBlocking = enabled !== false && Object.values(keys).some((value) => value !== undefined);
  const weightless = matchers.filter(({ weight, required }) => weight === 0 && required !== true);
  return [
    ...(isBlocking || filters.length > 0
      ? []
      : [
          {
            code: 'no_blocking',
            message:
              'Every left record is compared with every right one: add params.blocking with an amountKey or a ' +
              'dateKey before the datasets grow',
          },
        ]),
    ...(Tpossible > 0
      ? []
      : [{ code: 'all_possible', message: 'With Tpossible 0 every compared pair is kept: raise Tpossible' }]),
    ...(weightless.length === 0 || weightless.every(({ id }) => composition?.evidence?.matchers.includes(id ?? ''))
      ? []
      : [
          {
            code: 'matcher_without_weight',
            message: 'A matcher of weight 0 that is not required changes no score: give it a weight or set required',
          },
        ]),
    ...(leftDatasetId === rightDatasetId && assignment === 'none'
      ? [
          {
            code: 'one_dataset',
            message:
              'One dataset is compared with itself: set assignment to one_to_one unless records may match several',
          },
        ]
      : []),
    ...(engine === 'jsonata' &&
    composition?.enabled === true &&
    filters.length === 0 &&
    (composition.matchKeys ?? []).length === 0
      ? [compositionIgnoresExpression]
      : []),
  ];
}
