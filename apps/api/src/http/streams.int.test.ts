import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { invalid } from '@tieout/infra';
import { startTestApi, type TestApi } from '../../testing';
import { closed, defineRoute, publicAccess, replyStream, textEnum } from '.';

const chunk = 'x'.repeat(64 * 1024);
let released: string[] = [];
let produced = 0;

/** A source that records its release. */
async function* source(mode: string): AsyncGenerator<string> {
  try {
    if (mode === 'fails-at-once') throw invalid([{ path: '/query/mode', code: 'mode', message: 'is not to be' }]);
    await Promise.resolve();
    yield 'first\r\n';
    if (mode === 'fails-later') throw new Error('secret insides');
    if (mode === 'ends') return;
    for (;;) {
      produced++;
      yield chunk;
    }
  } finally {
    released.push(mode);
  }
}

const stream = defineRoute({
  method: 'get',
  path: '/v1/stream',
  operationId: 'stream',
  tag: 'Test',
  summary: 'Stream',
  access: publicAccess(),
  query: closed({ mode: textEnum(['ends', 'empty', 'fails-at-once', 'fails-later', 'endless']) }),
  responses: { 200: { description: 'Text', contentType: 'text/csv; charset=utf-8' } },
  handler: ({ query }) => {
    const chunks = query.mode === 'empty' ? (async function* () {})() : source(query.mode);
    return replyStream(200, 'text/csv; charset=utf-8', chunks, { 'Content-Disposition': 'attachment' });
  },
});

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi({ routes: [stream] });
});

beforeEach(() => {
  released = [];
  produced = 0;
});

afterAll(() => api.close());

function open(mode: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    httpGet(`${api.url}/v1/stream?mode=${mode}`, { agent: false }, resolve).on('error', reject);
  });
}

/** Resolves when a condition holds; the test's own time limit is the deadline. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

test('a stream arrives whole, with its headers', async () => {
  const { text, headers } = await api.request.get('/v1/stream?mode=ends').expect(200);
  expect(text).toBe('first\r\n');
  expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'content-disposition': 'attachment' });
  expect(headers['x-request-id']).toBeDefined();
  expect(released).toEqual(['ends']);
});

test('an empty stream is an empty answer', async () => {
  const { text } = await api.request.get('/v1/stream?mode=empty').expect(200);
  expect(text).toBe('');
});

test('a failure before the first chunk is a proper error', async () => {
  const { body } = await api.request.get('/v1/stream?mode=fails-at-once').expect(400);
  expect(body).toMatchObject({ status: 'error', code: 'validation_error' });
  expect(released).toEqual(['fails-at-once']);
});

test('a failure half-way cuts the connection, so that no client takes a part for the whole', async () => {
  const read = async (): Promise<void> => {
    const response = await open('fails-later');
    response.resume();
    await once(response, 'end');
  };
  await expect(read()).rejects.toThrow(/aborted|hang up/);
  expect(released).toEqual(['fails-later']);
});

test('the source runs at the pace of the client and stops when the client leaves', async () => {
  const response = await open('endless');
  await once(response, 'readable');
  // The source pauses once the buffers of the sockets are full.
  let seen = -1;
  await until(() => {
    const steady = seen === produced && produced > 1;
    seen = produced;
    return steady;
  });
  expect(produced).toBeLessThan(1000);
  response.on('error', () => undefined);
  response.destroy();
  await until(() => released.length > 0);
  expect(released).toEqual(['endless']);
});
