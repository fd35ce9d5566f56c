import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import axios from 'axios';
import { startNetwork, testServers, type TestNetwork } from '@tieout/testing';
import { root } from './support/architecture/load';
import { monitoringFiles, namedMetrics } from './support/monitoring';
import { eventually, startStack, type ProcessName, type Stack } from './support/stack';
import { TenantClient } from './support/tenant';

/** Nothing of this may be in a log; each place has its own text, to tell which one is leaked. */
const marked = (place: string): string => `${place}-${randomBytes(8).toString('hex')}`;
const places = {
  record: marked('record'),
  value: marked('value'),
  expression: marked('expression'),
  thrown: marked('thrown'),
  transform: marked('transform'),
  file: marked('file'),
  rejected: marked('rejected'),
  filter: marked('filter'),
  webhookSecret: marked('hook'),
  webhookPath: marked('path'),
  credential: marked('credential'),
  wrongKey: marked('key'),
  malformed: marked('malformed'),
  token: marked('token'),
  idempotency: marked('idempotency'),
  platformKey: marked('platform-key-of-the-operator'),
  dashboard: marked('dashboard'),
  guess: marked('guess'),
};
const secretsKey = randomBytes(32).toString('hex');

const names: readonly ProcessName[] = [
  'api',
  'ingest-worker',
  'matching-worker',
  'webhook-worker',
  'background-worker',
  'dashboard',
];

let databaseLine: TestNetwork;
let queueLine: TestNetwork | undefined;
let stack: Stack;

beforeAll(async () => {
  const { databaseUrl, redisUrl } = testServers();
  databaseLine = await startNetwork(databaseUrl);
  queueLine = redisUrl === undefined ? undefined : await startNetwork(redisUrl);
  const settings = {
    LOG_LEVEL: 'debug',
    METRICS_TOKEN: places.token,
    SECRETS_KEY: secretsKey,
    PLATFORM_API_KEY: places.platformKey,
    DASHBOARD_PASSWORD: places.dashboard,
    ...(queueLine ? { QUEUE_URL: queueLine.url } : {}),
  };
  stack = await startStack(settings, databaseLine.url);
  await stack.start('dashboard');
});

afterAll(async () => {
  await stack.close();
  await Promise.all([databaseLine.close(), queueLine?.close()]);
});

const lines = (): Record<string, unknown>[] =>
  stack
    .log()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

async function metricsOf(name: ProcessName): Promise<string> {
  return (
    await axios.get<string>(`${stack.urlOf(name)}/metrics`, { headers: { authorization: `Bearer ${places.token}` } })
  ).data;
}

const ignore = (): void => undefined;

/** One of each kind of work, and of each kind of fault that is easily had. */
async function work(): Promise<{ tenant: TenantClient; jobId: string }> {
  const tenant = await TenantClient.create({ ...stack, url: stack.url, platformKey: places.platformKey }, 'Acme');
  const { http } = tenant;
  for (const dataset of ['left', 'right'])
    await tenant.bulk(
      dataset,
      [1, 2].map((i) => ({ externalId: `r${i}`, body: { amount: i, note: places.record } })),
    );
  await tenant.bulk('left', [{ externalId: 'r3', body: { amount: places.value } }]);
  await http.post(
    '/v1/records',
    { externalId: 'r4', body: { amount: 4 } },
    { headers: { 'idempotency-key': places.idempotency } },
  );
  await http.post(`/v1/datasets/${await tenant.datasetId('left')}/fields`, {
    name: 'Amount',
    key: 'amount',
    type: 'amount',
    transform_expr: `$string(amount) & "" /* ${places.transform} */`,
  });
  const source = await http.post<{ id: string }>('/v1/data-sources', { name: 'bank', kind: 'csv' });
  const form = new FormData();
  form.append('file', new Blob([`id,memo\n1,${places.file}\n2,x,"${places.rejected},too long\n`]), 'bank.csv');
  await http.post(`/v1/data-sources/${source.data.id}/files`, form);
  await http.get('/v1/records', { params: { dataset: 'left', 'field.note': places.filter } });
  await http.post('/v1/webhooks', {
    url: `https://receiver.invalid/${places.webhookPath}`,
    secret: places.webhookSecret,
  });
  await http.post('/v1/items', {
    connectorId: 'sandbox',
    parameters: { user: 'bad-password', password: places.credential },
  });
  await http.get('/v1/records', { headers: { 'x-api-key': places.wrongKey } }).catch(ignore);
  await http
    .post('/v1/records', `{"${places.malformed}": `, { headers: { 'content-type': 'application/json' } })
    .catch(ignore);
  await axios
    .get(`${stack.urlOf('dashboard')}/queues`, { auth: { username: 'oncall', password: places.guess } })
    .catch(ignore);
  await eventually('the amount that is none has failed', async () =>
    (await tenant.total('left', 'failed')) === 1 ? true : undefined,
  );
  await Promise.all([tenant.settled('left', 2), tenant.settled('right', 2)]);
  const expression = `left.amount = 1 ? $error("${places.thrown}") : (left.note = "${places.expression}" ? 0.1 : 1)`;
  await tenant.ruleSet('left', 'right', {
    engine: 'jsonata',
    jsonataExpr: expression,
    params: { Tmatch: 1, Tpossible: 0.5 },
  });
  const jobId = await tenant.startJob('left');
  await tenant.ended(jobId);
  return { tenant, jobId };
}

