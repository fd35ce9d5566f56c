import { Type } from '@sinclair/typebox';
import {
  effectiveParamsOf,
  compositionIgnoresExpression,
  ruleSetWarnings,
  type WarnedPreview,
  type RuleSet,
  type RuleSetWarning,
} from '@tieout/domain';
import { blocking, expression, optional, path } from './blocking-schema';
import { closed, freeForm, nullable, ofRecords, textEnum, timestamp, uuid, warning } from '../../http';

const maxExpressions = 1_000;

const matcher = closed(
  {
    id: optional(Type.String({ minLength: 1, description: 'Unique in the rule set; default m1, m2, …' })),
    name: optional(Type.String({ minLength: 1, description: 'Default: the id' })),
    expr: expression('JSONata over {left, right}: true, false, a number 0..1, or null to abstain'),
    weight: optional(Type.Number({ minimum: 0, description: 'Default 1' })),
    required: optional(
      Type.Boolean({ description: 'A value of 0, false or nothing makes the pair NO_MATCH; default false' }),
    ),
  },
  { $id: 'Matcher' },
);

const composition = closed(
  {
    enabled: optional(Type.Boolean({ description: 'Default false' })),
    direction: optional(Type.String({ description: 'left_to_many_right (default), right_to_many_left or both' })),
    maxGroupSize: optional(Type.Number({ description: 'Maximum number of members; 2..60, default 12' })),
    amountTolerancePercent: optional(
      Type.Number({ minimum: 0, description: 'In percent of the target; 0..100, default 0' }),
    ),
    amountTolerance: optional(
      Type.Number({
        minimum: 0,
        description: 'In currency units, up to 10^12; the larger of both tolerances holds; default 0',
      }),
    ),
    amountField: optional(path('Default: the amount keys of blocking, else amount')),
    groupByField: optional(path('Members of a group share this value')),
    matchKeys: optional(
      Type.Array(closed({ left: path('Path into left records'), right: path('Path into right records') }), {
        minItems: 1,
        maxItems: 8,
        description: 'Values that are equal for a target and each of its members; they narrow the search',
      }),
    ),
    evidence: optional(
      closed(
        {
          matchers: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 1_000 }),
          required: optional(Type.Boolean({ description: 'Only records with evidence are members; default false' })),
          weight: optional(Type.Number({ description: 'Share of the mean evidence in the score; 0..1, default 0' })),
        },
        {
          description:
            'Matchers by id, evaluated for target and member: among equal sets the one with most evidence wins',
        },
      ),
    ),
    dateStrategy: optional(
      Type.String({
        description: 'Dates of members relative to the target: none (default), window, after, before or monthly',
      }),
    ),
    dateFieldLeft: optional(path('Default: the date key of blocking, else date')),
    dateFieldRight: optional(path('Default: the date key of blocking, else date')),
    dateToleranceDays: optional(Type.Number({ minimum: 0, description: 'Default: windowDays, else 0' })),
    allowNegativeAmounts: optional(
      Type.Boolean({ description: 'Members may have the other sign than the target; default false' }),
    ),
    preferCompleteGroup: optional(
      Type.Boolean({
        description: 'All records of one groupByField value are preferred to a choice among them; default true',
      }),
    ),
    skipAlreadyMatched: optional(
      Type.Boolean({ description: 'Records with a MATCH pair of the rule set are left out; default true' }),
    ),
    partial: optional(
      closed({
        enabled: optional(Type.Boolean({ description: 'Sums below the target count, as POSSIBLE; default false' })),
        minMembers: optional(Type.Number({ description: '1..maxGroupSize, default 2' })),
        minCompletionRatio: optional(Type.Number({ description: 'Minimum of sum / target; 0..1, default 0.5' })),
        uniformityRatio: optional(
          Type.Number({ description: 'Minimum of smallest / largest member; 0..1, default 0: any' }),
        ),
      }),
    ),
    installmentDiscovery: optional(
      closed({
        enabled: optional(Type.Boolean({ description: 'Looks for nearly equal members; default false' })),
        maxDivisor: optional(Type.Number({ description: 'Maximum number of installments; 2..60, default 24' })),
        divisorTolerance: optional(
          Type.Number({ description: 'How far target / member may be from a whole number; 0..0.5, default 0.05' }),
        ),
        totalCountField: optional(path('Holds the number of installments')),
        unitValueField: optional(path('Holds the value of one installment')),
      }),
    ),
  },
  { $id: 'Composition' },
);

