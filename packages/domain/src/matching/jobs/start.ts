import type { RuleSetParams } from '@tieout/engine';
import { AppError, invalid, newId, type FieldError, type Prisma } from '@tieout/infra';
import { requireRoom } from '../../access/quotas';
import { groupsByWeight, maxSentBytes } from '../../kernel/grouping';
import { fairPriorities } from '../../kernel/priorities';
import {
  definitionOf,
  listedRuleSets,
  listedRuleSetsById,
  ruleSetsOfLeftDataset,
  type ListedRuleSet,
  type RuleSet,
} from '../../rules/rule-sets';
import type { TenantScope } from '../../kernel/scope';
import { queueJobId } from './protocol';

/** The left dataset by its name or its id, and the path of that in the request. */
export type JobRequest = ({ dataset: string } | { datasetId: string }) & { path: string };

/**
 * Starts one job for each dataset. The jobs share a group. A job keeps the definitions of its rule sets as they are
 * now.
 * @param ruleSetIds default: all rule sets of the left dataset
 * @throws AppError validation_error: unknown dataset or rule set, a rule set of another left dataset, none at all;
 *   too_many_jobs
 * @returns the job ids, in the order of the requests
 */
export async function startMatchingJobs(
  scope: TenantScope,
  requests: readonly JobRequest[],
  ruleSetIds: readonly string[] | undefined,
): Promise<{ jobGroupId: string; jobIds: string[] }> {
  const jobGroupId = newId();
  return scope.transaction(async (s) => {
    await requireRoom(s, 'jobs', requests.length);
    const jobIds: string[] = [];
    for (const request of requests) jobIds.push(await startJob(s, request, ruleSetIds, jobGroupId));
    return { jobGroupId, jobIds };
  });
}

async function startJob(
  scope: TenantScope,
  request: JobRequest,
  ruleSetIds: readonly string[] | undefined,
  jobGroupId: string,
): Promise<string> {
  const dataset = await findDataset(scope, request);
  const found = ruleSetIds
    ? await chosenRuleSets(scope, dataset.id, ruleSetIds)
    : await ruleSetsOfLeftDataset(scope, dataset.id);
  const passes = await passesAmong(scope, found);
  const [pass] = passes.keys();
  if (ruleSetIds && pass !== undefined) throw isPass(pass, passes.get(pass) as string);
  const ruleSets = found.filter(({ id }) => !passes.has(id));
  if (ruleSets.length === 0) {
    const message =
      passes.size === 0
        ? `no rule set has ${dataset.name} as its left dataset`
        : `all rule sets of ${dataset.name} are passes: POST /v1/reconciliations/{id}/runs runs them`;
    throw invalid([{ path: request.path, code: 'no_rule_set', message }]);
  }
  return insertJob(scope, { dataset, jobGroupId, ruleSets, paramsOf: ({ params }) => params });
}

/** Finds the rule sets that are passes, with their reconciliations. */
async function passesAmong(
  { db, tenantId }: TenantScope,
  ruleSets: readonly ListedRuleSet[],
): Promise<Map<string, string>> {
  const rows = await db.query<{ id: string; reconciliationId: string }>(
    `select rule_set_id::text as id, reconciliation_id::text as "reconciliationId" from reconciliation_passes
      where tenant_id = $1::uuid and rule_set_id = any($2::uuid[])`,
    [tenantId, ruleSets.map(({ id }) => id)],
  );
  return new Map(rows.map(({ id, reconciliationId }) => [id, reconciliationId]));
}

const isPass = (ruleSetId: string, reconciliationId: string): AppError =>
  new AppError(
    'rule_set_is_a_pass',
    `Rule set ${ruleSetId} is a pass: run it with POST /v1/reconciliations/${reconciliationId}/runs`,
  );

/** A job to be made. */
export interface NewJob {
  /** The left dataset of the job; for a run of a reconciliation, the first one. */
  dataset: { id: string; name: string };
  jobGroupId: string;
  /** In the order of its entries. */
  ruleSets: readonly ListedRuleSet[];
  /** The params with which an entry runs. */
  paramsOf: (ruleSet: RuleSet) => RuleSetParams;
  run?: { reconciliationId: string; mode: string; trigger: string; dryRun: boolean };
}

/** Stores a job with its entries, and enqueues its plan. Returns its id. */
export async function insertJob(
  scope: TenantScope,
  { dataset, jobGroupId, ruleSets, paramsOf, run }: NewJob,
): Promise<string> {
  const jobId = newId();
  const { tenantId, db } = scope;
  await db.orm.matchingJob.create({
    data: { id: jobId, tenantId, datasetId: dataset.id, datasetName: dataset.name, jobGroupId, ...run },
  });
  let position = 0;
  for (const group of groupsByWeight(ruleSets, maxSentBytes)) {
    const whole = await listedRuleSets(scope, group);
    await db.orm.jobRuleSet.createMany({
      data: whole.map((ruleSet) => ({
        id: newId(),
        tenantId,
        jobId,
        ruleSetId: ruleSet.id,
        ruleSetName: ruleSet.name,
        ruleSetVersion: ruleSet.version,
        leftDatasetId: ruleSet.leftDatasetId,
        rightDatasetId: ruleSet.rightDatasetId,
        definition: definitionOf({ ...ruleSet, params: paramsOf(ruleSet) }) as unknown as Prisma.InputJsonObject,
        position: position++,
      })),
    });
  }
  await db.afterCommit(() => enqueuePlan(scope, jobId));
  return jobId;
}

/**
 * Enqueues the plan of a job with the priority of one batch: a tenant that starts many jobs gets them planned at the
 * pace at which its jobs complete.
 */
export async function enqueuePlan({ queue, tenantId }: TenantScope, jobId: string): Promise<void> {
  const priorities = fairPriorities(queue, 'matching.plan');
  await priorities.ready();
  const priority = priorities.next(tenantId, 1);
  await queue.enqueue('matching.plan', { tenantId, jobId }, { jobId: queueJobId.plan(jobId), priority });
}

async function findDataset(scope: TenantScope, request: JobRequest): Promise<{ id: string; name: string }> {
  const found = await scope.db.orm.dataset.findFirst({
    where: 'dataset' in request ? { name: request.dataset } : { id: request.datasetId },
    select: { id: true, name: true },
  });
  if (!found) throw invalid([{ path: request.path, code: 'unknown_dataset', message: 'names no dataset' }]);
  return found;
}

async function chosenRuleSets(scope: TenantScope, datasetId: string, ids: readonly string[]): Promise<ListedRuleSet[]> {
  const found = await listedRuleSetsById(scope, ids);
  const faults: FieldError[] = [];
  const seen = new Set<string>();
  const chosen = ids.flatMap((id, i): ListedRuleSet[] => {
    const ruleSet = found.get(id.toLowerCase());
    const path = `/ruleSetIds/${i}`;
    if (ruleSet && seen.has(ruleSet.id)) faults.push({ path, code: 'duplicate', message: 'is given twice' });
    else if (!ruleSet) faults.push({ path, code: 'unknown_rule_set', message: 'names no rule set' });
    else if (ruleSet.leftDatasetId !== datasetId) {
      faults.push({ path, code: 'other_left_dataset', message: 'has another left dataset' });
    } else {
      seen.add(ruleSet.id);
      return [ruleSet];
    }
    return [];
  });
  if (faults.length > 0) throw invalid(faults);
  return chosen;
}
