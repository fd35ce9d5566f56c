import { AppError, newId } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import { getDataset } from './datasets';
import type { FieldType } from '../../kernel/ports';
import {
  checkTransform,
  fieldsChanged,
  lockFields,
  normalisingAttributes,
  selectedField,
  toField,
  uniqueKey,
  type DatasetField,
} from './field-rows';

/**
 * Lists the fields of a dataset in the order of their creation.
 * @throws AppError dataset_not_found
 */
export async function listFields(scope: TenantScope, datasetId: string): Promise<DatasetField[]> {
  await getDataset(scope, datasetId);
  const rows = await scope.db.orm.datasetField.findMany({
    where: { datasetId },
    orderBy: { id: 'asc' },
    select: selectedField,
  });
  return rows.map(toField);
}

export interface CreateField {
  name: string;
  key: string;
  type: FieldType;
  sourcePath?: string | null;
  transformExpr?: string | null;
  isIdentity?: boolean;
}

/**
 * @throws AppError dataset_not_found, conflict when the key is taken, validation_error for a transform that does not
 *   parse
 */
export async function createField(scope: TenantScope, datasetId: string, input: CreateField): Promise<DatasetField> {
  checkTransform(input.transformExpr);
  return scope.transaction(async (tx) => {
    await lockFields(tx, datasetId);
    const row = await uniqueKey(
      tx.db.orm.datasetField.create({
        data: {
          id: newId(),
          tenantId: tx.tenantId,
          datasetId,
          name: input.name,
          key: input.key,
          type: input.type,
          sourcePath: input.sourcePath ?? null,
          transformExpr: input.transformExpr ?? null,
          isIdentity: input.isIdentity ?? false,
        },
        select: selectedField,
      }),
    );
    await fieldsChanged(tx, datasetId);
    return toField(row);
  });
}

const fieldNotFound = (): AppError => new AppError('dataset_field_not_found', 'Field not found');

/** Reads a field after locking the fields of its dataset against changes. */
async function lockField(tx: TenantScope, id: string): Promise<DatasetField> {
  const found = await tx.db.orm.datasetField.findFirst({ where: { id }, select: { datasetId: true } });
  if (!found) throw fieldNotFound();
  await lockFields(tx, found.datasetId);
  const row = await tx.db.orm.datasetField.findFirst({ where: { id }, select: selectedField });
  if (!row) throw fieldNotFound();
  return toField(row);
}

export type UpdateField = Partial<CreateField>;

/**
 * @throws AppError dataset_field_not_found, conflict when the key is taken, validation_error for a transform that does
 *   not
 *   parse
 */
export async function updateField(scope: TenantScope, id: string, input: UpdateField): Promise<DatasetField> {
  checkTransform(input.transformExpr);
  return scope.transaction(async (tx) => {
    const before = await lockField(tx, id);
    if (Object.keys(input).length === 0) return before;
    const after = toField(
      await uniqueKey(tx.db.orm.datasetField.update({ where: { id }, data: input, select: selectedField })),
    );
    if (normalisingAttributes.some((attribute) => before[attribute] !== after[attribute])) {
      await fieldsChanged(tx, before.datasetId);
    }
    return after;
  });
}

/** @throws AppError dataset_field_not_found */
export async function deleteField(scope: TenantScope, id: string): Promise<void> {
  await scope.transaction(async (tx) => {
    const { datasetId } = await lockField(tx, id);
    await tx.db.orm.datasetField.delete({ where: { id } });
    await fieldsChanged(tx, datasetId);
  });
}
