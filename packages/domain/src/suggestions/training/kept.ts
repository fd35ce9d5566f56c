import { effectiveParams, scoreScale, type JsonObject, type RuleSetDefinition } from '@tieout/engine';
import { AppError } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { firstId, sampledSql } from '../../kernel/sql';
import { definitionOf, getRuleSet, withRarities, type RuleSet } from '../../rules/rule-sets';

/** Max pairs without a review that are read: of more, those of some left records. */
const maxUnreviewed = 100_000;
/** Max reviewed pairs of earlier jobs that are evaluated again: the last ones. */
const maxEvaluated = 2_000;
const pairsPerRead = 20_000;
/** Pairs that are compared between two signs of life. */
const pairsPerEvaluation = 20;

/** Reviewed pairs from which on weights and thresholds are learnt; fewer are enough where no more can be asked. */
export const minLabels = 10;

/** A pair that the live job kept, or that a person has reviewed. */
export interface KeptPair {
  id: string;
  leftId: string;
  rightId: string;
  score: number;
  decision: 'MATCH' | 'POSSIBLE';
  review: 'confirmed' | 'rejected' | null;
  /** Values of the matchers; null where they have to be evaluated. */
  values: (number | null)[] | null;
  isLive: boolean;
  /** Seconds since 1970; 0 without a review. */
  reviewedAt: number;
}

export interface LabelCounts {
  confirmed: number;
  rejected: number;
}

/** A rule set with live results, and what they are. */
export interface LiveResults {
  ruleSet: RuleSet;
  definition: RuleSetDefinition;
  jobId: string;
}

/** @throws AppError rule_set_not_found; conflict without live results of its matchers */
export async function liveResults(scope: TenantScope, ruleSetId: string): Promise<LiveResults> {
  const live = await findLiveResults(scope, ruleSetId);
  if ('reason' in live) throw new AppError('conflict', live.reason);
  return live;
}

/**
 * Returns the live results of a rule set, or why there is nothing to learn from.
 * @throws AppError rule_set_not_found
 */
export async function findLiveResults(
  scope: TenantScope,
  ruleSetId: string,
): Promise<LiveResults | { reason: string }> {
  const { db, tenantId } = scope;
  const ruleSet = await getRuleSet(scope, ruleSetId);
  const [live] = await db.query<{ jobId: string; definition: RuleSetDefinition }>(
    `select e.job_id::text as "jobId", e.definition
       from rule_sets r join job_rule_sets e on e.job_id = r.live_job_id and e.rule_set_id = r.id
      where r.tenant_id = $1::uuid and r.id = $2::uuid`,
    [tenantId, ruleSetId],
  );
  if (!live) return { reason: 'The rule set has no completed job to learn from: start one first' };
  const definition = definitionOf(ruleSet);
  if (comparedBy(definition) !== comparedBy(live.definition))
    return { reason: 'The rule set compares otherwise since its last completed job: start one first' };
  return { ruleSet, definition, jobId: live.jobId };
}

/** Returns whether a dataset is compared with itself, so that a pair has no direction. */
export const isOneSide = ({ ruleSet }: Pick<LiveResults, 'ruleSet'>): boolean =>
  ruleSet.leftDatasetId === ruleSet.rightDatasetId;

/** Returns a text that is equal for definitions whose matchers give the same values. */
function comparedBy(definition: RuleSetDefinition): string {
  const { engine, jsonataExpr } = definition;
  return JSON.stringify([
    engine,
    jsonataExpr,
    effectiveParams(definition).matchers.map(({ expr, required }) => [expr, required]),
  ]);
}

/** Counts reviewed pairs, each once by its last review. */
export async function countLabels({ db, tenantId }: TenantScope, ruleSetId: string): Promise<LabelCounts> {
  const [counts] = await db.query<LabelCounts>(
    `select count(*) filter (where status = 'confirmed')::int as confirmed,
            count(*) filter (where status = 'rejected')::int as rejected
       from (select distinct on (left_record_id, right_record_id) review_status as status from matches
              where tenant_id = $1::uuid and rule_set_id = $2::uuid and review_status is not null
              order by left_record_id, right_record_id, reviewed_at desc) reviewed`,
    [tenantId, ruleSetId],
  );
  return counts ?? { confirmed: 0, rejected: 0 };
}

/** Says what labels are missing; null where there are enough. */
export function missingLabels({ confirmed, rejected }: LabelCounts, hasQuestions: boolean): string | null {
  const count = confirmed + rejected;
  if (count > 0 && confirmed === 0)
    return (
      `All ${rejected} reviewed pairs are rejected: without a confirmed one nothing shows where matches begin, ` +
      'and the rule set would only match less. Confirm pairs that belong together: GET /v1/rule-sets/{id}/questions ' +
      'lists the pairs to review next, GET /v1/matches?decision=MATCH the best ones'
    );
  if (count >= minLabels || (count > 0 && !hasQuestions)) return null;
  return (
    `Learning needs at least ${minLabels} reviewed pairs; there are ${confirmed} confirmed and ${rejected} rejected: ` +
    'GET /v1/rule-sets/{id}/questions lists the pairs to review next'
  );
}

/**
 * Reads each pair that the live job kept, and each reviewed one, once, by its last review. Of very many, it reads all
 * pairs of some left records.
 * @param onPage is called after each page with the share that is read
 */
