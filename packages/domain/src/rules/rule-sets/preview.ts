import {
  compileRuleSet,
  rescale,
  type AmountReading,
  type CompiledRuleSet,
  type ComparedRecord,
  type EngineName,
  type JsonObject,
  type PairResult,
  type RuleSetDefinition,
  type RuleSetParams,
  type Side,
} from '@tieout/engine';
import { AppError, invalid } from '@tieout/infra';
import type { TenantScope, RunWithPermit } from '../../kernel/scope';
import type { PreviewPair, PreviewPairResult, PreviewRequest, PreviewResult, WarnedPreview } from '../../kernel/ports';
import { samplePairs } from './preview-sample';
import { withRarities } from './rarities';
import { definitionOf, getRuleSet, type RuleSet } from './rule-sets';
import { assertDefinition, assertRunnable } from './validate';

/** A rule set that may be unstored; only a sample and strict field validation need its datasets. */
export interface PreviewRuleSet {
  engine: EngineName;
  jsonataExpr?: string | null | undefined;
  params: RuleSetParams;
  leftDatasetId?: string | undefined;
  rightDatasetId?: string | undefined;
}

export interface PreviewInput {
  ruleSetId?: string | undefined;
  ruleSet?: PreviewRuleSet | undefined;
  pairs?: { left: JsonObject; right: JsonObject }[] | undefined;
  /** Pairs of stored records of the two datasets, by ids. */
  recordPairs?: { left: string; right: string }[] | undefined;
  sample?: { limit: number } | undefined;
}

/**
 * Scores pairs of raw data, of stored records, or of stored records that blocking lets through, and stores nothing. It
 * reads with a permit of its tenant, and evaluates without one.
 */
export async function previewRuleSet(
  scope: TenantScope,
  input: PreviewInput,
  withPermit: RunWithPermit,
): Promise<WarnedPreview> {
  if ((input.ruleSetId === undefined) === (input.ruleSet === undefined)) {
    throw invalid([{ path: '', code: 'one_of', message: 'give exactly one of ruleSet and ruleSetId' }]);
  }
  const { pairs: raw, recordPairs, sample } = input;
  if ([raw, recordPairs, sample].filter((given) => given !== undefined).length !== 1) {
    throw invalid([{ path: '', code: 'one_of', message: 'give exactly one of pairs, recordPairs and sample' }]);
  }
  const { definition, datasets } = input.ruleSet
    ? await checkUnstored(scope, input.ruleSet, withPermit)
    : await withPermit(() => readStored(scope, input.ruleSetId as string));
  if (raw) {
    const pairs = datasets ? await withPermit(() => rated(scope, { definition, datasets }, raw)) : raw;
    return { ...(await scope.evaluator.preview({ definition, pairs })), warnings: [] };
  }
  if (!datasets) {
    const missing = input.ruleSet?.leftDatasetId === undefined ? 'leftDatasetId' : 'rightDatasetId';
    throw invalid([{ path: `/ruleSet/${missing}`, code: 'required', message: 'is required for stored records' }]);
  }
  if (recordPairs) {
    const pairs = await withPermit(async () =>
      rated(scope, { definition, datasets }, await readPairs(scope, datasets, recordPairs)),
    );
    return { ...(await scope.evaluator.preview({ definition, pairs })), warnings: [] };
  }
  const sampled = await samplePairs(scope, { definition, datasets }, sample?.limit ?? defaultSampleLimit, withPermit);
  const pairs = await withPermit(() => rated(scope, { definition, datasets }, sampled.pairs));
  return { ...(await scope.evaluator.preview({ definition, pairs })), warnings: sampled.warnings };
}

const defaultSampleLimit = 10;

export type SampledDatasets = Pick<RuleSet, 'leftDatasetId' | 'rightDatasetId'>;

export interface PreviewedRuleSet {
  definition: RuleSetDefinition;
  datasets?: SampledDatasets;
}

/** Gives the records of pairs the shares that `$rarity` reads. */
async function rated(
  scope: TenantScope,
  { definition, datasets }: Required<PreviewedRuleSet>,
  pairs: readonly PreviewPair[],
): Promise<PreviewPair[]> {
  const { left, right } = await withRarities(scope, {
    definition,
    datasets: { left: datasets.leftDatasetId, right: datasets.rightDatasetId },
    records: { left: pairs.map((pair) => pair.left), right: pairs.map((pair) => pair.right) },
  });
  return pairs.map((pair, at) => ({
    ...pair,
    left: left[at] as JsonObject,
    right: right[at] as JsonObject,
  }));
}

async function checkUnstored(
  scope: TenantScope,
  ruleSet: PreviewRuleSet,
  withPermit: RunWithPermit,
): Promise<PreviewedRuleSet> {
  const { engine, params, leftDatasetId, rightDatasetId } = ruleSet;
  const definition: RuleSetDefinition = { engine, params, jsonataExpr: ruleSet.jsonataExpr ?? null, version: 1 };
  if (leftDatasetId === undefined || rightDatasetId === undefined) {
    await assertRunnable(scope, definition, '/ruleSet');
    return { definition };
  }
  const datasets = { leftDatasetId, rightDatasetId };
  await assertDefinition(scope, { ...definition, ...datasets }, '/ruleSet', withPermit);
  return { definition, datasets };
}

