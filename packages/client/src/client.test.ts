import { collectGarbage } from '@tieout/testing';
import { serve, type Answer, type AnsweringServer } from '../testing/server';
import { createClient, type ClientOptions, type Tieout } from './client';
import { TieoutError } from './error';
import type { FileUpload } from './upload';

let server: AnsweringServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function clientOf(answers: Answer[], options: Partial<ClientOptions> = {}): Promise<Tieout> {
  server = await serve(...answers);
  return createClient({ baseUrl: server.url, apiKey: 'rk_1_secret', ...options });
}

const busy = (headers: Record<string, string> = { 'retry-after': '0' }): Answer => ({
  status: 503,
  headers,
  json: { status: 'error', code: 'service_unavailable', message: 'later', request_id: 'r1' },
});
const created: Answer = { status: 201, json: { id: 'd1' } };
const dataset = { body: { name: 'bank', kind: 'records' } } as const;
const page: Answer = { json: { items: [] } };

const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

test('an operation sends its parameters, its body and the headers of the client', async () => {
  const tieout = await clientOf([created], { tenantId: 't1', actor: 'Ana' });
  expect(await tieout.createDataset(dataset)).toEqual({ id: 'd1' });
  expect(server?.received).toMatchObject([
    {
      method: 'POST',
      url: '/v1/datasets',
      body: JSON.stringify(dataset.body),
      headers: {
        'x-api-key': 'rk_1_secret',
        'x-tenant-id': 't1',
        'x-actor': 'Ana',
        'content-type': 'application/json',
      },
    },
  ]);
});

test('conditions of a query become parameters of their own, values of a list one each', async () => {
  const tieout = await clientOf([page]);
  await tieout.listRecords({ query: { dataset: 'a b', conditions: { 'field.no': ['7', '8'] }, limit: 5 } });
  expect(server?.received[0]?.url).toBe('/v1/records?dataset=a+b&field.no=7&field.no=8&limit=5');
});

test('an id that is missing is named before anything is sent', async () => {
  const tieout = await clientOf([{ json: {} }]);
  const input = { path: { id: undefined as unknown as string } };
  await expect(tieout.getRecord(input)).rejects.toThrow('getRecord: path.id is missing');
  const upload = { dataset: 'bank' } as unknown as FileUpload;
  await expect(tieout.files.upload(new Blob(['a,b']), upload)).rejects.toThrow('upload: dataSourceId is missing');
  expect(server?.received).toEqual([]);
});

test('an id is escaped in the path', async () => {
  const tieout = await clientOf([{ json: {} }]);
  await tieout.getRecord({ path: { id: '../x?y' } });
  expect(server?.received[0]?.url).toBe('/v1/records/..%2Fx%3Fy');
});

