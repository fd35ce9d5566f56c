import { isActiveSql } from '../../kernel/sql';
import { tenantScope, type DomainDeps, type TenantScope } from '../../kernel/scope';

/** Max planned jobs of a tenant at a time: each holds a snapshot in the database until it ends. */
export const maxSnapshots = 16;

/** Backoff of a job that waits for a snapshot, for each job before it. Hundreds then ask a few dozen times a second. */
const waitPerJobMs = 250;
const maxWaitMs = 30_000;

/** Returns whether any other tenant has a matching job to be planned, or open batches. */
export async function hasOtherTenantsWork(deps: DomainDeps, tenantId: string): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (
       select 1 from matching_jobs j where j.status in ('queued', 'running') and j.tenant_id <> $1::uuid
          and ${isActiveSql('j.tenant_id')} and (j.status = 'queued'
               or exists (select 1 from job_batches b where b.job_id = j.id and not b.done))) as found`,
    [tenantId],
  );
  return row?.found === true;
}

/** Returns whether a job of a tenant outside the list has waited for its plan longer than it would with a free slot. */
export async function hasOtherTenantsWaiting(deps: DomainDeps, tenantIds: readonly string[]): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (
       select 1 from matching_jobs
        where status = 'queued' and tenant_id <> all($1::uuid[]) and ${isActiveSql('tenant_id')}
          and created_at < now() - interval '2 seconds') as found`,
    [[...tenantIds]],
  );
  return row?.found === true;
}

/** Counts the open batches of the tenant's other jobs, after which the batches of a new job get their priorities. */
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
 * Returns the time after which a job asks again whether it can be planned; 0 when it can, or when it has no plan to
 * make. A job that waits counts as running, so that it can be cancelled, but as not started.
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
  if (!job || job.snapshots < maxSnapshots) return 0;
  await db.execute(
    `update matching_jobs set status = 'running' where tenant_id = $1::uuid and id = $2::uuid and status = 'queued'`,
    [tenantId, jobId],
  );
  return Math.min(waitPerJobMs * (job.before + 1), maxWaitMs);
}
