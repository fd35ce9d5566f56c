import { storable, type JsonObject, type RuleSetDefinition, type Side } from '@tieout/engine';
import type { JobPayload } from '@tieout/infra';
import { recordValues } from '../data/records';
import { answerInquiry, progressNotes, simulationInquiry, workOnInquiry } from '../inquiries';
import type { Jobs } from '../kernel/jobs';
import type { PreviewPairResult } from '../kernel/ports';
import { tenantScope, type DomainDeps, type TenantScope } from '../kernel/scope';
import { runTrial, trialFailure, type OnStep, type TrialAnswer } from '../matching';
import { runPreview, withRarities } from '../rules/rule-sets';

interface Simulation extends Record<`${Side}DatasetId`, string> {
  id: string;
  definition: RuleSetDefinition;
  againstRuleSetId: string | null;
  sampleRecords: number;
}

/** A record without a MATCH and its best pair, explained. */
export interface ExplainedNearest {
  recordId: string;
  nearest: (Pick<PreviewPairResult, 'explanation'> & { recordId: string; score: number }) | null;
}

export type SimulationAnswer = Omit<TrialAnswer, 'unmatched'> & {
  unmatched: Record<Side, Omit<TrialAnswer['unmatched'][Side], 'sample'> & { sample: ExplainedNearest[] }>;
  /** External ids of the records that pages and samples name, by id. */
  externalIds: Record<string, string | null>;
};

const columns = `id::text as id, left_dataset_id::text as "leftDatasetId", right_dataset_id::text as "rightDatasetId",
  definition, against_rule_set_id::text as "againstRuleSetId", sample_records as "sampleRecords"`;

/** Creates the handler of simulations. It is safe to repeat and to be killed at any point: its row owns its state. */
export function createSimulationHandlers(deps: DomainDeps, onStep: OnStep = () => undefined) {
  return {
    'simulation.run': async (payload: JobPayload<Jobs, 'simulation.run'>): Promise<void> => {
      const scope = tenantScope(deps, payload.tenantId);
      await workOnInquiry<Simulation>(scope, simulationInquiry, payload.simulationId, {
        columns,
        reads: ({ leftDatasetId, rightDatasetId }) => [leftDatasetId, rightDatasetId],
        work: (simulation, pending) => simulate(scope, simulation, { onStep, pending }),
        failureOf: trialFailure,
      });
    },
  };
}

async function simulate(
  scope: TenantScope,
  simulation: Simulation,
  { onStep, pending }: { onStep: OnStep; pending: number },
): Promise<void> {
  const { id, sampleRecords: maxRecords, againstRuleSetId: rivalId, ...input } = simulation;
  const store = async (trial: TrialAnswer): Promise<void> => {
    const answer = storable(await explained(scope, simulation, trial)) as object;
    await answerInquiry(scope, simulationInquiry, id, { answer, isFinal: trial.isFinal });
  };
  const check = progressNotes(scope, simulationInquiry, id);
  await store(
    await runTrial(scope, { id, ...input, rivalId, maxRecords, pending }, { onStep, check, onAnswer: store }),
  );
}

/** Explains the nearest pairs of records without a MATCH. */
async function explained(
  scope: TenantScope,
  { definition, leftDatasetId, rightDatasetId }: Simulation,
  { unmatched, ...trial }: TrialAnswer,
): Promise<SimulationAnswer> {
  const pairs = (['left', 'right'] as const).flatMap((side) =>
    unmatched[side].sample.flatMap(({ recordId, nearest }) =>
      nearest === null
        ? []
        : [side === 'left' ? { left: recordId, right: nearest.recordId } : { left: nearest.recordId, right: recordId }],
    ),
  );
  const values = await recordValues(scope, [...new Set(pairs.flatMap(({ left, right }) => [left, right]))]);
  const known = pairs.filter(({ left, right }) => values.has(left) && values.has(right));
  const records = await withRarities(scope, {
    definition,
    datasets: { left: leftDatasetId, right: rightDatasetId },
    records: {
      left: known.map(({ left }) => values.get(left) as JsonObject),
      right: known.map(({ right }) => values.get(right) as JsonObject),
    },
  });
  const { results } = await runPreview({
    definition,
    pairs: known.map((_, at) => ({ left: records.left[at] as JsonObject, right: records.right[at] as JsonObject })),
  });
  const explanations = new Map(known.map(({ left, right }, at) => [`${left} ${right}`, results[at]?.explanation]));
  const of = (side: Side): SimulationAnswer['unmatched'][Side] => ({
    ...unmatched[side],
    sample: unmatched[side].sample.map(({ recordId, nearest }) => {
      if (nearest === null) return { recordId, nearest };
      const pair = side === 'left' ? `${recordId} ${nearest.recordId}` : `${nearest.recordId} ${recordId}`;
      return { recordId, nearest: { ...nearest, explanation: explanations.get(pair) ?? null } };
    }),
  });
  const externalIds = await externalIdsOf(scope, { unmatched, ...trial });
  return { ...trial, unmatched: { left: of('left'), right: of('right') }, externalIds };
}

/** Reads the external ids of the records that pages and samples name. */
async function externalIdsOf(
  { db, tenantId }: TenantScope,
  { unmatched, changes, composites }: TrialAnswer,
): Promise<Record<string, string | null>> {
  const changed = changes === null ? [] : Object.values(changes.pages).flat();
  const ids = [
    ...[...unmatched.left.sample, ...unmatched.right.sample].flatMap(({ recordId, nearest }) =>
      nearest === null ? [recordId] : [recordId, nearest.recordId],
    ),
    ...changed.flatMap(({ leftRecordId, rightRecordId }) => [leftRecordId, rightRecordId]),
    ...(composites?.page ?? []).flatMap(({ targetRecordId, memberRecordIds }) => [targetRecordId, ...memberRecordIds]),
  ];
  const rows = await db.query<{ id: string; externalId: string | null }>(
    `select id::text as id, external_id as "externalId" from records
      where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [tenantId, [...new Set(ids)]],
  );
  return Object.fromEntries(rows.map(({ id, externalId }) => [id, externalId]));
}
