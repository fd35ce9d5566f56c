import { AppError, extendContext, mapEach } from '@tieout/infra';
import { groupsByWeight, maxSentBytes } from '../../kernel/grouping';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import type { JsonObject } from '../../kernel/ports';
import { recordCondition, type RecordFilter } from './filter';
import {
  dataWeight,
  isHeavy,
  lightColumns,
  listed,
  listedColumns,
  recordColumns,
  viewOf,
  weightOfRecord,
  type LightRow,
  type ListedRecord,
  type ListedRow,
  type RecordRow,
  type RecordView,
} from './record';

export const recordNotFound = (): AppError => new AppError('record_not_found', 'Record not found');

/** @throws AppError record_not_found */
export async function getRecord(scope: TenantScope, id: string): Promise<RecordView> {
  const rows = await scope.db.shortReads.query<RecordRow>(
    `select ${recordColumns} from records r join datasets d on d.id = r.dataset_id
      where r.tenant_id = $1::uuid and r.id = $2::uuid`,
    [scope.tenantId, id],
  );
  const record = rows[0];
  if (!record) throw recordNotFound();
  return viewOf(record);
}

/** Reads records by id; unknown ids are absent. */
export async function recordsById(scope: TenantScope, ids: readonly string[]): Promise<Map<string, ListedRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await scope.db.query<ListedRow>(
    `select ${listedColumns} from records r join datasets d on d.id = r.dataset_id ${weightOfRecord}
     where r.tenant_id = $1::uuid and r.id = any($2::uuid[])`,
    [scope.tenantId, ids],
  );
  return new Map(allOrNone(rows.map(listed)).map((record) => [record.id, record]));
}

/**
 * Keeps only the weights of all records if one is too large for the page: a page that waits for its reader holds
 * little.
 */
function allOrNone(records: readonly ListedRecord[]): readonly ListedRecord[] {
  if (!records.some(isHeavy)) return records;
  return records.map((record) =>
    isHeavy(record) ? record : { id: record.id, weight: record.data.text.length + (record.fields?.text.length ?? 0) },
  );
}

const isWhole = (row: LightRow): row is RecordRow => row.data !== null && row.datasetName !== null;

/** Lists records, newest first. */
export async function listRecords(
  scope: TenantScope,
  filter: RecordFilter,
  request: PageRequest,
): Promise<Page<ListedRecord>> {
  const { sql, order, totalSql, parameters } = recordCondition(scope.tenantId, filter);
  const from = `from records r where ${sql}`;
  let total: number | null = null;
  return readPage(request, {
    count: async () =>
      total ??
      (await scope.db.query<{ total: number }>(`select count(*)::float8 as total ${from}`, parameters))[0]?.total ??
      0,
    rows: async ({ beforeId, sql: slice, isCommon }) => {
      const db = totalSql !== undefined && isCommon ? scope.db.shortReads : scope.db;
      const before = beforeId === undefined ? '' : `and r.id < $${parameters.length + 1}::uuid`;
      const rows = await db.query<LightRow & { datasetId: string | null; total: number | null }>(
        `select ${lightColumns}, d.id::text as "datasetId", ${totalSql ?? 'null::float8'} as total
           from (select * ${from} ${before} order by ${order} ${slice}) r
           left join datasets d on d.id = r.dataset_id order by r.id desc`,
        beforeId === undefined ? parameters : [...parameters, beforeId],
      );
      const others = await recordsById(
        scope,
        rows.flatMap(({ id, data }) => (data === null ? [id] : [])),
      );
      // A record that is deleted before it is read keeps its place, because the page must know whether it is the last.
      total = rows[0]?.total ?? null;
      if (filter.dataset !== undefined) logDataset(rows[0]?.datasetId);
      return allOrNone(
        rows.map((row) => (isWhole(row) ? viewOf(row) : (others.get(row.id) ?? { id: row.id, weight: 0 }))),
      );
    },
  });
}

/**
 * Yields the texts of list items with their records, in groups of max a megabyte, or of one larger item. Between groups
 * it holds no connection, and only the text of the group. Items whose record has been deleted are left out.
 */
