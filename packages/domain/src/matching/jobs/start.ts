import { AppError, invalid, newId, type FieldError, type Prisma } from '@tieout/infra';
import { enqueueDeliveries } from '../../events';
import { groupsByWeight, MAX_SENT_BYTES } from '../../kernel/by-weight';
import {
  definitionOf,
  listedRuleSets,
  listedRuleSetsById,
  ruleSetsOfLeftDataset,
  type ListedRuleSet,
} from '../../rules/rule-sets';
import type { TenantScope } from '../../kernel/scope';
import { tellEnd } from './fail';
import { emitJobEvent } from './job-events';
import { queueJobId } from './protocol';

/** The left dataset by its name or its id, and where the request says so. */
export type JobRequest = ({ dataset: string } | { datasetId: string }) & { path: string };

/**
 * Starts one job for each dataset. The jobs share a group; each rule set's definition is kept as it stands now.
 * @param ruleSetIds default: every rule set whose left dataset it is
 * @throws AppError validation_error: unknown dataset or rule set, a rule set of another left dataset, none at all
 * @returns the job ids, in the order of the requests
 */
export async function startMatchingJobs(
  scope: TenantScope,
  requests: readonly JobRequest[],
  ruleSetIds: readonly string[] | undefined,
): Promise<{ jobGroupId: string; jobIds: string[] }> {
  const jobGroupId = newId();
  return scope.transaction(async (s) => {
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
  const ruleSets = ruleSetIds
    ? await chosenRuleSets(scope, dataset.id, ruleSetIds)
    : await ruleSetsOfLeftDataset(scope, dataset.id);
  if (ruleSets.length === 0) {
    throw invalid([
      { path: request.path, code: 'no_rule_set', message: `no rule set has ${dataset.name} as its left dataset` },
    ]);
  }
  const jobId = newId();
  const { tenantId, db, queue } = scope;
  await db.orm.matchingJob.create({
    data: { id: jobId, tenantId, datasetId: dataset.id, datasetName: dataset.name, jobGroupId },
  });
  let position = 0;
  for (const group of groupsByWeight(ruleSets, MAX_SENT_BYTES)) {
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
        definition: definitionOf(ruleSet) as unknown as Prisma.InputJsonObject,
        position: position++,
      })),
    });
  }
  await db.afterCommit(() => queue.enqueue('matching.plan', { tenantId, jobId }, { jobId: queueJobId.plan(jobId) }));
  return jobId;
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

/**
 * Cancels a running job. Batches that have not been processed are skipped; one in hand stops within a second.
 * Only the job's own row is written: its rule sets are locked by whoever plans or finishes it, and that one takes
 * the job's row last.
 * @throws AppError matching_job_not_found, job_not_running
 */
export async function cancelMatchingJob(scope: TenantScope, jobId: string): Promise<void> {
  const { db, queue, tenantId } = scope;
  const cancelled = await scope.transaction(async ({ db: tx }) => {
    const count = await tx.execute(
      `update matching_jobs set status = 'cancelled', finished_at = now()
        where tenant_id = $1::uuid and id = $2::uuid and status = 'running'`,
      [tenantId, jobId],
    );
    if (count > 0 && (await emitJobEvent(tx, tenantId, jobId, 'cancelled')))
      await tx.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
    return count > 0;
  });
  if (!cancelled) {
    const job = await db.orm.matchingJob.findFirst({ where: { id: jobId }, select: { status: true } });
    if (!job) throw new AppError('matching_job_not_found', 'Matching job not found');
    throw new AppError('job_not_running', `Only a running job can be cancelled; this one is ${job.status}`);
  }
  tellEnd(scope, jobId, 'cancelled');
  await db.afterCommit(() => queue.enqueue('matching.cleanup', { tenantId, jobId }));
}
