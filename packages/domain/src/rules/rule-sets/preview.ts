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
  sample?: { limit: number } | undefined;
}

/**
 * Scores explicit pairs of raw data, or pairs of stored records that blocking lets through, and stores nothing. It
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
  if ((input.pairs === undefined) === (input.sample === undefined)) {
    throw invalid([{ path: '', code: 'one_of', message: 'give exactly one of pairs and sample' }]);
  }
  const { definition, datasets } = input.ruleSet
    ? await checkUnstored(scope, input.ruleSet, withPermit)
    : await withPermit(() => readStored(scope, input.ruleSetId as string));
  if (input.pairs) {
    const given = input.pairs;
    const pairs = datasets ? await withPermit(() => rated(scope, { definition, datasets }, given)) : given;
    return { ...(await scope.evaluator.preview({ definition, pairs })), warnings: [] };
  }
  if (!datasets) {
    const missing = input.ruleSet?.leftDatasetId === undefined ? 'leftDatasetId' : 'rightDatasetId';
    throw invalid([{ path: `/ruleSet/${missing}`, code: 'required', message: 'is required for a sample' }]);
  }
  const limit = input.sample?.limit ?? defaultSampleLimit;
  const sample = await samplePairs(scope, { definition, datasets }, limit, withPermit);
  const pairs = await withPermit(() => rated(scope, { definition, datasets }, sample.pairs));
  return { ...(await scope.evaluator.preview({ definition, pairs })), warnings: sample.warnings };
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

/** Runs in a process that may block; see Evaluator. */
export async function runPreview(request: PreviewRequest): Promise<PreviewResult> {
  const compiled = compileRuleSet(request.definition);
  const results: PreviewPairResult[] = [];
  for (const pair of request.pairs) results.push(await previewPair(compiled, pair));
  return { results, compiled: { ...compiled.expressions } };
}

/** Amounts that count in place of those of the records. */
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
