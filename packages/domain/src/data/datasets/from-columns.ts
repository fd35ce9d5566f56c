import { readPath } from '@tieout/engine';
import { fieldsForColumns, slug, typeOfColumn, uniqueKeyFor, type NewField, type SampleRow } from '@tieout/formats';
import { invalid, newId, type FieldError } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { indexFriendlyEquals } from '../../kernel/sql';
import {
  fieldsChanged,
  lockFields,
  lockRecords,
  normalisingAttributes,
  selectedField,
  toField,
  type DatasetField,
} from './field-rows';
import type { FieldType } from '../../kernel/ports';
import { loadNotations } from './notation';

/** A column of the tenant's data, with its original name. */
export interface Column {
  name: string;
  type?: FieldType;
  key?: string;
}

const sampleSize = 200;

/**
 * Declares a field for every column, or updates the field with its key. A missing key or type is derived from the
 * column's name and the dataset's records. Returns the fields in the order of the columns.
 * @throws AppError dataset_not_found, validation_error when two columns have one key
 */
export async function createFieldsFromColumns(
  scope: TenantScope,
  datasetId: string,
  columns: readonly Column[],
): Promise<DatasetField[]> {
  const keys = keysOf(columns);
  return scope.transaction(async (tx) => {
    await lockFields(tx, datasetId);
    const rows = await tx.db.orm.datasetField.findMany({ where: { datasetId }, select: selectedField });
    const existing = new Map(rows.map((row) => [row.key, toField(row)]));
    const sample = await readSample(tx, datasetId);
    const fields: DatasetField[] = [];
    let changed = false;
    for (const [i, column] of columns.entries()) {
      const key = keys[i] as string;
      const before = existing.get(key);
      const wanted = describe(column, key, before, sample);
      const written = before
        ? await tx.db.orm.datasetField.update({ where: { id: before.id }, data: wanted, select: selectedField })
        : await tx.db.orm.datasetField.create({
            data: { id: newId(), tenantId: tx.tenantId, datasetId, ...wanted },
            select: selectedField,
          });
      const after = toField(written);
      changed ||= normalisingAttributes.some((attribute) => before?.[attribute] !== after[attribute]);
      fields.push(after);
    }
    if (changed) await fieldsChanged(tx, datasetId);
    return fields;
  });
}

/**
 * Declares a field for every column that no field reads yet. It locks the set of records, so a dataset without records
 * needs no processing afterwards.
 * @throws AppError dataset_not_found
 */
export async function addFieldsForColumns(
  scope: TenantScope,
  datasetId: string,
  columns: readonly { name: string; type: FieldType }[],
): Promise<void> {
  await scope.transaction(async (tx) => {
    await lockRecords(tx, datasetId);
    const fields = await tx.db.orm.datasetField.findMany({ where: { datasetId }, select: selectedField });
    await insertFields(tx, datasetId, fieldsForColumns(fields, columns));
  });
}

/** Declares the fields of a dataset that has none. A dataset that has fields is not changed. */
export async function addFields(scope: TenantScope, datasetId: string, fields: readonly NewField[]): Promise<void> {
  await scope.transaction(async (tx) => {
    await lockRecords(tx, datasetId);
    if ((await tx.db.orm.datasetField.count({ where: { datasetId } })) === 0) await insertFields(tx, datasetId, fields);
  });
}

async function insertFields(tx: TenantScope, datasetId: string, fields: readonly NewField[]): Promise<void> {
  if (fields.length === 0) return;
  await tx.db.orm.datasetField.createMany({
    data: fields.map((field) => ({ id: newId(), tenantId: tx.tenantId, datasetId, ...field })),
  });
  await fieldsChanged(tx, datasetId, true);
}

/** Returns the key of each column: the given one, or a unique one made from its name. */
function keysOf(columns: readonly Column[]): string[] {
  const taken = new Set<string>();
  const errors: FieldError[] = [];
  columns.forEach(({ key }, i) => {
    if (key === undefined) return;
    if (taken.has(key))
      errors.push({ path: `/columns/${i}/key`, code: 'duplicate_key', message: 'is the key of another column' });
    taken.add(key);
  });
  if (errors.length > 0) throw invalid(errors);
  return columns.map((column) => {
    if (column.key !== undefined) return column.key;
    const key = uniqueKeyFor(slug(column.name), taken);
    taken.add(key);
    return key;
  });
}

async function readSample(tx: TenantScope, datasetId: string): Promise<SampleRow[]> {
  const rows = await tx.db.query<{ data: SampleRow['data']; fileId: string | null }>(
    `select data, file_id as "fileId" from records
      where tenant_id = $1::uuid and ${indexFriendlyEquals('dataset_id', '$2::uuid')}
      order by dataset_id desc, id desc limit ${sampleSize}`,
    [tx.tenantId, datasetId],
  );
  const notations = await loadNotations(tx, [...new Set(rows.flatMap(({ fileId }) => fileId ?? []))]);
  return rows.map(({ data, fileId }) => ({
    data,
    file: (fileId === null ? undefined : notations.get(fileId)) ?? null,
  }));
}

function describe(column: Column, key: string, before: DatasetField | undefined, sample: readonly SampleRow[]) {
  const sourcePath = sourceOf(column, key, before, sample);
  const path = sourcePath ?? key;
  const type = column.type ?? (holds(sample, path) || !before ? typeOfColumn(path, sample) : before.type);
  return { name: column.name, key, type, sourcePath };
}

/**
 * Returns the path of a column's values; null: the key. The data decides between the column's name and its key. Without
 * data, a given key is the path, and a derived key means that the name is.
 */
function sourceOf(
  column: Column,
  key: string,
  before: DatasetField | undefined,
  sample: readonly SampleRow[],
): string | null {
  if (column.name === key) return null;
  if (holds(sample, column.name)) return column.name;
  if (holds(sample, key)) return null;
  if (before) return before.sourcePath;
  return column.key === undefined ? column.name : null;
}

const holds = (sample: readonly SampleRow[], path: string): boolean =>
  sample.some(({ data }) => readPath(data, path) !== undefined);
