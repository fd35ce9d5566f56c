import { AppError, isUniqueViolation, newId, type Prisma, type SystemDb } from '@tieout/infra';
import { changesOf, recordAudit } from '../audit';
import { readPage, type Page, type PageRequest } from '../kernel/paging';
import type { Quotas } from '../kernel/quotas';
import type { Origin } from '../kernel/scope';

/**
 * `suspended`: its requests are refused and its work waits. `moving`: the same, until another database has everything
 * that it has. `deleting`: a job erases everything that it has.
 */
export const tenantStatuses = ['active', 'suspended', 'moving', 'deleting'] as const;
export type TenantStatus = (typeof tenantStatuses)[number];

export interface Tenant {
  id: string;
  name: string;
  status: TenantStatus;
  createdAt: Date;
  /** Limits that were set for this tenant; for all others, those of the deployment apply. */
  quotas: Partial<Quotas>;
  /** Set while it is deleted. */
  deletingSince: Date | null;
  /** Rows by table, stored files and queue jobs that are erased. */
  erased: Record<string, number>;
}

type TenantRow = Omit<Tenant, 'status' | 'quotas' | 'erased'> & { status: string; quotas: unknown; erased: unknown };

/** SQL for the row `t` of a tenant: whether its keys and users are known here. */
export const isUsableSql = `t.status <> 'deleting'`;
/** SQL for the row `t` of a tenant: `active`, `suspended`, or `moving` while another database serves it, or will. */
export const stateSql = `case when t.status in ('moved', 'arriving') then 'moving' else t.status end`;
export type TenantState = 'active' | 'suspended' | 'moving';

/** Statuses of the row of a tenant that another database lists. */
const listedElsewhere = ['moved', 'arriving'];

export const tenantMoving = (): AppError =>
  new AppError('tenant_moving', 'The tenant moves to another database: send the request again in a while', {
    retryAfterSeconds: 1,
  });

const toTenant = (row: TenantRow): Tenant => row as Tenant;

/** @throws AppError conflict when a tenant has this id */
export async function createTenant(
  db: SystemDb,
  { id = newId(), name }: { id?: string; name: string },
  origin: Origin,
): Promise<Tenant> {
  try {
    return await db.transaction(async (tx) => {
      const made = toTenant(await tx.orm.tenant.create({ data: { id, name } }));
      const object = { type: 'tenant', id: made.id };
      await recordAudit({ tenantId: made.id, db: tx, origin }, { action: 'tenant.create', object, after: { name } });
      return made;
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', 'A tenant with this id exists');
    throw error;
  }
}

/** All tenants, newest first. */
export async function listTenants(db: SystemDb, request: PageRequest): Promise<Page<Tenant>> {
  const orderBy: Prisma.TenantOrderByWithRelationInput[] = [{ createdAt: 'desc' }, { id: 'desc' }];
  const where = { status: { notIn: listedElsewhere } };
  const page = await readPage(request, {
    count: () => db.orm.tenant.count({ where }),
    rows: ({ skip, take }) => db.orm.tenant.findMany({ where, orderBy, skip, take }),
  });
  return { ...page, items: page.items.map(toTenant) };
}

const tenantNotFound = (): AppError => new AppError('tenant_not_found', 'Tenant not found');

/** @throws AppError tenant_not_found */
export async function getTenant(db: SystemDb, id: string): Promise<Tenant> {
  const row = await db.orm.tenant.findFirst({ where: { id, status: { notIn: listedElsewhere } } });
  if (!row) throw tenantNotFound();
  return toTenant(row);
}

export interface TenantChange {
  name?: string;
  status?: 'active' | 'suspended';
  /** Limits to change; null removes a limit, so that the one of the deployment applies again. */
  quotas?: Partial<Record<keyof Quotas, number | null>>;
}

/**
 * Changes a tenant. Work of one that is suspended leaves the queues and stays in its rows; once it is active again,
 * sweeps enqueue it.
 * @throws AppError tenant_not_found, conflict while it is deleted, tenant_moving
 */
export function updateTenant(
  db: SystemDb,
  { id, change, origin }: { id: string; change: TenantChange; origin: Origin },
): Promise<Tenant> {
  return db.transaction(async (tx) => {
    await tx.query('select 1 from tenants where id = $1::uuid for no key update', [id]);
    const before = await getTenant(tx, id);
    const after = await changeTenant(tx, id, change);
    const changes = changesOf(audited(before), audited(after));
    const object = { type: 'tenant', id };
    if (Object.keys(changes.after).length > 0)
      await recordAudit({ tenantId: id, db: tx, origin }, { action: 'tenant.update', object, ...changes });
    return after;
  });
}

const audited = ({ name, status, quotas }: Tenant): object => ({ name, status, quotas });

async function changeTenant(db: SystemDb, id: string, change: TenantChange): Promise<Tenant> {
  const changed = await db.execute(
    `update tenants set name = coalesce($2, name), status = coalesce($3, status),
            quotas = jsonb_strip_nulls(quotas || $4::jsonb)
      where id = $1::uuid and status in ('active', 'suspended')`,
    [id, change.name ?? null, change.status ?? null, JSON.stringify(change.quotas ?? {})],
  );
  const tenant = await getTenant(db, id);
  if (tenant.status === 'moving') throw tenantMoving();
  if (changed === 0) throw new AppError('conflict', 'The tenant is being deleted: nothing of it can be changed');
  // Sweeps take up a file at once that has been quiet for long.
  if (change.status === 'active')
    await db.execute(
      `update data_source_files set updated_at = to_timestamp(0)
        where tenant_id = $1::uuid and status in ('uploaded', 'processing')`,
      [id],
    );
  return tenant;
}

/** Reads the state of a tenant; callers get 404 for a tenant that is being deleted. */
export async function usableTenant(db: SystemDb, id: string): Promise<{ state: TenantState } | undefined> {
  const [row] = await db.query<{ state: TenantState }>(
    `select ${stateSql} as state from tenants t where t.id = $1::uuid and ${isUsableSql}`,
    [id],
  );
  return row;
}
