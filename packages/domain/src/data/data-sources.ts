import { AppError, newId } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../kernel/paging';
import type { TenantScope } from '../kernel/scope';

export interface DataSource {
  id: string;
  name: string;
  kind: string;
  createdAt: Date;
}

const selected = { id: true, name: true, kind: true, createdAt: true } as const;

export function createDataSource(scope: TenantScope, input: { name: string; kind: string }): Promise<DataSource> {
  return scope.db.orm.dataSource.create({
    data: { id: newId(), tenantId: scope.tenantId, name: input.name, kind: input.kind },
    select: selected,
  });
}

/** @throws AppError data_source_not_found */
export async function getDataSource(scope: TenantScope, id: string): Promise<DataSource> {
  const row = await scope.db.orm.dataSource.findFirst({ where: { id }, select: selected });
  if (!row) throw new AppError('data_source_not_found', 'Data source not found');
  return row;
}

export async function dataSourceExists(scope: TenantScope, id: string): Promise<boolean> {
  return (await scope.db.orm.dataSource.count({ where: { id } })) > 0;
}

/** Lists data sources, newest first. */
export function listDataSources(scope: TenantScope, request: PageRequest): Promise<Page<DataSource>> {
  return readPage(request, {
    count: () => scope.db.orm.dataSource.count(),
    rows: ({ skip, take }) =>
      scope.db.orm.dataSource.findMany({ orderBy: { id: 'desc' }, skip, take, select: selected }),
  });
}

/**
 * Finds the tenant's data source that has this kind as kind and name, or creates it. Call it inside a transaction that
 * holds a lock against concurrent calls of the tenant.
 */
export async function ensureDataSource(scope: TenantScope, kind: string): Promise<DataSource> {
  const existing = await scope.db.orm.dataSource.findFirst({
    where: { kind, name: kind },
    orderBy: { id: 'asc' },
    select: selected,
  });
  return existing ?? createDataSource(scope, { name: kind, kind });
}
