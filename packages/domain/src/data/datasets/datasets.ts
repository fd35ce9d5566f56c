import { AppError, invalid, isUniqueViolation, newId, type Prisma } from '@tieout/infra';
import { dataSourceExists, ensureDataSource } from '../data-sources';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { indexFriendlyEquals } from '../../kernel/sql';

type JsonMap = Record<string, unknown>;

export interface Dataset {
  id: string;
  dataSourceId: string | null;
  name: string;
  kind: string;
  selection: JsonMap;
  createdAt: Date;
}

/** Max length in characters: the name is part of an index, whose rows are limited. */
export const datasetNameMaxLength = 600;

const selected = { id: true, dataSourceId: true, name: true, kind: true, selection: true, createdAt: true } as const;

type DatasetRow = Omit<Dataset, 'selection'> & { selection: Prisma.JsonValue };

const toDataset = (row: DatasetRow): Dataset => ({ ...row, selection: row.selection as JsonMap });

export const datasetNotFound = (): AppError => new AppError('dataset_not_found', 'Dataset not found');
const nameTaken = (): AppError => new AppError('conflict', 'A dataset with this name exists');

export interface CreateDataset {
  name: string;
  kind?: string;
  dataSourceId?: string;
  selection?: JsonMap;
}

/**
 * @throws AppError validation_error at /dataSourceId when there is no such data source, conflict when the name is taken
 */
export async function createDataset(scope: TenantScope, input: CreateDataset): Promise<Dataset> {
  const { dataSourceId } = input;
  if (dataSourceId !== undefined && !(await dataSourceExists(scope, dataSourceId))) {
    throw invalid([{ path: '/dataSourceId', code: 'unknown_id', message: 'names no data source' }]);
  }
  try {
    const row = await scope.db.orm.dataset.create({
      data: {
        id: newId(),
        tenantId: scope.tenantId,
        name: input.name,
        kind: input.kind ?? 'records',
        dataSourceId: dataSourceId ?? null,
        selection: (input.selection ?? {}) as Prisma.InputJsonObject,
      },
      select: selected,
    });
    return toDataset(row);
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken();
    throw error;
  }
}

/** @throws AppError dataset_not_found */
export async function getDataset(scope: TenantScope, id: string): Promise<Dataset> {
  const row = await scope.db.orm.dataset.findFirst({ where: { id }, select: selected });
  if (!row) throw datasetNotFound();
  return toDataset(row);
}

/** Lists datasets, newest first. */
export async function listDatasets(scope: TenantScope, request: PageRequest): Promise<Page<Dataset>> {
  const page = await readPage(request, {
    count: () => scope.db.orm.dataset.count(),
    rows: ({ skip, take }) => scope.db.orm.dataset.findMany({ orderBy: { id: 'desc' }, skip, take, select: selected }),
  });
  return { ...page, items: page.items.map(toDataset) };
}

export interface UpdateDataset {
  name?: string;
  kind?: string;
  selection?: JsonMap;
}

/** @throws AppError dataset_not_found, conflict when the name is taken */
export async function updateDataset(scope: TenantScope, id: string, input: UpdateDataset): Promise<Dataset> {
  const { selection, ...rest } = input;
  try {
    const [row] = await scope.db.orm.dataset.updateManyAndReturn({
      where: { id },
      data: { ...rest, ...(selection === undefined ? {} : { selection: selection as Prisma.InputJsonObject }) },
      select: selected,
    });
    if (!row) throw datasetNotFound();
    return toDataset(row);
  } catch (error) {
    if (isUniqueViolation(error)) throw nameTaken();
    throw error;
  }
}

/**
 * Returns the data of the newest record; null if there is none.
 * @throws AppError dataset_not_found
 */
export async function sampleOf(scope: TenantScope, id: string): Promise<JsonMap | null> {
  await getDataset(scope, id);
  const rows = await scope.db.query<{ data: JsonMap }>(
    `select data from records where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')}
      order by dataset_id desc, id desc limit 1`,
    [scope.tenantId, id],
  );
  return rows[0]?.data ?? null;
}

export interface DatasetRef {
  id: string;
  name: string;
}

async function findByName(scope: TenantScope, name: string): Promise<DatasetRef | undefined> {
  const rows = await scope.db.query<DatasetRef>(
    'select id::text as id, name from datasets where tenant_id = $1::uuid and name = $2',
    [scope.tenantId, name],
  );
  return rows[0];
}

/**
 * Finds a dataset by name, or creates it with kind `records` in the given data source, by default in the tenant's one
 * of kind `api`. Concurrent calls, in any process, create one dataset and one data source.
 */
export async function ensureDataset(scope: TenantScope, name: string, dataSourceId?: string): Promise<DatasetRef> {
  const existing = await findByName(scope, name);
  if (existing) return existing;
  return scope.transaction(async (tx) => {
    await tx.db.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))::text`, [`first use ${tx.tenantId}`]);
    const existingNow = await findByName(tx, name);
    if (existingNow) return existingNow;
    const sourceId = dataSourceId ?? (await ensureDataSource(tx, 'api')).id;
    // `createDataset` takes no lock: the second caller reads the row of the first.
    await tx.db.execute(
      `insert into datasets (id, tenant_id, data_source_id, name, kind)
       values ($1::uuid, $2::uuid, $3::uuid, $4, 'records') on conflict (tenant_id, name) do nothing`,
      [newId(), tx.tenantId, sourceId, name],
    );
    const dataset = await findByName(tx, name);
    if (!dataset) throw new AppError('conflict', 'The dataset was deleted while it was being created');
    return dataset;
  });
}

/** Progress of normalising the records of a dataset under its present fields. */
export interface DatasetProgress {
  fieldsVersion: number;
  total: number;
  /** Records that are ready or failed under the present fields. */
  processed: number;
}

/**
 * After a change of fields, records go back to `received` step by step: the remaining ones are those not yet taken back
 * and those that wait.
 * @throws AppError dataset_not_found
 */
export async function datasetProgress(scope: TenantScope, id: string): Promise<DatasetProgress> {
  const [row] = await scope.db.query<{ fieldsVersion: number; total: number; received: number; untouched: number }>(
    `select d.fields_version as "fieldsVersion", counts.total, counts.received,
            case when d.reprocessed_version >= d.fields_version then 0
                 when d.reprocessing_version = d.fields_version then counts.total - d.reprocess_taken
                 else counts.total end as untouched
     from datasets d
     cross join lateral (
       select (select count(*)::int from records r where r.tenant_id = d.tenant_id and r.dataset_id = d.id) as total,
              (select count(*)::int from records r
                where r.tenant_id = d.tenant_id and r.dataset_id = d.id and r.status = 'received') as received
     ) counts
     where d.tenant_id = $1::uuid and d.id = $2::uuid`,
    [scope.tenantId, id],
  );
  if (!row) throw datasetNotFound();
  const { fieldsVersion, total, received, untouched } = row;
  // A record that arrives during the count may count as both.
  const remaining = Math.min(total, Math.max(0, untouched) + received);
  return { fieldsVersion, total, processed: total - remaining };
}
