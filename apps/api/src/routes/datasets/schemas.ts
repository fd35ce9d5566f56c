import { Type } from '@sinclair/typebox';
import {
  datasetNameMaxLength,
  fieldKeyMaxLength,
  fieldKeyPattern,
  fieldTypes,
  type Dataset,
  type DatasetField,
  type DatasetProgress,
} from '@tieout/domain';
import { closed, freeForm, nullable, textEnum, timestamp, uuid } from '../../http';

const datasetExample = {
  id: '01994e6c-4d30-7f66-9e24-8d3f5a7b9c43',
  data_source_id: null,
  name: 'transactions',
  kind: 'records',
  selection: {},
  created_at: '2026-09-15T08:33:00.000Z',
};

export const datasetSchema = closed(
  {
    id: uuid(),
    data_source_id: nullable(uuid()),
    name: Type.String(),
    kind: Type.String(),
    selection: freeForm({ description: 'Free form: the part of the source that the dataset holds' }),
    created_at: timestamp(),
  },
  { $id: 'Dataset', examples: [datasetExample] },
);

export const progressSchema = closed(
  {
    status: textEnum(['idle', 'processing'], {
      description: 'processing: records wait to be normalised, for the first time or after a change of fields',
    }),
    fields_version: Type.Integer({ minimum: 1, description: 'Raised by every change of the fields' }),
    records_total: Type.Integer({ minimum: 0 }),
    records_processed: Type.Integer({ minimum: 0, description: 'Ready or failed under the present fields' }),
    percent: Type.Number({ minimum: 0, maximum: 100 }),
  },
  {
    $id: 'DatasetProgress',
    examples: [{ status: 'processing', fields_version: 4, records_total: 1200, records_processed: 300, percent: 25 }],
  },
);

const name = Type.String({ minLength: 1, maxLength: datasetNameMaxLength, description: 'Unique within the tenant' });
const kind = Type.String({ minLength: 1 });

export const createDatasetBody = closed(
  {
    name,
    kind: Type.Optional(Type.String({ minLength: 1, description: '`records` when absent' })),
    dataSourceId: Type.Optional(uuid()),
    selection: Type.Optional(freeForm()),
  },
  { examples: [{ name: 'transactions' }] },
);

export const updateDatasetBody = closed(
  { name: Type.Optional(name), kind: Type.Optional(kind), selection: Type.Optional(freeForm()) },
  { examples: [{ name: 'bank transactions' }] },
);

export const sampleSchema = closed(
  { sample: nullable(freeForm(), { description: 'The data of the record last created' }) },
  { examples: [{ sample: { amount: '120.50', date: '2026-09-01' } }] },
);

const fieldExample = {
  id: '01994e6c-5e40-7077-af35-9e4a6b8cad54',
  dataset_id: datasetExample.id,
  name: 'Valor Total',
  type: 'amount',
  key: 'valor_total',
  source_path: 'Valor Total',
  transform_expr: null,
  is_identity: false,
  created_at: '2026-09-15T08:34:00.000Z',
};

export const fieldSchema = closed(
  {
    id: uuid(),
    dataset_id: uuid(),
    name: Type.String(),
    type: textEnum(fieldTypes),
    key: Type.String({ pattern: fieldKeyPattern }),
    source_path: nullable(Type.String()),
    transform_expr: nullable(Type.String()),
    is_identity: Type.Boolean({ description: 'The field takes part in identifying a record that has no external id' }),
    created_at: timestamp(),
  },
  { $id: 'DatasetField', examples: [fieldExample] },
);

export const fieldsSchema = Type.Array(fieldSchema);

const fieldName = Type.String({ minLength: 1 });
const type = textEnum(fieldTypes);
const key = Type.String({ minLength: 1, maxLength: fieldKeyMaxLength, pattern: fieldKeyPattern });

const source = {
  sourcePath: Type.Optional(nullable(Type.String(), { description: 'Dotted path into the record; `key` when absent' })),
  transform_expr: Type.Optional(
    nullable(Type.String({ maxLength: 65536 }), { description: 'JSONata over the record; used instead of sourcePath' }),
  ),
  isIdentity: Type.Optional(Type.Boolean()),
};

/** Expressions of 65,536 characters may have 256 KiB in UTF-8, and twice that when escaped. */
export const fieldBodyLimitBytes = 1024 * 1024;

export const createFieldBody = closed(
  { name: fieldName, key, type, ...source },
  { examples: [{ name: 'Valor Total', key: 'valor_total', type: 'amount', sourcePath: 'Valor Total' }] },
);

export const updateFieldBody = closed(
  { name: Type.Optional(fieldName), key: Type.Optional(key), type: Type.Optional(type), ...source },
  { examples: [{ type: 'amount' }] },
);

export const fromColumnsBody = closed(
  {
    columns: Type.Array(
      closed({
        name: fieldName,
        type: Type.Optional(textEnum(fieldTypes, { description: 'Inferred from the records when absent' })),
        key: Type.Optional(key),
      }),
      { maxItems: 5000 },
    ),
  },
  { examples: [{ columns: [{ name: 'Valor Total' }, { name: 'Data', type: 'date', key: 'date' }] }] },
);

export const previewFieldsBody = closed(
  {
    fields: Type.Array(
      closed({
        key,
        type,
        sourcePath: source.sourcePath,
        transform_expr: source.transform_expr,
        decimalSeparator: Type.Optional(
          textEnum(['.', ','] as const, { description: 'Of numbers that are text. Default: .' }),
        ),
        dateFormat: Type.Optional(
          Type.String({ maxLength: 40, description: 'Of dates that are not ISO 8601, such as DD/MM/YYYY' }),
        ),
      }),
      { minItems: 1, maxItems: 200 },
    ),
    records: Type.Array(freeForm({ description: 'The data of a record' }), { minItems: 1, maxItems: 50 }),
  },
  {
    examples: [
      {
        fields: [{ key: 'total', type: 'amount', transform_expr: '$amount(price) * quantity' }],
        records: [{ price: 'EUR 2.50', quantity: 3 }],
      },
    ],
  },
);

export const fieldValuesSchema = closed({
  records: Type.Array(
    closed({
      fields: freeForm({ description: 'Values by key of the field' }),
      errors: Type.Array(closed({ field: Type.String(), code: Type.String(), message: Type.String() }), {
        description: 'Fields without a value, and why',
      }),
    }),
    { description: 'In the order of the records' },
  ),
});

export const presentDataset = (dataset: Dataset) => ({
  id: dataset.id,
  data_source_id: dataset.dataSourceId,
  name: dataset.name,
  kind: dataset.kind,
  selection: dataset.selection,
  created_at: dataset.createdAt.toISOString(),
});

export const presentProgress = ({ fieldsVersion, total, processed }: DatasetProgress) => ({
  status: processed < total ? ('processing' as const) : ('idle' as const),
  fields_version: fieldsVersion,
  records_total: total,
  records_processed: processed,
  percent: total === 0 ? 100 : Math.floor((processed / total) * 1000) / 10,
});

export const presentField = (field: DatasetField) => ({
  id: field.id,
  dataset_id: field.datasetId,
  name: field.name,
  type: field.type,
  key: field.key,
  source_path: field.sourcePath,
  transform_expr: field.transformExpr,
  is_identity: field.isIdentity,
  created_at: field.createdAt.toISOString(),
});
