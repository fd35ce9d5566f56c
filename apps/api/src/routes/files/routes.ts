import path from 'node:path';
import { Type, type Static } from '@sinclair/typebox';
import {
  beginPreview,
  beginUpload,
  datasetNameMaxLength,
  getFile,
  listFileErrors,
  listFiles,
  maxFileBytes,
  type FileOptions,
  type PreviewUpload,
  type Upload,
} from '@tieout/domain';
import {
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  presentPage,
  reply,
  seesRecords,
  tenantAccess,
  type MultipartBody,
  type Route,
} from '../../http';
import { presentPreview, previewSchema } from './preview';
import { fileSchema, presentFile, rowErrorSchema, uploadFields } from './schemas';

const multipart: MultipartBody<Upload> = {
  part: 'file',
  fileLimitBytes: maxFileBytes,
  begin: (scope, ids) => beginUpload(scope, ids['id'] as string),
};

const upload = defineRoute({
  method: 'post',
  path: '/v1/data-sources/:id/files',
  operationId: 'uploadFile',
  tag: 'Files',
  summary: 'Upload a file of records',
  description:
    'CSV, TSV, XLSX, JSON, NDJSON, OFX, QIF, MT940, MT942, camt.052, camt.053 or camt.054, or a ZIP archive with one ' +
    'of them, at most 256 MiB. Its rows become records of the dataset in the background; its errors list the rows ' +
    'that cannot be read. Content that the dataset has already received adds nothing; with other reading options it ' +
    'replaces its earlier rows.',
  rateClass: 'bulk',
  access: tenantAccess('datasets:write', 'parts'),
  params: { id: 'data_source' },
  body: uploadFields,
  multipart,
  idempotent: true,
  responses: { 202: { description: 'The file is stored and will be processed', schema: fileSchema } },
  handler: async ({ scope, body, file, principal }) => {
    const { dataset, ...options } = body;
    const view = await file.upload.finish(scope, {
      stored: file.stored,
      originalName: file.name,
      dataset: dataset ?? baseName(file.name),
      options: optionsOf(options),
      ...(body.replaces === undefined ? {} : { replaces: body.replaces }),
    });
    return reply(202, presentFile(view, seesRecords(principal)));
  },
});

const previewed: MultipartBody<PreviewUpload> = {
  part: 'file',
  fileLimitBytes: maxFileBytes,
  begin: (scope) => beginPreview(scope),
};

const preview = defineRoute({
  method: 'post',
  path: '/v1/files/preview',
  operationId: 'previewFile',
  tag: 'Files',
  summary: 'Show how a file would be read',
  description:
    'Takes the fields of an upload and stores nothing: the reading, the first 50 rows as their records would ' +
    'be, with ' +
    'the cells that do not fit, and the warnings. A file that cannot be read is a 400 that says why.',
  rateClass: 'bulk',
  access: tenantAccess('datasets:read', 'none'),
  body: uploadFields,
  multipart: previewed,
  responses: { 200: { description: 'How the file would be read', schema: previewSchema } },
  handler: async ({ scope, body: { dataset, ...body }, file }) => {
    const found = await file.upload.preview(scope, {
      name: file.name,
      options: optionsOf(body),
      ...(dataset === undefined ? {} : { dataset }),
      ...(body.replaces === undefined ? {} : { replaces: body.replaces }),
    });
    return reply(200, presentPreview(found));
  },
});

/** Picks the options of a form; a tab is written `\\t`. */
function optionsOf({ delimiter, replaces: _, ...options }: Omit<Static<typeof uploadFields>, 'dataset'>): FileOptions {
  return {
    ...options,
    ...(delimiter === undefined ? {} : { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
  };
}

/** Strips folders and extension from a file name. */
function baseName(name: string): string {
  const base = path.posix.basename(name.replaceAll('\\', '/'));
  const stem = base.slice(0, base.length - path.posix.extname(base).length).trim();
  return [...(stem === '' ? 'file' : stem)].slice(0, datasetNameMaxLength).join('');
}

const list = defineRoute({
  method: 'get',
  path: '/v1/data-sources/:id/files',
  operationId: 'listFiles',
  tag: 'Files',
  summary: 'List the files of a data source, newest first',
  access: tenantAccess('datasets:read', 'parts'),
  readsReplica: true,
  params: { id: 'data_source' },
  query: closed({
    ...pageQuery,
    limit: Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'Files on a page' }),
  }),
  responses: { 200: { description: 'The files', schema: Type.Array(fileSchema) } },
  handler: async ({ scope, params, query, principal }) => {
    const files = await listFiles(scope, params.id, query);
    return reply(
      200,
      files.map((file) => presentFile(file, seesRecords(principal))),
    );
  },
});

const params = { id: 'data_source', fileId: 'file' } as const;

const get = defineRoute({
  method: 'get',
  path: '/v1/data-sources/:id/files/:fileId',
  operationId: 'getFile',
  tag: 'Files',
  summary: 'Read a file: its status and progress',
  access: tenantAccess('datasets:read', 'parts'),
  params,
  responses: { 200: { description: 'The file', schema: fileSchema } },
  handler: async ({ scope, params: { id, fileId }, principal }) =>
    reply(200, presentFile(await getFile(scope, id, fileId), seesRecords(principal))),
});

const errors = defineRoute({
  method: 'get',
  path: '/v1/data-sources/:id/files/:fileId/errors',
  operationId: 'listFileErrors',
  tag: 'Files',
  summary: 'List the rows of a file that could not be used',
  description:
    'In the order of the lines: rows that could not be read and so are not records, and rows with a value that does ' +
    'not fit its field, which are records of status failed.',
  access: tenantAccess('datasets:read', 'whole'),
  readsReplica: true,
  params,
  query: closed(pageQuery),
  responses: { 200: { description: 'A page of rows', schema: pageOf(rowErrorSchema) } },
  handler: async ({ scope, params: { id, fileId }, query }) =>
    reply(
      200,
      presentPage(await listFileErrors(scope, id, fileId, pageRequest(query)), (error) => error),
    ),
});

export const fileRoutes: readonly Route[] = [upload, preview, list, get, errors];
