import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { invalid } from '@tieout/infra';
import { featureRoutes } from '../routes';
import { reaches, startTestApi, type TestApi, type TestTenant } from '../../testing';
import { closed, defineRoute, replyBytes, replyStream, tenantAccess, type Reply } from '.';

const contentType = 'text/plain; charset=utf-8';
const placesOfTenant = 16;

let runs = 0;
/** Answers whose chunks somebody has in hand. */
let held = 0;
let again: () => Reply;

const chunk = 'x'.repeat(1024 * 1024);
/** More than the buffers of the system take: who does not read it keeps its place. */
const manyChunks = 16;

function large(): Reply {
  let left = manyChunks;
  const next = (): Promise<IteratorResult<string, undefined>> =>
    Promise.resolve(left-- > 0 ? { done: false, value: chunk } : { done: true, value: undefined });
  const letGo = (): Promise<IteratorResult<string, undefined>> => {
    held -= 1;
    return Promise.resolve({ done: true, value: undefined });
  };
  held += 1;
  return replyStream(200, contentType, { [Symbol.asyncIterator]: () => ({ next, return: letGo }) });
}

const stream = defineRoute({
  method: 'get',
  path: '/v1/stream',
  operationId: 'stream',
  tag: 'Test',
  summary: 'Stream',
  access: tenantAccess('records:read'),
  query: closed({}),
  responses: { 200: { description: 'Text', contentType } },
  handler: () => {
    runs += 1;
    return runs > placesOfTenant + 1 ? again() : large();
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

/** All places of the tenant are taken, and one more request waits. */
async function crowd() {
  const first = await Promise.all(Array.from({ length: placesOfTenant }, () => open().answer));
  const waiting = open();
  await reaches(() => runs, placesOfTenant + 1);
  await reaches(() => api.app.inFlight(), placesOfTenant + 1);
  return { first, waiting };
}

const lengthOf = async (answer: IncomingMessage): Promise<number> => (await text(answer)).length;
const endOf = async ([first]: readonly IncomingMessage[]): Promise<number> => lengthOf(first as IncomingMessage);
async function leaveAll(answers: readonly IncomingMessage[]): Promise<void> {
  for (const answer of answers) answer.destroy();
  await reaches(() => api.app.inFlight(), 0);
}

test('who waits for a place holds no chunks: they are made anew when there is one', async () => {
  const { first, waiting } = await crowd();
  await reaches(() => held, placesOfTenant);
  expect(await endOf(first)).toBe(manyChunks * chunk.length);
  expect(await lengthOf(await waiting.answer)).toBe(manyChunks * chunk.length);
  expect(runs).toBe(placesOfTenant + 2);
  await leaveAll(first);
  expect(held).toBe(0);
});

test('an answer that is small by the time that there is a place is sent whole', async () => {
  again = () => replyBytes(200, contentType, 'small');
  const { first, waiting } = await crowd();
  await endOf(first);
  expect(await text(await waiting.answer)).toBe('small');
  await leaveAll(first);
});

test('a failure of the chunks that are made anew is a proper error, and leaves its place', async () => {
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

test('nothing is made anew for a caller that has gone meanwhile, and its place goes to the next', async () => {
  const { first, waiting } = await crowd();
  const next = open();
  await reaches(() => runs, placesOfTenant + 2);
  const before = runs;
  waiting.leave();
  // By the time that this is answered the server has seen the other one go.
  await tenant.api.get('/v1/datasets').expect(200);
  again = () => replyBytes(200, contentType, 'next');
  await endOf(first);
  expect(await text(await next.answer)).toBe('next');
  expect(runs).toBe(before + 1);
  await leaveAll(first);
});
