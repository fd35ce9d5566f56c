import { queueNames } from '@tieout/domain';
import { createLogger, newId } from '@tieout/infra';
import { createTestService, queueDrained, type TestService } from '@tieout/testing';
import request from 'supertest';
import { createDashboard } from './app';
import { credentials, ownMetrics, startTestDashboard, type TestDashboard } from '../testing/test-dashboard';

const { user, password } = credentials;

interface ShownJob {
  id: string;
  name: string;
  failedReason?: string;
  stacktrace: string[];
  data: unknown;
}

interface ShownQueue {
  name: string;
  isPaused: boolean;
  counts: Record<string, number>;
  jobs: ShownJob[];
}

let service: TestService;
let dashboard: TestDashboard;

beforeAll(async () => {
  service = await createTestService();
  dashboard = await startTestDashboard(service.queueSettings);
});

afterAll(async () => {
  await dashboard?.close();
  await service?.close();
});

const get = (path: string) => request(dashboard.url).get(path).auth(user, password);
const put = (path: string) => request(dashboard.url).put(path).auth(user, password);

async function shown(name: string, status = 'latest'): Promise<ShownQueue> {
  const response = await get(`/queues/api/queues?activeQueue=${name}&status=${status}&page=1&jobsPerPage=10`).expect(
    200,
  );
  const queue = (response.body as { queues: ShownQueue[] }).queues.find((q) => q.name === name);
  if (!queue) throw new Error(`queue ${name} is not shown`);
  return queue;
}

describe('credentials', () => {
  test.each(['/', '/queues', '/queues/api/queues', '/queues/static/images/logo.svg', '/unknown'])(
    '%s needs them',
    async (path) => {
      const { headers } = await request(dashboard.url).get(path).expect(401);
      expect(headers['cache-control']).toBe('no-store');
      expect(headers['www-authenticate']).toBe('Basic realm="Tieout queues", charset="UTF-8"');
    },
  );

  test.each([
    ['a wrong password', `${user}:${password}x`],
    ['a wrong user', `x${user}:${password}`],
    ['no password', `${user}:`],
    ['nothing', ''],
  ])('%s is refused', async (_title, sent) => {
    await request(dashboard.url)
      .get('/queues')
      .set('Authorization', `Basic ${Buffer.from(sent).toString('base64')}`)
      .expect(401);
    await request(dashboard.url)
      .put('/queues/api/queues/ingest/pause')
      .set('Authorization', `Basic ${Buffer.from(sent).toString('base64')}`)
      .expect(401);
    expect((await shown('ingest')).isPaused).toBe(false);
  });

  test('another scheme is refused', async () => {
    await request(dashboard.url).get('/queues').set('Authorization', `Bearer ${password}`).expect(401);
  });

  test('the right ones open the page', async () => {
    await get('/').expect(302).expect('Location', '/queues');
    const { text } = await get('/queues').expect(200).expect('Content-Type', /html/);
    expect(text).toContain('<title>Tieout queues</title>');
  });

  test('an address that guesses is refused for a while, even with the right password', async () => {
    const logger = createLogger('dashboard-test', 'silent');
    const app = createDashboard({ queues: [], credentials, checks: {}, logger, metrics: ownMetrics(logger) });
    const statuses: number[] = [];
    for (let i = 0; i < 21; i++)
      statuses.push((await request(app).get('/queues').auth(user, `guess number ${i}`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    const { headers, text } = await request(app).get('/queues').auth(user, password).expect(429);
    expect(text).toMatch(/^Too many wrong passwords for this user from this address\. Try again in \d+ seconds\.\n$/);
    await request(app).get('/queues').auth('somebody else', password).expect(401);
    await request(app).get('/queues').expect(401);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    await request(app).get('/healthz').expect(200);
  });

  test('behind a trusted proxy guesses count for the address that it reports, for all users at a hundred', async () => {
    const logger = createLogger('dashboard-test', 'silent');
    const options = { queues: [], credentials, checks: {}, logger, metrics: ownMetrics(logger) };
    const app = createDashboard({ ...options, trustedProxies: ['loopback'] });
    const guess = (name: string, address: string) =>
      request(app).get('/queues').auth(name, 'wrong').set('x-forwarded-for', address);
    for (let i = 0; i < 100; i++) await guess(`user ${i}`, '203.0.113.9:4711').expect(401);
    const { text } = await guess('another', '203.0.113.9').expect(429);
    expect(text).toMatch(/^Too many wrong passwords from this address\. Try again in \d+ seconds\.\n$/);
    await guess('another', '203.0.113.10').expect(401);
  });
});

describe('health', () => {
  test('liveness and readiness need no credentials', async () => {
    await request(dashboard.url).get('/healthz').expect(200, { status: 'ok' });
    await request(dashboard.url)
      .get('/readyz')
      .expect(200, { status: 'ok', checks: { queue: 'ok' } });
  });

  test('a store that does not answer makes the dashboard unready, and the page says so', async () => {
    const logger = createLogger('dashboard-test', 'silent');
    const checks = { queue: () => Promise.reject(new Error('connection refused')) };
    const app = createDashboard({ queues: [], credentials, checks, logger, metrics: ownMetrics(logger) });
    await request(app)
      .get('/readyz')
      .expect(503, { status: 'error', checks: { queue: 'failed' } });
    await request(app)
      .get('/queues/api/queues')
      .auth(user, password)
      .expect(503, { error: 'The store of the queues does not answer' });
  });
});

describe('a browser', () => {
  test('loads nothing from other hosts, stores no data and frames nothing', async () => {
    const { headers, text } = await get('/queues').expect(200);
    expect(text).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none';script-src 'self';style-src 'self' 'unsafe-inline';img-src 'self' data:;font-src 'self';" +
        "connect-src 'self';worker-src 'self';base-uri 'self';form-action 'self';frame-ancestors 'none'",
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
    expect((await get('/queues/api/queues')).headers).toMatchObject({ 'cache-control': 'no-store' });
    expect((await get('/queues/static/images/logo.svg').expect(200)).headers).toMatchObject({
      'cache-control': 'private, max-age=86400',
    });
  });

  test.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the same site', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin, in a browser that sends no Sec-Fetch-Site', { Origin: 'https://elsewhere.example' }],
    ['a sandboxed page', { Origin: 'null' }],
  ])('cannot change anything from %s', async (_title, headers) => {
    await put('/queues/api/queues/ingest/pause').set(headers).expect(403);
    expect((await shown('ingest')).isPaused).toBe(false);
  });

  test.each([
    ['Sec-Fetch-Site', () => ({ 'Sec-Fetch-Site': 'same-origin', Origin: dashboard.url })],
    ['Origin alone', () => ({ Origin: dashboard.url })],
  ])('may change things from its own page, proved by %s', async (_title, headers) => {
    await put('/queues/api/queues/maintenance/pause').set(headers()).expect(200);
    expect((await shown('maintenance')).isPaused).toBe(true);
    await put('/queues/api/queues/maintenance/resume').set(headers()).expect(200);
    expect((await shown('maintenance')).isPaused).toBe(false);
  });
});

