import { AppError, invalid, isUniqueViolation, newId, type Prisma } from '@tieout/infra';
import { dataSourceExists } from '../data-sources';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { isOf } from '../../kernel/parent-condition';

type JsonMap = Record<string, unknown>;

export interface Dataset {
  id: string;
  dataSourceId: string | null;
  name: string;
  kind: string;
  selection: JsonMap;
  createdAt: Date;
}

/** Longest name in characters: it is part of an index, whose rows have a limit of their own. */
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

/** @throws AppError validation_error at /dataSourceId when there is no such data source, conflict when the name is taken */
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

/** Newest first. */
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
 * The data of the record last created; null when there is none.
 * @throws AppError dataset_not_found
 */
export async function sampleOf(scope: TenantScope, id: string): Promise<JsonMap | null> {
  await getDataset(scope, id);
  const rows = await scope.db.query<{ data: JsonMap }>(
    `select data from records where tenant_id = $1::uuid and ${isOf('dataset_id', '$2::uuid')} order by dataset_id desc, id desc limit 1`,
    [scope.tenantId, id],
  );
  return rows[0]?.data ?? null;
}