export function withRecords<T>(
  scope: TenantScope,
  items: readonly T[],
  { recordOf, textOf }: { recordOf: (item: T) => ListedRecord; textOf: (item: T, record: RecordView) => string },
): AsyncIterable<string[]> {
  const weighed = items.map((item) => {
    const record = recordOf(item);
    return { item, record, weight: isHeavy(record) ? record.weight : 0 };
  });
  return mapEach(groupsByWeight(weighed, maxSentBytes), async (group) => {
    const views = await wholeRecords(
      scope,
      group.flatMap(({ record }) => (isHeavy(record) ? [record.id] : [])),
    );
    return group.flatMap(({ item, record }) => {
      const view = isHeavy(record) ? views.get(record.id) : record;
      return view ? [textOf(item, view)] : [];
    });
  });
}

async function wholeRecords(scope: TenantScope, ids: readonly string[]): Promise<Map<string, RecordView>> {
  if (ids.length === 0) return new Map();
  const rows = await scope.db.query<RecordRow>(
    `select ${recordColumns} from records r join datasets d on d.id = r.dataset_id
      where r.tenant_id = $1::uuid and r.id = any($2::uuid[])`,
    [scope.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, viewOf(row)]));
}

export interface ExportedRecord {
  id: string;
  datasetName: string;
  externalId: string | null;
  data: JsonObject;
}

const exportPageSize = 1000;

/**
 * Yields what `make` returns for the records of a filter, newest first, in groups of max a megabyte, or of one larger
 * record. Between groups it holds no connection, transaction or record, however slow the reader is. Records that are
 * added during the read do not appear.
 */
export async function* readRecords<T>(
  scope: TenantScope,
  filter: RecordFilter,
  make: (records: readonly ExportedRecord[]) => T,
): AsyncGenerator<T, void, void> {
  await noteDataset(scope, filter);
  let before: string | undefined;
  for (;;) {
    const page = await weighPage(scope, filter, before);
    yield* mapEach(groupsByWeight(page, maxSentBytes), async (group) => {
      const records = await loadGroup(
        scope,
        group.map((row) => row.id),
      );
      return records.length > 0 ? make(records) : undefined;
    });
    before = page.at(-1)?.id;
    if (before === undefined || page.length < exportPageSize) return;
  }
}

async function noteDataset({ db, tenantId }: TenantScope, { dataset }: RecordFilter): Promise<void> {
  if (dataset === undefined) return;
  const [found] = await db.query<{ id: string }>(
    'select id::text as id from datasets where tenant_id = $1::uuid and name = $2',
    [tenantId, dataset],
  );
  logDataset(found?.id);
}

/** Adds the dataset to the log lines of this work: its name would not identify the one that was read. */
function logDataset(datasetId: string | null | undefined): void {
  if (typeof datasetId === 'string') extendContext({ datasetId });
}

function weighPage(
  scope: TenantScope,
  filter: RecordFilter,
  before: string | undefined,
): Promise<{ id: string; weight: number }[]> {
  const { sql, order, parameters } = recordCondition(scope.tenantId, filter);
  const position = before === undefined ? '' : `and r.id < $${parameters.length + 1}::uuid`;
  return scope.db.query<{ id: string; weight: number }>(
    `select r.id, ${dataWeight} as weight from records r
      where ${sql} ${position} order by ${order} limit ${exportPageSize}`,
    before === undefined ? parameters : [...parameters, before],
  );
}

function loadGroup(scope: TenantScope, ids: readonly string[]): Promise<ExportedRecord[]> {
  return scope.db.query<ExportedRecord>(
    `select r.id, d.name as "datasetName", r.external_id as "externalId", r.data
     from records r join datasets d on d.id = r.dataset_id
     where r.tenant_id = $1::uuid and r.id = any($2::uuid[]) order by r.id desc`,
    [scope.tenantId, ids],
  );
}

/** Reads records by their ids, in the form that expressions read. */
export async function recordValues(
  { db, tenantId }: TenantScope,
  ids: readonly string[],
): Promise<Map<string, JsonObject>> {
  const rows = await db.query<{ id: string; value: JsonObject }>(
    `select id::text as id, data || coalesce(fields, '{}') as value from records
      where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, value }) => [id, value]));
}