describe('a failure that may pass', () => {
  test.each([
    ['503', busy()],
    ['no answer', { hangUp: true }],
    ['half an answer', { breaksOff: true }],
    ['half an error', { status: 502, breaksOff: true }],
    ['a key in use', { status: 409, json: { code: 'idempotency_key_in_use', message: 'wait' } }],
  ] satisfies [string, Answer][])('is tried again with the same Idempotency-Key: %s', async (_, answer) => {
    const tieout = await clientOf([answer, created]);
    expect(await tieout.createDataset(dataset)).toEqual({ id: 'd1' });
    const keys = server?.received.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys?.[0], keys?.[0]]);
    expect(keys?.[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is not tried again where the request may have been carried out', async () => {
    const tieout = await clientOf([busy(), page]);
    const error = await failure(tieout.reviewMatches({ body: { ids: ['m1'], action: 'confirm' } }));
    expect(error).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(server?.received).toHaveLength(1);
  });

  test('half an answer to such a request is told as none', async () => {
    const tieout = await clientOf([{ breaksOff: true }, page]);
    const error = await failure(tieout.reviewMatches({ body: { ids: ['m1'], action: 'confirm' } }));
    expect(error).toMatchObject({
      status: 0,
      code: 'no_answer',
      message: expect.stringContaining(server?.url ?? '') as string,
    });
    expect(server?.received).toHaveLength(1);
  });

  test('an answer without content is taken, also where a browser gives it an empty body', async () => {
    const asInBrowsers: ClientOptions['fetch'] = async (...sent) => {
      const answer = await fetch(...sent);
      return Object.defineProperty(answer, 'body', { value: new Blob([]).stream() });
    };
    const tieout = await clientOf([{ status: 204 }], { fetch: asInBrowsers });
    await tieout.deleteDataset({ path: { id: 'd1' } });
    expect(server?.received).toHaveLength(1);
  });

  test('a throttled request is tried again, whatever it does', async () => {
    const tieout = await clientOf([{ ...busy(), status: 429 }, page]);
    await tieout.reviewMatch({ path: { id: 'm1' }, body: { action: 'confirm' } });
    expect(server?.received).toHaveLength(2);
  });

  test('ends with the last answer after the retries', async () => {
    const tieout = await clientOf([busy()], { maxRetries: 2 });
    expect(await failure(tieout.listDatasets())).toMatchObject({ status: 503 });
    expect(server?.received).toHaveLength(3);
  });

  test('is outlasted by default where it takes the 15 s of a restart', async () => {
    jest.useFakeTimers();
    const backMs = Date.now() + 15_000;
    const fetch = async (): Promise<Response> => {
      if (Date.now() < backMs) throw new TypeError('connection refused');
      return Promise.resolve(Response.json(page.json));
    };
    const asked = createClient({ baseUrl: 'https://tieout.example', fetch }).listDatasets();
    await jest.runAllTimersAsync();
    jest.useRealTimers();
    expect(await asked).toEqual(page.json);
  });

  test('is told with the wait before each retry', async () => {
    const told: string[] = [];
    const onRetry: ClientOptions['onRetry'] = ({ reason, waitMs }) => told.push(`${reason}, ${waitMs} ms`);
    const tieout = await clientOf([busy(), page], { onRetry });
    await tieout.listDatasets();
    expect(told).toEqual([`${server?.url} answered 503, 0 ms`]);
  });

  test('is answered as it is when the service asks for a long wait', async () => {
    const tieout = await clientOf([busy({ 'retry-after': '3600' })]);
    expect(await failure(tieout.listDatasets())).toMatchObject({ status: 503 });
    expect(server?.received).toHaveLength(1);
  });

  test.each([
    ['an hour', 3_600_000, 1],
    ['a past date', -3_600_000, 2],
  ])('is tried again no earlier than the date that the service names: %s', async (_, inMs, times) => {
    const tieout = await clientOf([busy({ 'retry-after': new Date(Date.now() + inMs).toUTCString() }), page]);
    await failure(tieout.listDatasets());
    expect(server?.received).toHaveLength(times);
  });

  test('a wait ends at once when the caller aborts', async () => {
    const abort = new AbortController();
    const abortAfterAnswer = async (...sent: [Request, RequestInit]): Promise<Response> => {
      const response = await fetch(...sent);
      setImmediate(() => abort.abort(new Error('enough')));
      return response;
    };
    const tieout = await clientOf([busy({ 'retry-after': '30' })], { fetch: abortAfterAnswer });
    expect(await failure(tieout.listDatasets({ signal: abort.signal }))).toMatchObject({ message: 'enough' });
  });
});

