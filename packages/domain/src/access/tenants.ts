import { AppError, isUniqueViolation, newId, type SystemDb } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../kernel/paging';

export interface Tenant {
  id: string;
  name: string;
  createdAt: Date;
}

/** @throws AppError conflict when a tenant has this id */
export async function createTenant(db: SystemDb, input: { id?: string; name: string }): Promise<Tenant> {
  try {
    return await db.orm.tenant.create({ data: { id: input.id ?? newId(), name: input.name } });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', 'A tenant with this id exists');
    throw error;
  }
}

/** All tenants, newest first. */
export function listTenants(db: SystemDb, request: PageRequest): Promise<Page<Tenant>> {
  return readPage(request, {
    count: () => db.orm.tenant.count(),
    rows: ({ skip, take }) => db.orm.tenant.findMany({ orderBy: [{ createdAt: 'desc' }, { id: 'desc' }], skip, take }),
  });
}

export async function tenantExists(db: SystemDb, id: string): Promise<boolean> {
  return (await db.query('select 1 from tenants where id = $1::uuid', [id])).length > 0;
}