const paramsSchema = closed(
  {
    Tmatch: Type.Number({
      description: 'A score of at least this is a MATCH. Up to 1 scores run from 0 to 1, above it from 0 to 100',
    }),
    Tpossible: Type.Number({ description: 'A score of at least this is POSSIBLE; at most Tmatch' }),
    windowDays: optional(Type.Number({ minimum: 0, description: 'Pairs further apart in calendar days are dropped' })),
    amountTolerancePercent: optional(
      Type.Number({ minimum: 0, description: 'In percent of the larger amount: pairs further apart are dropped' }),
    ),
    amountTolerance: optional(
      Type.Number({ minimum: 0, description: 'In currency units, up to 10^12; the larger of both tolerances holds' }),
    ),
    amountSign: optional(
      textEnum(['same', 'opposite'], {
        description: 'opposite: what is positive on the left is negative on the right; default same',
      }),
    ),
    timezone: optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'IANA time zone of the days of timestamps; default UTC',
      }),
    ),
    filters: optional(
      Type.Array(expression('JSONata over {left, right}; all must hold'), { maxItems: maxExpressions }),
    ),
    matchers: optional(Type.Array(matcher, { maxItems: maxExpressions })),
    blocking: optional(blocking),
    composition: optional(composition),
    assignment: optional(
      textEnum(['none', 'one_to_one'], { description: 'one_to_one: a record is in at most one MATCH; default none' }),
    ),
    maxPossiblePerRecord: optional(
      Type.Integer({ description: 'POSSIBLE pairs that are kept of each record, the best ones; 1..100, default 20' }),
    ),
  },
  { $id: 'RuleSetParams' },
);

const definition = {
  name: Type.String({ minLength: 1, maxLength: 100_000 }),
  leftDatasetId: uuid(),
  rightDatasetId: uuid(),
  engine: textEnum(['jsonata', 'jsonata-batch'], { default: 'jsonata' }),
  jsonataExpr: expression('Required when engine is jsonata'),
  params: paramsSchema,
  logicJson: freeForm({ description: 'A map of your own, returned unchanged' }),
};

const exampleBody = {
  name: 'Invoices against the bank',
  leftDatasetId: '01994e6c-2a10-7c44-9f02-6b1d3e5f7a21',
  rightDatasetId: '01994e6c-2a11-7c44-9f02-6b1d3e5f7a21',
  engine: 'jsonata-batch',
  params: {
    Tmatch: 0.8,
    Tpossible: 0.5,
    matchers: [
      { id: 'amount', expr: 'left.amount = right.amount', weight: 0.6 },
      { id: 'reference', expr: '$contains(right.memo, left.number)', weight: 0.4 },
    ],
    blocking: { amountKey: 'amount', dateKey: 'date', dateToleranceDays: 3 },
    assignment: 'one_to_one',
  },
};

export const createRuleSetBody = closed(
  { ...definition, jsonataExpr: optional(definition.jsonataExpr), logicJson: optional(definition.logicJson) },
  { $id: 'CreateRuleSetRequest', examples: [exampleBody] },
);

export const updateRuleSetBody = closed(
  {
    name: optional(definition.name),
    leftDatasetId: optional(definition.leftDatasetId),
    rightDatasetId: optional(definition.rightDatasetId),
    engine: optional(textEnum(['jsonata', 'jsonata-batch'])),
    jsonataExpr: optional(nullable(definition.jsonataExpr, { description: 'null removes it' })),
    params: optional(definition.params),
    logicJson: optional(nullable(definition.logicJson, { description: 'null removes it' })),
    version: optional(
      Type.Integer({ minimum: 1, description: 'The version that the change was made to; another one answers 409' }),
    ),
  },
  { examples: [{ params: { Tmatch: 0.9, Tpossible: 0.6, matchers: exampleBody.params.matchers } }] },
);

export const ruleSetSchema = closed(
  {
    id: uuid(),
    name: Type.String(),
    left_dataset_id: uuid(),
    right_dataset_id: uuid(),
    engine: textEnum(['jsonata', 'jsonata-batch']),
    jsonata_expr: nullable(Type.String()),
    params: paramsSchema,
    effective_params: freeForm({ description: 'params with every default filled in' }),
    logic_json: nullable(freeForm()),
    version: Type.Integer({ minimum: 1, description: 'Raised by every change' }),
    created_at: timestamp(),
    warnings: Type.Array(
      closed(
        { code: Type.String(), message: ofRecords(Type.String({ description: 'It may quote the first error' })) },
        { $id: 'RuleSetWarning' },
      ),
      {
        description: 'What is worth checking in its definition and in what its last job found, and what to do about it',
      },
    ),
  },
  { $id: 'RuleSet' },
);