describe('an error', () => {
  test('carries status, code, request id and faults', async () => {
    const errors = [{ path: '/name', code: 'required', message: 'is required' }];
    const tieout = await clientOf([
      {
        status: 400,
        json: { status: 'error', code: 'validation_error', message: '/name is required', request_id: 'r7', errors },
      },
    ]);
    const error = await failure(tieout.createDataset(dataset));
    expect(error).toBeInstanceOf(TieoutError);
    expect(error).toMatchObject({
      name: 'TieoutError',
      message: '/name is required',
      status: 400,
      code: 'validation_error',
      requestId: 'r7',
      errors,
    });
  });

  test('an answer of something else says so', async () => {
    const tieout = await clientOf([{ status: 404, text: '<html>', headers: { 'content-type': 'text/html' } }]);
    expect(await failure(tieout.listDatasets())).toMatchObject({ status: 404, code: 'no_tieout_answer' });
  });

  test('a page of something else is no answer', async () => {
    const tieout = await clientOf([{ status: 200, text: '<html>', headers: { 'content-type': 'text/html' } }]);
    expect(await failure(tieout.listDatasets())).toMatchObject({ status: 200, code: 'no_tieout_answer' });
  });

  test('no answer in time names the address', async () => {
    const never = new Promise<never>(() => undefined);
    const tieout = createClient({
      baseUrl: 'http://tieout.test',
      maxRetries: 0,
      timeoutMs: 10,
      fetch: ({ signal }) =>
        Promise.race([
          never,
          new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
        ]),
    });
    expect(await failure(tieout.listDatasets())).toMatchObject({
      code: 'no_answer',
      status: 0,
      message: 'No answer from http://tieout.test: no answer within 10 ms',
    });
  });
});

describe('while garbage is collected', () => {
  const gone = new Error('enough');
  test.each([
    ['the time of an answer', { timeoutMs: 200 }, undefined, { code: 'no_answer' }],
    ['the signal of its caller', {}, 200, gone],
  ])(
    '%s bounds a request that gets no answer',
    async (_, options, abortAfterMs, expected) => {
      const tieout = await clientOf([{ never: true }], { maxRetries: 0, ...options });
      const abort = new AbortController();
      const collecting = setInterval(collectGarbage, 20);
      if (abortAfterMs !== undefined) setTimeout(() => abort.abort(gone), abortAfterMs);
      expect(await failure(tieout.listDatasets({ signal: abort.signal }))).toMatchObject(expected);
      clearInterval(collecting);
    },
    10_000,
  );
});

describe('a redirect', () => {
  test.each([
    ['a request that reads', (tieout: Tieout) => tieout.listDatasets()],
    ['one that creates', (tieout: Tieout) => tieout.createDataset(dataset)],
    ['an upload', (tieout: Tieout) => tieout.files.upload(new File(['no'], 'a.csv'), { dataSourceId: 's1' })],
  ])('takes the key nowhere else, and is told: %s', async (_, request) => {
    const other = await serve(page);
    const tieout = await clientOf([{ status: 307, headers: { location: `${other.url}/v1?x=1` } }]);
    const error = await failure(request(tieout));
    await other.close();
    expect(other.received).toEqual([]);
    expect(error).toMatchObject({
      status: 307,
      code: 'redirected',
      message: expect.stringContaining(`redirects to ${other.url}/v1, where`) as string,
    });
  });
});

test.each([
  ['a letter', 'rk_1_ключ', 'character 6'],
  ['a line break', 'rk_1_a\nb', 'character 7'],
])('a key that no header can hold is named as such: %s', (_, apiKey, place) => {
  const create = () => createClient({ baseUrl: 'http://tieout.test', apiKey });
  expect(create).toThrow(TieoutError);
  expect(create).toThrow(`The API key cannot be sent: no header can hold its ${place}.`);
});

test('an actor that no header can hold is named as such', async () => {
  const tieout = await clientOf([page]);
  expect(await failure(tieout.listDatasets({ actor: 'Ключ' }))).toMatchObject({
    code: 'unsendable_header',
    message: expect.stringContaining('The name of the actor') as string,
  });
});

