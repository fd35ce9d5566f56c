import { AppError, newId } from '@tieout/infra';
import { ensureDataSource } from '../data-sources';
import type { TenantScope } from '../../kernel/scope';

export interface DatasetRef {
  id: string;
  name: string;
}

async function find(scope: TenantScope, name: string): Promise<DatasetRef | undefined> {
  const rows = await scope.db.query<DatasetRef>(
    'select id::text as id, name from datasets where tenant_id = $1::uuid and name = $2',
    [scope.tenantId, name],
  );
  return rows[0];
}

/**
 * The dataset of a name, made on first use with kind `records`; it belongs to the data source given, else to the tenant's
 * one of kind `api`. Calls at the same time, in any process, give one dataset and one data source.
 */
export async function ensureDataset(scope: TenantScope, name: string, dataSourceId?: string): Promise<DatasetRef> {
  const existing = await find(scope, name);
  if (existing) return existing;
  return scope.transaction(async (tx) => {
    await tx.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))::text`, [`first use ${tx.tenantId}`]);
    const made = await find(tx, name);
    if (made) return made;
    const sourceId = dataSourceId ?? (await ensureDataSource(tx, 'api')).id;
    // Creating a dataset of this name by hand takes no lock: whoever comes second reads the other's row.
    await tx.db.execute(
      `insert into datasets (id, tenant_id, data_source_id, name, kind)
       values ($1::uuid, $2::uuid, $3::uuid, $4, 'records') on conflict (tenant_id, name) do nothing`,
      [newId(), tx.tenantId, sourceId, name],
    );
    const dataset = await find(tx, name);
    if (!dataset) throw new AppError('conflict', 'The dataset was deleted while it was being created');
    return dataset;
  });
}
