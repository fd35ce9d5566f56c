import { deleteRecord, getRecord, ingestBulk, ingestRecord, listRecords, readRecords } from '@tieout/domain';
import { defineRoute, pageRequest, reply, replyStream, tenantAccess, type Route } from '../../http';
import { maxRecordBytes, maxRecordsOf, readBulk } from './bulk-body';
import { csvOf } from './csv';
import { presentRecord, replyRecords } from './reply-records';
import {
  acceptedRecordSchema,
  bulkResultSchema,
  createRecordBody,
  createRecordQuery,
  exportRecordsBody,
  filterOfBody,
  filterOfQuery,
  listRecordsQuery,
  recordPageSchema,
  recordSchema,
} from './schemas';

const bulkLimitBytes = 32 << 20;

const create = defineRoute({
  method: 'post',
  path: '/v1/records',
  operationId: 'createRecord',
  tag: 'Records',
  summary: 'Ingest a record',
  description:
    'The external id, or the identity fields of the dataset, identify the record: sending it again replaces its ' +
    'data and has it processed again.',
  access: tenantAccess('records:write', 'none'),
  query: createRecordQuery,
  body: createRecordBody,
  bodyLimitBytes: maxRecordBytes,
  idempotent: true,
  sharesConnection: 'group',
  responses: { 202: { description: 'The record is stored and will be processed', schema: acceptedRecordSchema } },
  handler: async ({ scope, query, body }) =>
    reply(202, await ingestRecord(scope, Object.assign({}, body, { dataset: query.dataset }))),
});

const bulk = defineRoute({
  method: 'post',
  path: '/v1/records/bulk',
  operationId: 'createRecords',
  tag: 'Records',
  summary: 'Ingest many records',
  description:
    'Lines of NDJSON, or a JSON array, of {externalId?, body}. The valid ones are stored together, the others are ' +
    'listed. Of lines with the same external id the last is stored. At most 32 MiB and 200,000 lines.',
  rateClass: 'bulk',
  access: tenantAccess('records:write', 'none'),
  query: createRecordQuery,
  rawBody: { contentTypes: ['application/x-ndjson', 'application/json'], rowsOf: maxRecordsOf },
  bodyLimitBytes: bulkLimitBytes,
  idempotent: true,
  responses: {
    202: { description: 'The numbers of accepted and rejected lines, with errors', schema: bulkResultSchema },
  },
  handler: async ({ scope, query, body, headers }) => {
    const form = /^\s*application\/json\b/i.test(headers['content-type'] ?? '') ? 'array' : 'ndjson';
    return reply(202, await ingestBulk(scope, query.dataset, readBulk(body, form)));
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/records',
  operationId: 'listRecords',
  tag: 'Records',
  summary: 'List records, newest first',
  description:
    'field.<key>=value compares the normalised value of a field, else the raw one, as text. All filters must hold.',
  access: tenantAccess('records:read', 'whole'),
  readsReplica: true,
  query: listRecordsQuery,
  sharesConnection: 'read',
  responses: { 200: { description: 'A page of records', schema: recordPageSchema } },
  handler: async ({ scope, query }) =>
    replyRecords(scope, await listRecords(scope, filterOfQuery(query), pageRequest(query)), {
      recordOf: (record) => record,
      present: (_item, record) => presentRecord(record),
    }),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/records/:id',
  operationId: 'getRecord',
  tag: 'Records',
  summary: 'Read a record',
  access: tenantAccess('records:read', 'whole'),
  params: { id: 'record' },
  sharesConnection: 'read',
  responses: { 200: { description: 'The record', schema: recordSchema } },
  handler: async ({ scope, params }) => reply(200, presentRecord(await getRecord(scope, params.id))),
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/records/:id',
  operationId: 'deleteRecord',
  tag: 'Records',
  summary: 'Delete a record and its matches',
  description: '409 conflict while a matching job of the dataset completes: delete the record after that.',
  access: tenantAccess('records:write', 'none'),
  params: { id: 'record' },
  responses: { 204: { description: 'The record is gone' } },
  handler: async ({ scope, params }) => {
    await deleteRecord(scope, params.id);
    return reply(204);
  },
});

const exportCsv = defineRoute({
  method: 'post',
  path: '/v1/records/export.csv',
  operationId: 'exportRecords',
  tag: 'Records',
  summary: 'Export records as CSV, newest first',
  description:
    'RFC 4180 in UTF-8 with CRLF: record.id, dataset, external_id and the fields, taken from the data. Arrays are ' +
    'joined with ;, objects are JSON, and text that a spreadsheet would read as a formula, or run behind a ;, ' +
    'a tab or a line break, gets a leading apostrophe; a number kept as text, such as -5.00, gets none.',
  rateClass: 'bulk',
  access: tenantAccess('records:read', 'whole'),
  readsReplica: true,
  body: exportRecordsBody,
  lenientBody: true,
  responses: { 200: { description: 'The records, streamed', contentType: 'text/csv; charset=utf-8' } },
  handler: ({ scope, body }) =>
    replyStream(
      200,
      'text/csv; charset=utf-8',
      csvOf(body.fields, (rowsOf) => readRecords(scope, filterOfBody(body.filters), rowsOf)),
    ),
});

// Fixed paths come first, because Express uses the first route that fits.
export const recordRoutes: readonly Route[] = [create, bulk, exportCsv, list, get, remove];
