import { tenantScope, type DomainDeps, type TenantScope } from '../../kernel/scope';

/** Planned jobs of a tenant at a time: each holds a snapshot in the database until it ends. */
export const SNAPSHOTS_AT_ONCE = 16;

/** For each job before it a job that waits for its snapshot waits so long, so that hundreds ask a few dozen times a second. */
const waitEachMs = 250;
const longestWaitMs = 30_000;

/** Whether anybody but this tenant has a matching job that waits to be planned, or batches that are not done. */
export async function hasOtherTenantsWork(deps: DomainDeps, tenantId: string): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (
       select 1 from matching_jobs j where j.status in ('queued', 'running') and j.tenant_id <> $1::uuid
          and (j.status = 'queued' or exists (select 1 from job_batches b where b.job_id = j.id and not b.done))) as found`,
    [tenantId],
  );
  return row?.found === true;
}

/** Whether a job of anybody but these tenants has waited to be planned for longer than a free slot lets it wait. */
export async function otherTenantsWait(deps: DomainDeps, tenantIds: readonly string[]): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (
       select 1 from matching_jobs where status = 'queued' and tenant_id <> all($1::uuid[]) and created_at < now() - interval '2 seconds') as found`,
    [[...tenantIds]],
  );
  return row?.found === true;
}

/** How many batches of other jobs of the tenant are still open: the place in the tenant's own line where a new job's batches begin. */
export async function batchesAhead(scope: TenantScope, jobId: string): Promise<number> {
  const [row] = await scope.db.query<{ count: number }>(
    `select count(*)::int as count from job_batches b
       join matching_jobs j on j.id = b.job_id and j.tenant_id = $1::uuid and j.status = 'running'
      where b.tenant_id = $1::uuid and b.job_id <> $2::uuid and not b.done`,
    [scope.tenantId, jobId],
  );
  return row?.count ?? 0;
}

/**
 * How long a job waits before it asks again whether it can be planned: 0 when it can, or when nothing is left to plan. What waits is running
 * from then on, and so can be cancelled; it has not been started.
 */
export async function planWaitMs(
  deps: DomainDeps,
  { tenantId, jobId }: { tenantId: string; jobId: string },
): Promise<number> {
  const { db } = tenantScope(deps, tenantId);
  const [job] = await db.query<{ snapshots: number; before: number }>(
    `select count(*) filter (where o.planned_at is not null)::int as snapshots,
            count(*) filter (where o.planned_at is null and o.id < j.id)::int as before
       from matching_jobs j join matching_jobs o on o.tenant_id = j.tenant_id and o.status = 'running' and o.id <> j.id
      where j.tenant_id = $1::uuid and j.id = $2::uuid and j.status in ('queued', 'running') and j.planned_at is null`,
    [tenantId, jobId],
  );
  if (!job || job.snapshots < SNAPSHOTS_AT_ONCE) return 0;
  await db.execute(
    `update matching_jobs set status = 'running' where tenant_id = $1::uuid and id = $2::uuid and status = 'queued'`,
    [tenantId, jobId],
  );
  return Math.min(waitEachMs * (job.before + 1), longestWaitMs);
}
