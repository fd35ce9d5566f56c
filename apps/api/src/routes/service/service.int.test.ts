import { eventually, startTestApi, type TestApi } from '../../../testing';

let api: TestApi;
let failing: Error | undefined;
let asked = 0;

beforeAll(async () => {
  const settled = (): Promise<void> => {
    asked++;
    return failing ? Promise.reject(failing) : Promise.resolve();
  };
  api = await startTestApi({ checks: { database: () => Promise.resolve(), queue: settled } });
});

afterAll(() => api.close());

test('the process is alive, with or without what it needs', async () => {
  failing = new Error('away');
  const { body } = await api.request.get('/healthz').expect(200);
  expect(body).toEqual({ status: 'ok' });
});

test('it is ready when all that it needs answers', async () => {
  failing = undefined;
  const { body } = await api.request.get('/readyz').expect(200);
  expect(body).toEqual({ status: 'ok', checks: { database: 'ok', queue: 'ok' } });
});

test('it is not ready when something does not answer, and says what', async () => {
  failing = new Error('redis://user:password@10.0.0.1 is away');
  const { body } = await eventually(
    async () => api.request.get('/readyz'),
    ({ status }) => status === 503,
  );
  expect(body).toEqual({ status: 'error', checks: { database: 'ok', queue: 'failed' } });
});

test('what it needs is asked once for all that ask whether it is ready', async () => {
  const before = asked;
  await Promise.all(Array.from({ length: 200 }, () => api.request.get('/readyz')));
  expect(asked - before).toBeLessThan(20);
});

test('database and queue of a running service answer', async () => {
  const whole = await startTestApi();
  try {
    const { body } = await whole.request.get('/readyz').expect(200);
    expect(body).toEqual({ status: 'ok', checks: { database: 'ok', queue: 'ok' } });
  } finally {
    await whole.close();
  }
});

test('unknown query parameters are refused here as everywhere', async () => {
  await api.request.get('/healthz?verbose=1').expect(400);
});
