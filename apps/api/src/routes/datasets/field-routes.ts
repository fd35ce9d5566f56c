import {
  createField,
  createFieldsFromColumns,
  deleteField,
  listFields,
  previewFields,
  updateField,
} from '@tieout/domain';
import { defineRoute, reply, tenantAccess, type Route } from '../../http';
import {
  createFieldBody,
  fieldBodyLimitBytes,
  fieldSchema,
  fieldsSchema,
  fieldValuesSchema,
  fromColumnsBody,
  presentField,
  previewFieldsBody,
  updateFieldBody,
} from './schemas';

const reprocessing = 'The records of the dataset are processed again in the background.';

const list = defineRoute({
  method: 'get',
  path: '/v1/datasets/:id/fields',
  operationId: 'listDatasetFields',
  tag: 'Dataset fields',
  summary: 'List the fields of a dataset in the order of their creation',
  access: tenantAccess('datasets:read', 'none'),
  params: { id: 'dataset' },
  responses: { 200: { description: 'The fields', schema: fieldsSchema } },
  handler: async ({ scope, params }) => reply(200, (await listFields(scope, params.id)).map(presentField)),
});

interface FieldSource {
  sourcePath?: string | null;
  transform_expr?: string | null;
}

/** Treats an empty text like null. */
function fieldInput<B extends FieldSource>({ transform_expr: transformExpr, sourcePath, ...rest }: B) {
  return {
    ...rest,
    ...(sourcePath === undefined ? {} : { sourcePath: sourcePath === '' ? null : sourcePath }),
    ...(transformExpr === undefined ? {} : { transformExpr: transformExpr === '' ? null : transformExpr }),
  };
}

const create = defineRoute({
  method: 'post',
  path: '/v1/datasets/:id/fields',
  operationId: 'createDatasetField',
  tag: 'Dataset fields',
  summary: 'Declare a field',
  description: `Its value is transform_expr over the record, else the one at sourcePath, else at key. ${reprocessing}`,
  access: tenantAccess('datasets:write', 'none'),
  params: { id: 'dataset' },
  body: createFieldBody,
  bodyLimitBytes: fieldBodyLimitBytes,
  idempotent: true,
  responses: { 201: { description: 'The field', schema: fieldSchema } },
  handler: async ({ scope, params, body }) =>
    reply(201, presentField(await createField(scope, params.id, fieldInput(body)))),
});

const fromColumns = defineRoute({
  method: 'post',
  path: '/v1/datasets/:id/fields/from-columns',
  operationId: 'createDatasetFieldsFromColumns',
  tag: 'Dataset fields',
  summary: 'Declare a field for every column of the data',
  description:
    'A missing key is derived from the name, a missing type from the present records. A field whose key exists is ' +
    `updated. ${reprocessing}`,
  access: tenantAccess('datasets:write', 'none'),
  params: { id: 'dataset' },
  body: fromColumnsBody,
  bodyLimitBytes: fieldBodyLimitBytes,
  idempotent: true,
  responses: { 200: { description: 'The fields of all columns, in their order', schema: fieldsSchema } },
  handler: async ({ scope, params, body }) =>
    reply(200, (await createFieldsFromColumns(scope, params.id, body.columns)).map(presentField)),
});

const preview = defineRoute({
  method: 'post',
  path: '/v1/datasets/fields/preview',
  operationId: 'previewDatasetFields',
  tag: 'Dataset fields',
  summary: 'Compute fields over data that is sent, without storing anything',
  description: 'Shows what fields would make of records before they are declared or changed.',
  rateClass: 'costly',
  access: tenantAccess('datasets:read', 'none'),
  body: previewFieldsBody,
  bodyLimitBytes: fieldBodyLimitBytes,
  responses: { 200: { description: 'The fields of each record', schema: fieldValuesSchema } },
  handler: async ({ scope, body }) => {
    const fields = body.fields.map((field) => {
      const { decimalSeparator, dateFormat, ...input } = field;
      const notation = {
        ...(decimalSeparator === undefined ? {} : { decimalSeparator }),
        ...(dateFormat === undefined ? {} : { dateFormat }),
      };
      return { sourcePath: null, transformExpr: null, isIdentity: false, ...fieldInput(input), notation };
    });
    const records = await previewFields(scope, { fields, records: body.records });
    return reply(200, { records: records.map(({ values, errors }) => ({ fields: values, errors })) });
  },
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/datasets/fields/:fieldId',
  operationId: 'updateDatasetField',
  tag: 'Dataset fields',
  summary: 'Change a field',
  description: `null or an empty text removes a sourcePath or a transform_expr. ${reprocessing}`,
  access: tenantAccess('datasets:write', 'none'),
  params: { fieldId: 'field' },
  body: updateFieldBody,
  bodyLimitBytes: fieldBodyLimitBytes,
  responses: { 200: { description: 'The field', schema: fieldSchema } },
  handler: async ({ scope, params, body }) =>
    reply(200, presentField(await updateField(scope, params.fieldId, fieldInput(body)))),
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/datasets/fields/:fieldId',
  operationId: 'deleteDatasetField',
  tag: 'Dataset fields',
  summary: 'Delete a field',
  description: reprocessing,
  access: tenantAccess('datasets:write', 'none'),
  params: { fieldId: 'field' },
  responses: { 204: { description: 'The field is gone' } },
  handler: async ({ scope, params }) => {
    await deleteField(scope, params.fieldId);
    return reply(204);
  },
});

export const fieldRoutes: readonly Route[] = [list, create, fromColumns, preview, update, remove];