test('each process reports its work to Prometheus without naming a tenant or a row', async () => {
  const { jobId, tenant } = await work();
  const expected: [ProcessName, RegExp][] = [
    ['api', /^tieout_http_request_duration_seconds_count\{.*method="POST",route="\/v1\/records",status="202".*\} 1$/m],
    ['api', /^tieout_database_connections\{part="main",state="idle"/m],
    ['ingest-worker', /^tieout_records_normalised_total\{.*status="ready".*\} [1-9]/m],
    ['ingest-worker', /^tieout_records_normalised_total\{.*status="failed".*\} [1-9]/m],
    ['ingest-worker', /^tieout_file_rows_total\{.*status="ready".*\} 1$/m],
    ['ingest-worker', /^tieout_files_ended_total\{.*status="ready".*\} 1$/m],
    ['matching-worker', /^tieout_matching_pairs_total\{.*engine="compiled".*\} 4$/m],
    ['matching-worker', /^tieout_matching_batch_duration_seconds_count\{.*kind="pairs",engine="compiled".*\} 1$/m],
    ['matching-worker', /^tieout_matching_jobs_ended_total\{.*status="completed",code="".*\} 1$/m],
    ['matching-worker', /^tieout_database_connections\{part="children",state="(busy|idle)"/m],
    ['matching-worker', /^tieout_queue_job_duration_seconds_count\{.*queue_job="matching.plan",outcome="done".*\} 1$/m],
    ['api', /^tieout_queue_enqueue_failures_total\{queue="ingest",app="api".*\} 0$/m],
    ['ingest-worker', /^tieout_queue_jobs_failed_total\{queue="ingest",queue_job="file.ingest".*\} 0$/m],
    ['matching-worker', /^tieout_queue_jobs_stalled_total\{queue="matching".*\} 0$/m],
    ['matching-worker', /^tieout_matching_jobs_ended_total\{.*code="worker_failed".*\} 0$/m],
    ['background-worker', /^tieout_queue_jobs\{queue="matching",state="waiting"/m],
    ['background-worker', /^tieout_queue_oldest_waiting_seconds\{queue="ingest"/m],
    ['background-worker', /^tieout_items\{status="LOGIN_ERROR"/m],
    [
      'dashboard',
      /^tieout_http_request_duration_seconds_count\{.*method="GET",route="\/metrics",status="200".*\} [1-9]/m,
    ],
    [
      'ingest-worker',
      /^tieout_http_request_duration_seconds_count\{.*method="GET",route="\/metrics",status="200".*\} [1-9]/m,
    ],
    ['dashboard', /^tieout_dependency_up\{dependency="queue",app="dashboard".*\} 1$/m],
  ];
  // A job is measured when its queue job is over, a little after its rows say so.
  const served = await eventually('all is told', async () => {
    const texts = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await metricsOf(name)] as const)),
    ) as Record<ProcessName, string>;
    return expected.every(([name, sample]) => sample.test(texts[name] as string)) ? texts : undefined;
  });
  expect(Object.values(served).join()).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|Acme/);
  expect(served['matching-worker']).not.toContain(jobId);

  const families = new Set(
    Object.values(served).flatMap((text) =>
      [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, family]) => family as string),
    ),
  );
  const named = monitoringFiles.flatMap((file) => namedMetrics(readFileSync(path.join(root, file), 'utf8')));
  expect(named.filter((name) => !families.has(name))).toEqual([]);

  const all = lines();
  const parent = stack.pid('matching-worker');
  const child = all.find((line) => line['pid'] !== parent && line['method'] === 'matching.plan');
  expect(child).toMatchObject({
    app: 'matching-worker',
    tenantId: tenant.tenantId,
    jobId,
    requestId: expect.any(String) as string,
  });
  const request = all.find((line) => line['requestId'] === child?.['requestId'] && line['msg'] === 'request');
  expect(request).toMatchObject({
    app: 'api',
    method: 'POST',
    route: '/v1/matching-jobs',
    status: 202,
    tenantId: tenant.tenantId,
    apiKeyId: expect.stringMatching(/^[0-9A-Za-z]{17}$/) as string,
  });
  expect(all).toContainEqual(
    expect.objectContaining({ method: 'file.ingest', fileId: expect.any(String) as string, tenantId: tenant.tenantId }),
  );
  expect(all).toContainEqual(
    expect.objectContaining({
      queueJob: expect.stringMatching(/^item\.sync /) as string,
      itemId: expect.any(String) as string,
    }),
  );
});

