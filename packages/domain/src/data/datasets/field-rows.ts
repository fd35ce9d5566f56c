import { AppError, invalid, isUniqueViolation } from '@tieout/infra';
import { compileExpression, ExpressionError } from '@tieout/engine';
import type { JobProducer } from '../../kernel/jobs';
import type { TenantScope } from '../../kernel/scope';
import { datasetNotFound } from './datasets';
import type { FieldType } from '../../kernel/ports';

/** A declared field of a dataset. */
export interface DatasetField {
  id: string;
  datasetId: string;
  name: string;
  type: FieldType;
  key: string;
  sourcePath: string | null;
  transformExpr: string | null;
  isIdentity: boolean;
  createdAt: Date;
}

export const selectedField = {
  id: true,
  datasetId: true,
  name: true,
  type: true,
  key: true,
  sourcePath: true,
  transformExpr: true,
  isIdentity: true,
  createdAt: true,
} as const;

type FieldRow = Omit<DatasetField, 'type'> & { type: string };

export const toField = (row: FieldRow): DatasetField => ({ ...row, type: row.type as FieldType });

/** Attributes that determine the normalised values of a record. */
export const normalisingAttributes = ['key', 'type', 'sourcePath', 'transformExpr', 'isIdentity'] as const;

/** @throws AppError validation_error at transform_expr of the field, with position and token of a syntax error */
export function checkTransform(expression: string | null | undefined, field = ''): void {
  if (expression === null || expression === undefined) return;
  try {
    compileExpression(expression);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { code, message, position, token } = error;
    throw invalid([
      {
        path: `${field}/transform_expr`,
        code,
        message,
        ...(position === undefined ? {} : { position }),
        ...(token === undefined ? {} : { token }),
      },
    ]);
  }
}

/**
 * Locks the fields of a dataset against changes until the transaction ends; writers of records do not wait.
 * @throws AppError dataset_not_found
 */
export async function lockFields(tx: TenantScope, datasetId: string): Promise<void> {
  const rows = await tx.db.query(
    'select 1 from datasets where tenant_id = $1::uuid and id = $2::uuid for no key update',
    [tx.tenantId, datasetId],
  );
  if (rows.length === 0) throw datasetNotFound();
}

/**
 * Locks the fields and the set of records of a dataset until the transaction ends.
 * @throws AppError dataset_not_found
 */
export async function lockRecords(tx: TenantScope, datasetId: string): Promise<void> {
  const rows = await tx.db.query('select 1 from datasets where tenant_id = $1::uuid and id = $2::uuid for update', [
    tx.tenantId,
    datasetId,
  ]);
  if (rows.length === 0) throw datasetNotFound();
}

/**
 * Marks all records of a dataset as outdated, and has them processed again after the commit.
 * @param recordsAreLocked the caller holds `lockRecords`: a dataset without records then needs no processing
 */
export async function fieldsChanged(tx: TenantScope, datasetId: string, recordsAreLocked = false): Promise<void> {
  const [row] = await tx.db.query<{ version: number; done: boolean }>(
    `update datasets d
        set fields_version = fields_version + 1,
            reprocessed_version = case
              when $3::boolean
                and not exists (select 1 from records r where r.tenant_id = d.tenant_id and r.dataset_id = d.id)
              then fields_version + 1 else reprocessed_version end
      where tenant_id = $1::uuid and id = $2::uuid
      returning fields_version as version, reprocessed_version = fields_version as done`,
    [tx.tenantId, datasetId, recordsAreLocked],
  );
  if (!row) throw datasetNotFound();
  if (row.done) return;
  await tx.db.afterCommit(() =>
    enqueueReprocessing(tx.queue, { tenantId: tx.tenantId, datasetId, version: row.version }),
  );
}

/** Enqueues one queue job per version of a dataset's fields; a repeated call changes nothing. */
export async function enqueueReprocessing(
  queue: JobProducer,
  dataset: { tenantId: string; datasetId: string; version: number },
): Promise<void> {
  const { tenantId, datasetId, version } = dataset;
  await queue.enqueue('dataset.reprocess', { tenantId, datasetId }, { jobId: `reprocess-${datasetId}-${version}` });
}

/** Turns a unique violation of the key into a conflict. */
export async function uniqueKey<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', 'The dataset has a field with this key');
    throw error;
  }
}