describe('an upload that gets no answer of its own', () => {
  const file = new File(['no\n1\n'], 'a.csv');

  test.each([
    ['a lost connection', { hangUp: true }],
    ['half an answer', { breaksOff: true }],
    ['a throttle', { ...busy(), status: 429 }],
    ['a key in use', { status: 409, json: { code: 'idempotency_key_in_use', message: 'wait' } }],
  ] satisfies [string, Answer][])('is sent again as the same request: %s', async (_, answer) => {
    const tieout = await clientOf([answer, { status: 201, json: { id: 'f1' } }]);
    expect(await tieout.files.upload(file, { dataSourceId: 's1' })).toEqual({ id: 'f1' });
    const sent = server?.received.map(({ body, headers }) => [body, headers['idempotency-key']]);
    expect(sent).toEqual([sent?.[0], sent?.[0]]);
  });

  test('says why it is sent again, as other requests do', async () => {
    const told: string[] = [];
    const onRetry = ({ reason }: { reason: string }): number => told.push(reason);
    const tieout = await clientOf([{ hangUp: true }, { status: 201, json: { id: 'f1' } }], { onRetry });
    await tieout.files.upload(file, { dataSourceId: 's1' });
    expect(told).toEqual([expect.stringContaining('No answer from')]);
  });

  test('is sent again no earlier than the service asks for', async () => {
    const waits: number[] = [];
    const onRetry: ClientOptions['onRetry'] = ({ waitMs }) => waits.push(waitMs);
    const answers = [busy({ 'retry-after': '0.6' }), { status: 201, json: { id: 'f1' } }];
    await (await clientOf(answers, { onRetry })).files.upload(file, { dataSourceId: 's1' });
    expect(waits.filter((ms) => ms >= 600)).toHaveLength(1);
  });

  test('is not sent again from a stream, which is read once', async () => {
    const tieout = await clientOf([{ hangUp: true }]);
    expect(await failure(tieout.files.upload(file.stream(), { dataSourceId: 's1' }))).toMatchObject({ status: 0 });
    expect(server?.received).toHaveLength(1);
  });
});

test('controls in the name of a file leave it one name', async () => {
  const tieout = await clientOf([created]);
  await tieout.files.upload(new File(['no'], 'a\u001b[31m"b\n.csv'), { dataSourceId: 's1' });
  expect(server?.received[0]?.body).toContain('filename="a [31m\\"b .csv"\r\n');
});

describe('an upload over a slow line', () => {
  /** Sends a file of parts that leave `pauseMs` after one another, then waits that long for its answer. */
  async function sent(pauseMs: number): Promise<unknown> {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    const fetch: ClientOptions['fetch'] = async (request, { signal }) => {
      for await (const _ of request.body as unknown as AsyncIterable<Uint8Array>) {
        jest.advanceTimersByTime(pauseMs);
        signal.throwIfAborted();
      }
      return Response.json({ id: 'f1' });
    };
    const parts = new ReadableStream<Uint8Array>({
      start: (to) => {
        for (let part = 0; part < 5; part++) to.enqueue(new Uint8Array(10));
        to.close();
      },
    });
    const tieout = createClient({ baseUrl: 'https://tieout.example', fetch });
    const answer = await tieout.files.upload(parts, { dataSourceId: 's1', fileName: 'a.csv' }).catch((e: unknown) => e);
    jest.useRealTimers();
    return answer;
  }

  test('takes as long as it takes while its parts leave', async () => {
    expect(await sent(240_000)).toEqual({ id: 'f1' });
  });

  test('ends where none leaves in time', async () => {
    expect(await sent(301_000)).toMatchObject({
      code: 'no_answer',
      message: expect.stringContaining('300000 ms') as string,
    });
  });
});

test('a file that cannot be read to its end is told as it is', async () => {
  const damaged = new File([], 'a.csv');
  damaged.stream = () => new ReadableStream({ pull: (to) => to.error(new Error('the disk is gone')) });
  const tieout = await clientOf([created]);
  expect(await failure(tieout.files.upload(damaged, { dataSourceId: 's1' }))).toMatchObject({
    message: 'the disk is gone',
  });
});

test('a file is answered as a stream', async () => {
  const tieout = await clientOf([{ text: 'a,b\r\n', headers: { 'content-type': 'text/csv' } }]);
  const response = await tieout.exportAudit();
  expect(await response.text()).toBe('a,b\r\n');
});
