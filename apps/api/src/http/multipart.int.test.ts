import { readdir } from 'node:fs/promises';
import { request as send, type ClientRequest, type IncomingMessage } from 'node:http';
import { Type } from '@sinclair/typebox';
import { beginUpload } from '@tieout/domain';
import { createHttpServer } from '@tieout/infra';
import { eventually, startTestApi, type TestApi, type TestTenant } from '../../testing';
import { tenantAccess } from './access';
import { defineRoute, type MultipartBody } from './define-route';
import { reply } from './reply';
import { listen } from '../listen';
import { featureRoutes } from '../routes';
import { closed } from './schemas';

const limit = 100_000;

const multipart: MultipartBody = {
  part: 'file',
  fileLimitBytes: limit,
  begin: (scope, { id }) => beginUpload(scope, id as string),
};

const upload = defineRoute({
  method: 'post',
  path: '/v1/forms/:id',
  operationId: 'sendForm',
  tag: 'Test',
  summary: 'Upload',
  access: tenantAccess('datasets:write', 'none'),
  params: { id: 'data_source' },
  body: closed({ note: Type.Optional(Type.String()) }),
  multipart,
  responses: {
    200: {
      description: 'What came',
      schema: closed({ name: Type.String(), bytes: Type.Integer(), note: Type.Optional(Type.String()) }),
    },
  },
  handler: async ({ body, file }) => {
    await file.upload.discard();
    return reply(200, { name: file.name, bytes: file.stored.sizeBytes, ...body });
  },
});

let api: TestApi;
let tenant: TestTenant;
let path: string;

beforeAll(async () => {
  api = await startTestApi({ routes: [upload, ...featureRoutes] });
  tenant = await api.newTenant();
  const { body } = await tenant.api.post('/v1/data-sources', { name: 'a', kind: 'b' }).expect(201);
  path = `/v1/forms/${(body as { id: string }).id}`;
});

afterEach(async () => {
  expect(await left()).toEqual({ rows: 0, files: [] });
});

afterAll(() => api.close());

/** Counts the files in the database and in the storage. */
async function left(): Promise<{ rows: number; files: string[] }> {
  const [answer] = await api.service.deps.db.system.query<{ rows: number }>(
    'select count(*)::int as rows from data_source_files',
  );
  const entries = await readdir(api.service.env.STORAGE_URL.slice('file:'.length), {
    recursive: true,
    withFileTypes: true,
  });
  return { rows: answer?.rows ?? 0, files: entries.filter((entry) => entry.isFile()).map(({ name }) => name) };
}