/** A rule set that need not be stored, over two datasets. */
export const trialDefinition = closed(
  {
    ...definition,
    name: optional(definition.name),
    jsonataExpr: optional(definition.jsonataExpr),
    logicJson: optional(definition.logicJson),
  },
  { $id: 'TrialRuleSet' },
);

const pairData = freeForm({ description: 'The data of a record' });

export const previewBody = closed(
  {
    ruleSetId: optional(uuid({ description: 'A stored rule set; or ruleSet' })),
    ruleSet: optional(
      closed(
        {
          ...trialDefinition.properties,
          leftDatasetId: optional(uuid({ description: 'Needed with recordPairs and sample' })),
          rightDatasetId: optional(uuid({ description: 'Needed with recordPairs and sample' })),
        },
        { $id: 'PreviewedRuleSet' },
      ),
    ),
    pairs: optional(Type.Array(closed({ left: pairData, right: pairData }), { minItems: 1, maxItems: 1000 })),
    recordPairs: optional(
      Type.Array(closed({ left: uuid(), right: uuid() }), {
        minItems: 1,
        maxItems: 100,
        description: 'Pairs of records of the two datasets, by ids',
      }),
    ),
    sample: optional(
      closed(
        { limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }) },
        { description: 'Pairs of the newest records of both datasets that filters and blocking let through' },
      ),
    ),
  },
  {
    examples: [
      { ruleSetId: exampleBody.leftDatasetId, pairs: [{ left: { amount: 12.5 }, right: { amount: '12.50' } }] },
    ],
  },
);

export const previewSchema = closed(
  {
    results: Type.Array(
      closed({
        left_record_id: optional(uuid()),
        right_record_id: optional(uuid()),
        decision: textEnum(['MATCH', 'POSSIBLE', 'NO_MATCH', 'ERROR']),
        score: nullable(Type.Number()),
        explanation: nullable(freeForm()),
        dropped: optional(Type.String({ description: 'Why the pair never reached the score' })),
        error: optional(
          closed({
            code: Type.String(),
            message: Type.String(),
            expression: Type.String({ description: 'Id of the expression that failed, as in `compiled`' }),
          }),
        ),
      }),
    ),
    compiled: Type.Unsafe<Record<string, 'compiled' | 'reference'>>({
      type: 'object',
      additionalProperties: { type: 'string', enum: ['compiled', 'reference'] },
      description: 'By expression id: whether it runs compiled or through the reference',
    }),
    warnings: Type.Array(warning),
  },
  { $id: 'Preview' },
);

/** A warning of a job, without its message where the caller may not see what records hold. */
type FoundWarning = Omit<RuleSetWarning, 'message'> & Partial<RuleSetWarning>;

/** @param found what its last job makes worth checking */
export const presentRuleSet = (ruleSet: RuleSet, found: readonly FoundWarning[] = []) => ({
  id: ruleSet.id,
  name: ruleSet.name,
  left_dataset_id: ruleSet.leftDatasetId,
  right_dataset_id: ruleSet.rightDatasetId,
  engine: ruleSet.engine,
  jsonata_expr: ruleSet.jsonataExpr,
  params: ruleSet.params,
  effective_params: effectiveParamsOf(ruleSet),
  logic_json: ruleSet.logicJson,
  version: ruleSet.version,
  created_at: ruleSet.createdAt.toISOString(),
  warnings: withoutRepeated([...ruleSetWarnings(ruleSet), ...found]),
});

/** Keeps the first warning of those that a rule set and its job have in common. */
const withoutRepeated = (warnings: readonly FoundWarning[]): FoundWarning[] =>
  warnings.filter(
    ({ code }, at) =>
      code !== compositionIgnoresExpression.code || warnings.findIndex((one) => one.code === code) === at,
  );

export const presentPreview = (preview: WarnedPreview) => ({
  results: preview.results.map(({ leftRecordId, rightRecordId, ...result }) => ({
    ...(leftRecordId === undefined ? {} : { left_record_id: leftRecordId }),
    ...(rightRecordId === undefined ? {} : { right_record_id: rightRecordId }),
    ...result,
  })),
  compiled: preview.compiled,
  warnings: preview.warnings,
});
