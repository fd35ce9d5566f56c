import { AppError, mapEach } from '@tieout/infra';
import { groupsByWeight, MAX_SENT_BYTES } from '../../kernel/by-weight';
import { withLockPatience } from '../../kernel/lock-timeout';
import { beginRemoval, deleteResultsOfRecords } from '../../results/matches';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import type { JsonObject } from './field';
import { recordCondition, type RecordFilter } from './filter';
import {
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
import { dataWeight } from './weigh';

const recordNotFound = (): AppError => new AppError('record_not_found', 'Record not found');

/** @throws AppError record_not_found */
export async function getRecord(scope: TenantScope, id: string): Promise<RecordView> {
  const rows = await scope.db.shortReads.query<RecordRow>(
    `select ${recordColumns} from records r join datasets d on d.id = r.dataset_id where r.tenant_id = $1::uuid and r.id = $2::uuid`,
    [scope.tenantId, id],
  );
  const record = rows[0];
  if (!record) throw recordNotFound();
  return viewOf(record);
}

/** Records by id; unknown ids are left out. */
export async function recordsById(scope: TenantScope, ids: readonly string[]): Promise<Map<string, ListedRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await scope.db.query<ListedRow>(
    `select ${listedColumns} from records r join datasets d on d.id = r.dataset_id ${weightOfRecord}
     where r.tenant_id = $1::uuid and r.id = any($2::uuid[])`,
    [scope.tenantId, ids],
  );
  return new Map(allOrNone(rows.map(listed)).map((record) => [record.id, record]));
}

/** Where one is too large for its page, none is kept: such a page waits for its reader, and holds little meanwhile. */
function allOrNone(records: readonly ListedRecord[]): readonly ListedRecord[] {
  if (!records.some(isHeavy)) return records;
  return records.map((record) =>
    isHeavy(record) ? record : { id: record.id, weight: record.data.text.length + (record.fields?.text.length ?? 0) },
  );
}

const isWhole = (row: LightRow): row is RecordRow => row.data !== null && row.datasetName !== null;

/** Newest first. */
export async function listRecords(
  scope: TenantScope,
  filter: RecordFilter,
  request: PageRequest,
): Promise<Page<ListedRecord>> {
  const { sql, order, keptTotal, parameters } = recordCondition(scope.tenantId, filter);
  const from = `from records r where ${sql}`;
  let total: number | null = null;
  return readPage(request, {
    count: async () =>
      total ??
      (await scope.db.query<{ total: number }>(`select count(*)::float8 as total ${from}`, parameters))[0]?.total ??
      0,
    rows: async ({ beforeId, sql: slice, isUsual }) => {
      const db = keptTotal !== undefined && isUsual ? scope.db.shortReads : scope.db;
      const before = beforeId === undefined ? '' : `and r.id < $${parameters.length + 1}::uuid`;
      const rows = await db.query<LightRow & { total: number | null }>(
        `select ${lightColumns}, ${keptTotal ?? 'null::float8'} as total from (select * ${from} ${before} order by ${order} ${slice}) r
           left join datasets d on d.id = r.dataset_id order by r.id desc`,
        beforeId === undefined ? parameters : [...parameters, beforeId],
      );
      const others = await recordsById(
        scope,
        rows.flatMap(({ id, data }) => (data === null ? [id] : [])),
      );
      // One that was removed meanwhile, or is about to be with its dataset, keeps its place, so that the page knows whether another one follows.
      total = rows[0]?.total ?? null;
      return allOrNone(
        rows.map((row) => (isWhole(row) ? viewOf(row) : (others.get(row.id) ?? { id: row.id, weight: 0 }))),
      );
    },
  });
}

/**
 * The text of items of a list with the records that they hold, in groups of a megabyte at most, or of one that is larger. Between two
 * groups no connection is held, and nothing of a group but its text. An item whose record was removed meanwhile is left out.
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
  return mapEach(groupsByWeight(weighed, MAX_SENT_BYTES), async (group) => {
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
    `select ${recordColumns} from records r join datasets d on d.id = r.dataset_id where r.tenant_id = $1::uuid and r.id = any($2::uuid[])`,
    [scope.tenantId, ids],
  );
  return new Map(rows.map((row) => [row.id, viewOf(row)]));
}

/**
 * Removes a record, its matches, the composites that name it and its place among the unmatched records of jobs.
 * @throws AppError record_not_found, conflict while a job of its dataset completes
 */
export async function deleteRecord(scope: TenantScope, id: string): Promise<void> {
  await scope.db.transaction((tx) =>
    withLockPatience(
      tx,
      "A matching job of the record's dataset is completing: delete it again when it has",
      async () => {
        const [record] = await tx.query<{ datasetId: string }>(
          `select dataset_id::text as "datasetId" from records where tenant_id = $1::uuid and id = $2::uuid`,
          [scope.tenantId, id],
        );
        if (!record) throw recordNotFound();
        await beginRemoval(tx, record.datasetId);
        const removed = await tx.execute(`delete from records where tenant_id = $1::uuid and id = $2::uuid`, [
          scope.tenantId,
          id,
        ]);
        if (removed !== 1) throw recordNotFound();
        await deleteResultsOfRecords(tx, scope.tenantId, record.datasetId, [id]);
      },
    ),
  );
}

export interface ExportedRecord {
  id: string;
  datasetName: string;
  externalId: string | null;
  data: JsonObject;
}

const EXPORT_PAGE = 1000;

/**
 * What is made of all records that a filter names, newest first, in groups of a megabyte at most, if it is not one that is larger. Between
 * two groups no connection, no transaction and no record is held, however slow the reader is; records that are added meanwhile do not appear.
 */
export async function* readRecords<T>(
  scope: TenantScope,
  filter: RecordFilter,
  make: (records: readonly ExportedRecord[]) => T,
): AsyncGenerator<T, void, void> {
  let before: string | undefined;
  for (;;) {
    const page = await weighPage(scope, filter, before);
    yield* mapEach(groupsByWeight(page, MAX_SENT_BYTES), async (group) => {
      const records = await loadGroup(
        scope,
        group.map((row) => row.id),
      );
      return records.length > 0 ? make(records) : undefined;
    });
    before = page.at(-1)?.id;
    if (before === undefined || page.length < EXPORT_PAGE) return;
  }
}

function weighPage(
  scope: TenantScope,
  filter: RecordFilter,
  before: string | undefined,
): Promise<{ id: string; weight: number }[]> {
  const { sql, order, parameters } = recordCondition(scope.tenantId, filter);
  const position = before === undefined ? '' : `and r.id < $${parameters.length + 1}::uuid`;
  return scope.db.query<{ id: string; weight: number }>(
    `select r.id, ${dataWeight} as weight from records r where ${sql} ${position} order by ${order} limit ${EXPORT_PAGE}`,
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