describe('queues', () => {
  test('all queues of the service are shown', async () => {
    const response = await get('/queues/api/queues').expect(200);
    expect((response.body as { queues: ShownQueue[] }).queues.map((queue) => queue.name)).toEqual([...queueNames]);
  });

  test('a paused queue is shown as paused, with its waiting jobs', async () => {
    await put('/queues/api/queues/matching/pause').expect(200);
    await dashboard.producer.enqueue('matching.plan', { jobId: newId() });
    await dashboard.producer.enqueue('matching.plan', { jobId: newId() });
    const queue = await shown('matching', 'waiting');
    expect(queue).toMatchObject({ isPaused: true, counts: { waiting: 2 } });
    expect(queue.jobs).toHaveLength(2);
  });

  test('a failed job shows its error, and runs again when on-call retries it', async () => {
    const recordIds = [newId(), newId()];
    const runs: string[][] = [];
    const { nextFailure, close } = await dashboard.consume((ids) => {
      runs.push(ids);
      return runs.length < 3 ? Promise.reject(new Error(`the database refused run ${runs.length}`)) : Promise.resolve();
    });
    await dashboard.producer.enqueue('records.process', { recordIds });
    expect(await nextFailure()).toBe('the database refused run 1');

    const failed = await shown('ingest', 'failed');
    expect(failed.counts['failed']).toBe(1);
    const [job] = failed.jobs as [ShownJob];
    expect(job).toMatchObject({
      name: 'records.process',
      failedReason: 'the database refused run 1',
      data: { payload: { recordIds } },
    });
    expect(job.stacktrace[0]).toContain('app.int.test.ts');
    await get(`/queues/api/queues/ingest/${job.id}/logs`).expect(200, []);

    await put(`/queues/api/queues/ingest/${job.id}/retry`).expect(204);
    expect(await nextFailure()).toBe('the database refused run 2');
    expect((await shown('ingest', 'failed')).jobs).toMatchObject([
      { id: job.id, failedReason: 'the database refused run 2' },
    ]);

    await put('/queues/api/queues/ingest/retry/failed').expect(200, { retried: 1, skipped: 0 });
    await queueDrained(service.queueSettings, 'ingest');
    await close();
    expect(runs).toEqual([recordIds, recordIds, recordIds]);
    expect((await shown('ingest', 'failed')).counts['failed']).toBe(0);
  });
});