const boundary = 'cut-here';
const part = (name: string, content: string, filename?: string): string => {
  const file = filename === undefined ? '' : `; filename="${filename}"`;
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`;
};
const end = `--${boundary}--\r\n`;

function open(headers: Record<string, string> = {}, url = api.url): ClientRequest {
  return send(`${url}${path}`, {
    method: 'POST',
    agent: false,
    headers: { 'x-api-key': tenant.key, 'content-type': `multipart/form-data; boundary=${boundary}`, ...headers },
  });
}

async function answerTo(call: ClientRequest): Promise<{ status: number | undefined; body: unknown }> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    call.on('response', resolve).on('error', reject),
  );
  let text = '';
  for await (const chunk of answer.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return { status: answer.statusCode, body: JSON.parse(text) as unknown };
}

async function post(body: string): Promise<{ status: number | undefined; body: unknown }> {
  const call = open();
  call.end(body);
  return answerTo(call);
}

test('fields may come before the file and behind it', async () => {
  const before = await post(part('note', 'ü') + part('file', 'abc', 'a.csv') + end);
  const behind = await post(part('file', 'abc', 'a.csv') + part('note', 'ü') + end);
  expect(before).toEqual({ status: 200, body: { name: 'a.csv', bytes: 3, note: 'ü' } });
  expect(behind).toEqual(before);
});

test('a file of the largest size is taken', async () => {
  expect(await post(part('file', 'x'.repeat(limit), 'a.csv') + end)).toMatchObject({
    status: 200,
    body: { bytes: limit },
  });
});

test.each([
  ['a file that is too large', part('file', 'x'.repeat(limit + 1), 'a.csv') + end, 413, { code: 'body_too_large' }],
  [
    'a second file',
    part('file', 'a', 'a.csv') + part('file', 'b', 'b.csv') + end,
    400,
    { errors: [{ path: '/file' }] },
  ],
  [
    'a file under another name',
    part('data', 'a', 'a.csv') + end,
    400,
    { errors: [{ path: '/data', code: 'unknown_key' }] },
  ],
  [
    'a field that occurs twice',
    part('note', 'a') + part('note', 'b') + part('file', 'a', 'a.csv') + end,
    400,
    { errors: [{ path: '/note', code: 'duplicate_parameter' }] },
  ],
  [
    'a field that is too long',
    part('note', 'x'.repeat(5000)) + part('file', 'a', 'a.csv') + end,
    400,
    { errors: [{ path: '/note', code: 'maxLength' }] },
  ],
  [
    'a NUL in a field',
    part('note', 'a\0b') + part('file', 'a', 'a.csv') + end,
    400,
    { errors: [{ path: '/note', code: 'nul_character' }] },
  ],
  [
    'too many fields',
    part('file', 'a', 'a.csv') + Array.from({ length: 60 }, (_, i) => part(`f${i}`, 'a')).join('') + end,
    400,
    { code: 'validation_error' },
  ],
  ['a form that does not end', part('file', 'a', 'a.csv'), 400, { errors: [{ code: 'malformed_form' }] }],
  ['a body that is not a form', 'hello', 400, { code: 'validation_error' }],
  ['an empty body', '', 400, { code: 'validation_error' }],
])('%s is refused, and nothing is left', async (_what, body, status, error) => {
  expect(await post(body)).toMatchObject({ status, body: { status: 'error', ...error } });
});

test('a form without a boundary is refused', async () => {
  const call = open({ 'content-type': 'multipart/form-data' });
  call.end('hello');
  expect(await answerTo(call)).toMatchObject({ status: 400, body: { errors: [{ code: 'malformed_form' }] } });
});

test('a body that announces to be too large is refused before it comes', async () => {
  const call = open({ 'content-length': String(limit + (2 << 20)) });
  call.flushHeaders();
  expect(await answerTo(call)).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  call.destroy();
});

test('an upload that outlasts a shutdown is refused with 503 and leaves nothing', async () => {
  const server = await listen(createHttpServer(api.app.express, {}, api.app.messages), {
    host: '127.0.0.1',
    port: 0,
    requestsMs: 50,
  });
  const call = open({}, `http://127.0.0.1:${server.port}`);
  call.write(part('file', 'x'.repeat(50_000), 'a.csv').slice(0, 40_000));
  await eventually(left, ({ files }) => files.length > 0);
  const answer = answerTo(call);
  await server.close();
  expect(await answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
  await eventually(left, ({ rows, files }) => rows === 0 && files.length === 0);
});

test('an upload that is cut off leaves nothing', async () => {
  const call = open();
  call.on('error', () => undefined);
  call.write(part('file', 'x'.repeat(50_000), 'a.csv').slice(0, 40_000));
  await eventually(left, ({ files }) => files.length > 0);
  call.destroy();
  await eventually(left, ({ rows, files }) => rows === 0 && files.length === 0);
});

test('an upload whose sender leaves as soon as all is sent leaves nothing', async () => {
  const call = open();
  call.on('error', () => undefined);
  call.write(part('file', 'x'.repeat(limit), 'a.csv'));
  await eventually(left, ({ files }) => files.length > 0);
  call.end(end, () => call.destroy());
  await eventually(left, ({ rows, files }) => rows === 0 && files.length === 0);
});
