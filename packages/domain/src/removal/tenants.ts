import { isLockTimeout, type SystemDb } from '@tieout/infra';
import { getTenant, tenantMoving, type Tenant } from '../access/tenants';
import { sweepStages } from '../matching';
import { markAllRemoved } from '../feeds/items';
import { Attempts, maxRecoveryFailures } from '../kernel/attempts';
import type { JobProducer } from '../kernel/jobs';
import { repeatWithPauses } from '../kernel/retention';
import type { DomainDeps } from '../kernel/scope';
import { eraseRows, noteErased, tenantTables, type TenantTable } from './tenant-rows';

/**
 * Begins to delete a tenant; a repetition changes nothing. Keys and secrets are gone at once, and a queue job erases
 * the rest. Returns undefined for an id that no tenant has, or has any more.
 * @throws AppError tenant_moving
 */
export async function deleteTenant(db: SystemDb, queue: JobProducer, id: string): Promise<Tenant | undefined> {
  const [found] = await db.query('select 1 from tenants where id = $1::uuid', [id]);
  if (!found) return undefined;
  await db.transaction(async (tx) => {
    const begun = await tx.execute(
      `update tenants set status = 'deleting', deleting_since = now()
        where id = $1::uuid and status in ('active', 'suspended')`,
      [id],
    );
    if (begun === 0) return;
    await tx.execute('delete from api_keys where tenant_id = $1::uuid', [id]);
    await tx.execute('delete from sessions where tenant_id = $1::uuid', [id]);
    await tx.execute('delete from users where tenant_id = $1::uuid', [id]);
    await tx.execute(
      `update webhooks set deleted_at = coalesce(deleted_at, now()), secret = '', signing_secret = '',
              old_signing_secret = '', old_signing_until = null
        where tenant_id = $1::uuid`,
      [id],
    );
    await markAllRemoved(tx, id);
    await tx.afterCommit(() => enqueueErasure(queue, id));
  });
  const tenant = await getTenant(db, id);
  if (tenant.status !== 'deleting') throw tenantMoving();
  return tenant;
}

/** A tenant has one queue job of this kind at most. */
const enqueueErasure = (queue: JobProducer, tenantId: string): Promise<void> =>
  queue.enqueue('tenant.erase', { tenantId }, { jobId: `erase-${tenantId}` });

/** Enqueues the erasure of all tenants that are deleted and still there. */
export async function sweepDeletedTenants(deps: DomainDeps): Promise<void> {
  const left = await deps.db.system.query<{ tenantId: string }>(
    `select id::text as "tenantId" from tenants where status = 'deleting'`,
  );
  const erasures = new Attempts(deps, { noun: 'tenant', participle: 'erased' }, maxRecoveryFailures);
  for (const { tenantId } of left) await erasures.try({ tenantId }, (scope) => enqueueErasure(scope.queue, tenantId));
  erasures.end();
}

/** Providers get this long to delete the items of a tenant. */
const maxProviderMinutes = 15;

/**
 * Erases what a deleted tenant has, in steps that may be repeated and killed at any point, and its own row last. What
 * running work still writes is found by the next pass; the sweep enqueues one until the tenant is gone.
 */
export async function eraseTenant(deps: DomainDeps, tenantId: string): Promise<void> {
  const { system } = deps.db;
  await cancelJobs(system, tenantId);
  if (!(await mayErase(deps, tenantId))) return;
  const tables = await tenantTables(system);
  await eraseFiles(deps, tenantId);
  for (const table of tables) {
    try {
      await eraseRows(system, tenantId, table);
    } catch (error) {
      // Running work holds rows; it ends soon.
      if (!isLockTimeout(error)) throw error;
    }
  }
  await sweepStages(deps);
  await deps.storage.deleteAll(tenantId);
  const jobs = await deps.queue.removeWhere(
    (payload) => (payload as { tenantId?: unknown } | undefined)?.tenantId === tenantId,
  );
  await noteErased(system, tenantId, { queue_jobs: jobs });
  if (await eraseTenantRow(system, tenantId, tables)) deps.logger.info({ tenantId }, 'tenant erased');
}

/** Ends the open matching jobs of a tenant: running batches notice it. One that is completing is not touched. */
const cancelJobs = (db: SystemDb, tenantId: string): Promise<number> =>
  db.execute(
    `update matching_jobs set status = 'cancelled', finished_at = now()
      where tenant_id = $1::uuid and id = any(array(
        select id from matching_jobs where tenant_id = $1::uuid and status in ('queued', 'running')
           for update skip locked))`,
    [tenantId],
  );

/** Waits for the items of the tenant to be deleted at their providers, for a while. */
async function mayErase({ db, logger }: DomainDeps, tenantId: string): Promise<boolean> {
  const [tenant] = await db.system.query<{ items: string[]; isLate: boolean }>(
    `select array(select coalesce(provider_item_id, creation_key::text) from items
                   where tenant_id = t.id and coalesce(provider_item_id, creation_key::text) is not null) as items,
            deleting_since < now() - make_interval(mins => ${maxProviderMinutes}) as "isLate"
       from tenants t where id = $1::uuid and status = 'deleting'`,
    [tenantId],
  );
  if (!tenant) return false;
  if (tenant.items.length > 0 && tenant.isLate)
    logger.error({ tenantId, items: tenant.items }, 'items of a deleted tenant stay at their provider');
  return tenant.items.length === 0 || tenant.isLate;
}

const filesPerStep = 100;

/** Removes the bytes of files before their rows, so that a repetition finds what is left. */
async function eraseFiles({ db: { system }, storage }: DomainDeps, tenantId: string): Promise<void> {
  await repeatWithPauses(async () => {
    const files = await system.query<{ id: string; filePath: string }>(
      `select id::text as id, file_path as "filePath" from data_source_files where tenant_id = $1::uuid
        order by data_source_files.id limit $2::int`,
      [tenantId, filesPerStep],
    );
    for (const { filePath } of files) await storage.delete(filePath);
    await system.transaction(async (tx) => {
      const rows = await tx.execute(
        'delete from data_source_files where tenant_id = $1::uuid and id = any($2::uuid[])',
        [tenantId, files.map(({ id }) => id)],
      );
      await noteErased(tx, tenantId, { stored_files: rows });
    });
    return files.length === filesPerStep;
  });
}

/** Removes the row of a tenant unless anything is left. The lock on it keeps others from adding what refers to it. */
function eraseTenantRow(db: SystemDb, tenantId: string, tables: readonly TenantTable[]): Promise<boolean> {
  return db.transaction(async (tx) => {
    await tx.query('select 1 from tenants where id = $1::uuid for update', [tenantId]);
    const isThere = ({ name }: TenantTable): string => `exists (select 1 from "${name}" where tenant_id = $1::uuid)`;
    const [left] = await tx.query<{ isAny: boolean }>(`select ${tables.map(isThere).join(' or ')} as "isAny"`, [
      tenantId,
    ]);
    if (left?.isAny !== false) return false;
    await tx.execute('delete from rate_limits where owner_id = $1::uuid', [tenantId]);
    return (await tx.execute('delete from tenants where id = $1::uuid', [tenantId])) === 1;
  });
}
