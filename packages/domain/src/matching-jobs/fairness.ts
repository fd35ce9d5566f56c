import type { DomainDeps, TenantScope } from '../scope';

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
