import type { JsonObject } from '@tieout/engine';
import type { PreviewPairResult } from '../../kernel/ports';
import type { TenantScope } from '../../kernel/scope';
import { withRarities } from '../../rules/rule-sets';
import { expandersOf } from '../matches';
import type { Evaluation, JudgedPair } from './evaluate';

/** A pair that a rule set decides wrongly. */
export interface Mistake extends JudgedPair {
  leftExternalId: string | null;
  rightExternalId: string | null;
  /** Null for a pair that the rules would keep, and the job did not. */
  decision: PreviewPairResult['decision'] | null;
  /** The reason for which the pair is no match; null for a wrong one. */
  reason: 'possible' | 'below_threshold' | 'dropped' | 'error' | 'not_compared' | null;
  explanation: JsonObject | null;
}

interface RecordRow {
  id: string;
  externalId: string | null;
  value: JsonObject;
}

/** Explains pairs: kept ones by what the job stored, others by asking the rules now. */
export async function mistakesOf(
  scope: TenantScope,
  evaluation: Evaluation,
  pairs: readonly JudgedPair[],
): Promise<Mistake[]> {
  const records = await recordsOf(scope, pairs);
  const stored = await storedOf(scope, evaluation, pairs);
  const asked = pairs.filter(
    ({ matchId, leftId, rightId }) => matchId === null && records.has(leftId) && records.has(rightId),
  );
  const results = await askedOf(scope, evaluation, asked, records);
  return pairs.map((pair): Mistake => {
    const { leftId, rightId, matchId } = pair;
    const named = {
      ...pair,
      leftExternalId: records.get(leftId)?.externalId ?? null,
      rightExternalId: records.get(rightId)?.externalId ?? null,
    };
    const kept = matchId === null ? undefined : stored.get(matchId);
    if (kept) return { ...named, ...kept, reason: kept.decision === 'MATCH' ? null : 'possible' };
    const result = results.get(pair);
    if (!result) return { ...named, decision: null, reason: 'not_compared', explanation: null };
    const { decision, score, explanation } = result;
    const reason = reasonOf(result);
    return { ...named, score, decision: reason === 'not_compared' ? null : decision, explanation, reason };
  });
}

function reasonOf({ decision, dropped }: PreviewPairResult): Mistake['reason'] {
  if (decision === 'ERROR') return 'error';
  if (dropped !== undefined) return 'dropped';
  // Blocking, the limit of POSSIBLE pairs, the assignment or a person has kept it out.
  return decision === 'NO_MATCH' ? 'below_threshold' : 'not_compared';
}

async function recordsOf({ db, tenantId }: TenantScope, pairs: readonly JudgedPair[]): Promise<Map<string, RecordRow>> {
  const rows = await db.query<RecordRow>(
    `select id::text as id, external_id as "externalId", data || coalesce(fields, '{}') as value
       from records where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [tenantId, pairs.flatMap(({ leftId, rightId }) => [leftId, rightId])],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function storedOf(
  scope: TenantScope,
  { ruleSet }: Evaluation,
  pairs: readonly JudgedPair[],
): Promise<Map<string, Pick<Mistake, 'decision' | 'explanation'>>> {
  const rows = await scope.db.query<{
    id: string;
    matchingJobId: string;
    ruleSetId: string;
    decision: 'MATCH' | 'POSSIBLE';
    text: string;
  }>(
    `select id::text as id, job_id::text as "matchingJobId", rule_set_id::text as "ruleSetId",
            explanation::text as text,
            case when review_status = 'confirmed' then 'MATCH' else decision end as decision
       from matches where tenant_id = $1::uuid and rule_set_id = $2::uuid and id = any($3::uuid[])`,
    [scope.tenantId, ruleSet.id, pairs.flatMap(({ matchId }) => matchId ?? [])],
  );
  const expanderOf = await expandersOf(scope, rows);
  return new Map(
    rows.map((row) => [
      row.id,
      { decision: row.decision, explanation: JSON.parse(expanderOf(row)(row.text)) as JsonObject },
    ]),
  );
}

async function askedOf(
  scope: TenantScope,
  { definition, ruleSet }: Evaluation,
  pairs: readonly JudgedPair[],
  records: ReadonlyMap<string, RecordRow>,
): Promise<Map<JudgedPair, PreviewPairResult>> {
  if (pairs.length === 0) return new Map();
  const valueOf = (id: string): JsonObject => (records.get(id) as RecordRow).value;
  const { left, right } = await withRarities(scope, {
    definition,
    datasets: { left: ruleSet.leftDatasetId, right: ruleSet.rightDatasetId },
    records: { left: pairs.map(({ leftId }) => valueOf(leftId)), right: pairs.map(({ rightId }) => valueOf(rightId)) },
  });
  const { results } = await scope.evaluator.preview({
    definition,
    pairs: pairs.map((_, at) => ({ left: left[at] as JsonObject, right: right[at] as JsonObject })),
  });
  return new Map(pairs.map((pair, at) => [pair, results[at] as PreviewPairResult]));
}