async function readStored(scope: TenantScope, id: string): Promise<PreviewedRuleSet> {
  try {
    const stored = await getRuleSet(scope, id);
    return { definition: definitionOf(stored), datasets: stored };
  } catch (error) {
    if (error instanceof AppError && error.code === 'rule_set_not_found') {
      throw invalid([{ path: '/ruleSetId', code: 'unknown_rule_set', message: 'names no rule set' }]);
    }
    throw error;
  }
}

/** Reads stored records of both sides. @throws AppError validation_error for an id that is none of its dataset */
async function readPairs(
  scope: TenantScope,
  datasets: SampledDatasets,
  pairs: readonly { left: string; right: string }[],
): Promise<PreviewPair[]> {
  const read = async (side: Side): Promise<Map<string, JsonObject>> => {
    const ids = [...new Set(pairs.map((pair) => pair[side].toLowerCase()))];
    const rows = await scope.db.query<{ id: string; value: JsonObject }>(
      `select id::text as id, data || coalesce(fields, '{}') as value from records
        where tenant_id = $1::uuid and id = any($2::uuid[]) and dataset_id = $3::uuid and status = 'ready'`,
      [scope.tenantId, ids, datasets[`${side}DatasetId`]],
    );
    return new Map(rows.map(({ id, value }) => [id, value]));
  };
  const known = { left: await read('left'), right: await read('right') };
  const valueOf = (at: number, side: Side, id: string): JsonObject => {
    const value = known[side].get(id.toLowerCase());
    if (value !== undefined) return value;
    const message = `names no record of the ${side} dataset that is ready`;
    throw invalid([{ path: `/recordPairs/${at}/${side}`, code: 'unknown_record', message }]);
  };
  return pairs.map(({ left, right }, at) => ({
    leftRecordId: left.toLowerCase(),
    rightRecordId: right.toLowerCase(),
    left: valueOf(at, 'left', left),
    right: valueOf(at, 'right', right),
  }));
}

/** Runs in a process that may block; see Evaluator. */
export async function runPreview(request: PreviewRequest): Promise<PreviewResult> {
  const compiled = compileRuleSet(request.definition);
  const results: PreviewPairResult[] = [];
  for (const pair of request.pairs) results.push(await previewPair(compiled, pair));
  return { results, compiled: { ...compiled.expressions } };
}

/** Amounts to use instead of the amounts of the records. */
type Rests = Partial<Record<Side, AmountReading | undefined>>;

/** Scores a pair, whatever blocking says. @param rests what remains of the amounts; default: all of them */
export async function previewPair(
  compiled: CompiledRuleSet,
  given: PreviewPair,
  rests: Rests = {},
): Promise<PreviewPairResult> {
  const pair = {
    ...given,
    left: compiled.withRemaining('left', given.left, rests.left),
    right: compiled.withRemaining('right', given.right, rests.right),
  };
  const ids = {
    ...(pair.leftRecordId === undefined ? {} : { leftRecordId: pair.leftRecordId }),
    ...(pair.rightRecordId === undefined ? {} : { rightRecordId: pair.rightRecordId }),
  };
  for (const side of ['left', 'right'] as const) {
    const admission = await compiled.admitRecord(side, pair[side]);
    if (admission.admitted) continue;
    if (admission.error) return { ...ids, decision: 'ERROR', score: null, explanation: null, error: admission.error };
    return { ...ids, decision: 'NO_MATCH', score: 0, explanation: null, dropped: 'filter' };
  }
  const keysOf = (side: Side): ReturnType<CompiledRuleSet['readKeys']> => {
    const { amount, day } = compiled.readKeys(side, pair[side]);
    const rest = rests[side];
    if (rest === undefined || !rest.ok) return { amount, day };
    return { amount: { ...rest, units: compiled.amountSigns[side] * rest.units }, day };
  };
  const keys = { left: keysOf('left'), right: keysOf('right') };
  const scale = Math.max(2, ...[keys.left, keys.right].map((k) => (k.amount.ok ? k.amount.scale : 0)));
  const record = (side: Side): ComparedRecord => ({
    value: pair[side],
    amountUnits: unitsAt(keys[side].amount, scale),
    day: keys[side].day.ok ? keys[side].day.day : null,
  });
  return { ...ids, ...present(await compiled.comparer(scale).explain(record('left'), record('right'))) };
}

const unitsAt = (reading: AmountReading, scale: number): number | null =>
  reading.ok ? rescale(reading.units, reading.scale, scale) : null;

function present(result: PairResult): PreviewPairResult {
  if (result.decision === 'ERROR') {
    return { decision: 'ERROR', score: null, explanation: null, error: result.error };
  }
  return {
    decision: result.decision,
    score: result.score,
    explanation: result.explanation ?? null,
    ...('dropped' in result && result.dropped ? { dropped: result.dropped } : {}),
  };
}