export async function readKept(
  { db, tenantId }: TenantScope,
  { ruleSet, jobId }: LiveResults,
  onPage: (done: number) => Promise<void> | void = () => undefined,
): Promise<KeptPair[]> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::float8 as count from matches
      where tenant_id = $1::uuid and job_id = $2::uuid and rule_set_id = $3::uuid`,
    [tenantId, jobId, ruleSet.id],
  );
  const count = Math.max(1, row?.count ?? 0);
  const share = Math.min(1, maxUnreviewed / count);
  const found = new Map<string, KeptPair>();
  let read = 0;
  for (let after = firstId; ;) {
    const rows: KeptPair[] = await db.query(
      `select id::text as id, left_record_id::text as "leftId", right_record_id::text as "rightId", score, decision,
              review_status as review, job_id = $3::uuid as "isLive",
              coalesce(extract(epoch from reviewed_at), 0)::float8 as "reviewedAt",
              case when job_id = $3::uuid then explanation -> 'values' end as values
         from matches
        where tenant_id = $1::uuid and rule_set_id = $2::uuid and id > $4::uuid
          and (review_status is not null or (job_id = $3::uuid and ($5::float8 >= 1 or
               ${sampledSql('left_record_id', '$5')})))
        order by matches.id limit ${pairsPerRead}`,
      [tenantId, ruleSet.id, jobId, after, share],
    );
    for (const pair of rows) {
      const ids = [pair.leftId, pair.rightId];
      const key = (isOneSide({ ruleSet }) ? ids.sort() : ids).join(' ');
      const known = found.get(key);
      if (known === undefined || known.reviewedAt < pair.reviewedAt) found.set(key, pair);
    }
    read += rows.length;
    await onPage(Math.min(1, read / (share * count)));
    after = rows.at(-1)?.id ?? after;
    if (rows.length < pairsPerRead) break;
  }
  return [...found.values()];
}

export interface EvaluatedPairs {
  pairs: (KeptPair & { values: (number | null)[] })[];
  /** Reviewed pairs that filters, required matchers or errors keep from being compared. */
  leftOut: KeptPair[];
}

/** Evaluates the pairs that an earlier job stored, on their records as they are. Gone records leave their pairs out. */
export async function evaluated(
  scope: TenantScope,
  { ruleSet, definition }: LiveResults,
  kept: readonly KeptPair[],
  onChunk: (done: number) => Promise<void>,
): Promise<EvaluatedPairs> {
  const scale = scoreScale(definition.params.Tmatch);
  const isBatch = definition.engine === 'jsonata-batch';
  const pairs: EvaluatedPairs['pairs'] = [];
  const leftOut: KeptPair[] = [];
  const all: KeptPair[] = [];
  for (const pair of kept) {
    if (!pair.isLive) all.push(pair);
    else if (!isBatch) pairs.push({ ...pair, values: [pair.score / scale] });
    else if (pair.values === null) all.push(pair);
    else pairs.push({ ...pair, values: pair.values });
  }
  const open = all.sort((one, other) => other.reviewedAt - one.reviewedAt).slice(0, maxEvaluated);
  for (let from = 0; from < open.length; from += pairsPerEvaluation) {
    await onChunk(from / open.length);
    const chunk = open.slice(from, from + pairsPerEvaluation);
    const records = await keptRecords(scope, chunk);
    const asked = chunk.filter(({ leftId, rightId }) => records.has(leftId) && records.has(rightId));
    const valueOf = (id: string): JsonObject => records.get(id) as JsonObject;
    const { left, right } = await withRarities(scope, {
      definition,
      datasets: { left: ruleSet.leftDatasetId, right: ruleSet.rightDatasetId },
      records: {
        left: asked.map(({ leftId }) => valueOf(leftId)),
        right: asked.map(({ rightId }) => valueOf(rightId)),
      },
    });
    const { results } = await scope.evaluator.preview({
      definition,
      pairs: asked.map((_, at) => ({ left: left[at] as JsonObject, right: right[at] as JsonObject })),
    });
    results.forEach(({ decision, score, explanation, dropped }, at) => {
      const pair = asked[at] as KeptPair;
      const isDecided = decision === 'NO_MATCH' && (score ?? 0) >= definition.params.Tpossible;
      if (explanation === null || score === null || dropped !== undefined || isDecided) return leftOut.push(pair);
      const values = (explanation['matchers'] as { value: number | null }[] | undefined)?.map(({ value }) => value);
      return pairs.push({ ...pair, score, values: isBatch && values !== undefined ? values : [score / scale] });
    });
  }
  return { pairs, leftOut };
}

/** Reads the records of pairs in the form that expressions read. */
export async function keptRecords(
  { db, tenantId }: TenantScope,
  pairs: readonly KeptPair[],
): Promise<Map<string, JsonObject>> {
  const rows = await db.query<{ id: string; value: JsonObject }>(
    `select id::text as id, data || coalesce(fields, '{}') as value from records
      where tenant_id = $1::uuid and id = any($2::uuid[]) and status = 'ready'`,
    [tenantId, pairs.flatMap(({ leftId, rightId }) => [leftId, rightId])],
  );
  return new Map(rows.map(({ id, value }) => [id, value]));
}