test('metrics need a token', async () => {
  for (const name of names) {
    const { status, data } = await axios.get<object>(`${stack.urlOf(name)}/metrics`, {
      validateStatus: () => true,
      headers: { authorization: 'Bearer wrong' },
    });
    expect([status, data]).toEqual([
      401,
      expect.objectContaining({
        code: 'metrics_token_required',
        message: expect.stringContaining('METRICS_TOKEN') as string,
      }),
    ]);
  }
});

const readiness = async (name: ProcessName, path = '/readyz') => {
  const { status, data } = await axios.get<{ checks?: object }>(stack.urlOf(name) + path, {
    validateStatus: () => true,
  });
  return { status, ...(data.checks ? { checks: data.checks } : {}) };
};

describe.each(['database', 'queue'] as const)('while the %s is away', (what) => {
  test('processes that need it are alive and not ready, and become ready again when it is back', async () => {
    // Queues that live in the database are gone with it.
    const failing = queueLine ? [what] : ['database', 'queue'];
    const line = what === 'queue' && queueLine ? queueLine : databaseLine;
    const checksOf = (name: ProcessName): string[] => (name === 'dashboard' ? ['queue'] : ['database', 'queue']);
    const expected = (name: ProcessName) => {
      const checks = Object.fromEntries(
        checksOf(name).map((check) => [check, failing.includes(check) ? 'failed' : 'ok']),
      );
      return { status: Object.values(checks).includes('failed') ? 503 : 200, checks };
    };
    line.cut();
    try {
      // Readiness is cached for a second.
      const told = await eventually('those that need it are not ready', async () => {
        const all = await Promise.all(names.map((name) => readiness(name)));
        return all.every(({ status }, i) => status === expected(names[i] as ProcessName).status) ? all : undefined;
      });
      expect(told).toMatchObject(names.map(expected));
      expect(await Promise.all(names.map((name) => readiness(name, '/healthz')))).toEqual(
        names.map(() => ({ status: 200 })),
      );
      expect(await metricsOf('webhook-worker')).toContain(
        `tieout_dependency_up{dependency="${what}",app="webhook-worker"} 0`,
      );
    } finally {
      line.mend();
    }
    await eventually('all are ready', async () =>
      (await Promise.all(names.map((name) => readiness(name)))).every(({ status }) => status === 200)
        ? true
        : undefined,
    );
  });
});

// Last: what processes log of an outage counts too.
test('no log holds a secret, a body, data of records, or an expression', () => {
  const password = new URL(stack.database.serviceUrl).password;
  const log = stack.log();
  expect(log).toMatch(/"level":"error"|"level":"warn"/);
  const leaked = Object.entries({ ...places, secretsKey, password }).filter(([, text]) => log.includes(text));
  expect(leaked).toEqual([]);
  expect(lines().filter((line) => typeof line['msg'] !== 'string' || typeof line['app'] !== 'string')).toEqual([]);
});
