import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { invalid } from '@tieout/infra';
import { featureRoutes } from '../routes';
import { reaches, startTestApi, type TestApi, type TestTenant } from '../../testing';
import { closed, defineRoute, replyBytes, replyStream, tenantAccess, type Reply } from '.';

const contentType = 'text/plain; charset=utf-8';
const streamsPerTenant = 16;

let runs = 0;
/** Answers whose chunks are held. */
let held = 0;
let again: () => Reply;

const chunk = 'x'.repeat(1024 * 1024);
/** More than the buffers of the system take: a client that does not read keeps its permit. */
const manyChunks = 16;

function large(): Reply {
  let left = manyChunks;
  const next = (): Promise<IteratorResult<string, undefined>> =>
    Promise.resolve(left-- > 0 ? { done: false, value: chunk } : { done: true, value: undefined });
  const release = (): Promise<IteratorResult<string, undefined>> => {
    held--;
    return Promise.resolve({ done: true, value: undefined });
  };
  held++;
  return replyStream(200, contentType, { [Symbol.asyncIterator]: () => ({ next, return: release }) });
}

const stream = defineRoute({
  method: 'get',
  path: '/v1/stream',
  operationId: 'stream',
  tag: 'Test',
  summary: 'Stream',
  access: tenantAccess('records:read', 'none'),
  query: closed({}),
  responses: { 200: { description: 'Text', contentType } },
  handler: () => {
    runs++;
    return runs > streamsPerTenant + 1 ? again() : large();
  },
});

let api: TestApi;
let tenant: TestTenant;

beforeAll(async () => {
  api = await startTestApi({ routes: [stream, ...featureRoutes] });
});

beforeEach(async () => {
  [runs, held, again] = [0, 0, large];
  tenant = await api.newTenant();
});

afterAll(() => api.close());

function open(): { answer: Promise<IncomingMessage>; leave: () => void } {
  const request = httpGet(`${api.url}/v1/stream`, { agent: false, headers: { 'x-api-key': tenant.key } });
  const answer = once(request, 'response').then(([response]) => response as IncomingMessage);
  answer.catch(() => undefined);
  return { answer, leave: () => request.destroy() };
}

/** Takes all stream permits of the tenant, and lets one more request wait. */
async function crowd() {
  const first = await Promise.all(Array.from({ length: streamsPerTenant }, () => open().answer));
  const waiting = open();
  await reaches(() => runs, streamsPerTenant + 1);
  await reaches(() => api.app.inFlight(), streamsPerTenant + 1);
  return { first, waiting };
}

const lengthOf = async (answer: IncomingMessage): Promise<number> => (await text(answer)).length;
const endOf = async ([first]: readonly IncomingMessage[]): Promise<number> => lengthOf(first as IncomingMessage);
async function leaveAll(answers: readonly IncomingMessage[]): Promise<void> {
  for (const answer of answers) answer.destroy();
  await reaches(() => api.app.inFlight(), 0);
}

test('an answer that waits for a permit holds no chunks: they are produced again when it has one', async () => {
  const { first, waiting } = await crowd();
  await reaches(() => held, streamsPerTenant);
  expect(await endOf(first)).toBe(manyChunks * chunk.length);
  expect(await lengthOf(await waiting.answer)).toBe(manyChunks * chunk.length);
  expect(runs).toBe(streamsPerTenant + 2);
  await leaveAll(first);
  expect(held).toBe(0);
});

test('an answer that has become small when it gets a permit is sent whole', async () => {
  again = () => replyBytes(200, contentType, 'small');
  const { first, waiting } = await crowd();
  await endOf(first);
  expect(await text(await waiting.answer)).toBe('small');
  await leaveAll(first);
});

test('a failure of chunks that are produced again is a proper error and returns the permit', async () => {
  again = () => {
    throw invalid([{ path: '/query', code: 'mode', message: 'is not to be' }]);
  };
  const { first, waiting } = await crowd();
  await endOf(first);
  const answer = await waiting.answer;
  expect([answer.statusCode, JSON.parse(await text(answer))]).toMatchObject([400, { code: 'validation_error' }]);
  again = () => replyBytes(200, contentType, 'next');
  expect(await text(await open().answer)).toBe('next');
  await leaveAll(first);
});

test('nothing is produced again for a client that has gone, and its permit goes to the next', async () => {
  const { first, waiting } = await crowd();
  const next = open();
  await reaches(() => runs, streamsPerTenant + 2);
  const before = runs;
  waiting.leave();
  // When this is answered the server knows that the other client has gone.
  await tenant.api.get('/v1/datasets').expect(200);
  again = () => replyBytes(200, contentType, 'next');
  await endOf(first);
  expect(await text(await next.answer)).toBe('next');
  expect(runs).toBe(before + 1);
  await leaveAll(first);
});
