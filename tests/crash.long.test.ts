import axios from 'axios';
import { createDb, createLogger, type Db } from '@tieout/infra';
import { groupRules, makeBooks, pairRules } from './support/books';
import { eventually, startStack, type Stack } from './support/stack';
import { TenantClient, type Job } from './support/tenant';

let stack: Stack;
let database: Db;

beforeAll(async () => {
  stack = await startStack({}, undefined, ['api', 'ingest-worker', 'matching-worker', 'background-worker']);
  database = createDb({
    url: stack.database.url,
    poolSize: 1,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
});

afterAll(async () => {
  await database.close();
  await stack.close();
});

const size = 2_500;
const { invoices, lines } = makeBooks(size, { invoices: 37, lines: 53 });

async function preparedTenant(rules: object = pairRules): Promise<TenantClient> {
  const tenant = await TenantClient.create(stack);
  await tenant.bulk('invoices', invoices);
  await tenant.bulk('lines', lines);
  await Promise.all([tenant.settled('invoices', size), tenant.settled('lines', size)]);
  await tenant.ruleSet('invoices', 'lines', rules);
  return tenant;
}

/** The result of a job, without its number of batches, which depends on how fast they were. */
const essence = ({
  status,
  batches_expected,
  batches_completed,
  pairs_total,
  pairs_processed,
  decision_counts,
  average_score,
  records_total,
}: Job) => ({
  status,
  batches_open: batches_expected - batches_completed,
  pairs_total,
  pairs_processed,
  decision_counts,
  records_total,
  average_score,
});

test('a matching worker that is killed in the middle of a job changes nothing in the result', async () => {
  const tenant = await preparedTenant();
  const undisturbed = await tenant.ended(await tenant.startJob('invoices'));
  const expected = await tenant.result(undisturbed.id, 'invoices', 'lines');

  const jobId = await tenant.startJob('invoices');
  for (const done of [1, 3]) {
    await tenant.jobWhen(jobId, `${done} batches done`, (job) => job.batches_completed >= done);
    await stack.kill('matching-worker');
    await stack.start('matching-worker');
  }
  const disturbed = await tenant.ended(jobId);

  expect(undisturbed.batches_expected).toBeGreaterThan(3);
  expect(undisturbed.decision_counts['MATCH']).toBeGreaterThan(100);
  expect(essence(disturbed)).toEqual(essence(undisturbed));
  expect(await tenant.result(jobId, 'invoices', 'lines')).toEqual(expected);
});

test('a matching worker that is killed while groups are composed changes nothing in the result', async () => {
  const tenant = await preparedTenant(groupRules({ maxGroupSize: 4, dateToleranceDays: 5 }));
  const undisturbed = await tenant.ended(await tenant.startJob('invoices'));
  const expected = await compositesOf(undisturbed.id);

  const jobId = await tenant.startJob('invoices');
  for (const left of [4, 2, 0]) {
    await tenant.jobWhen(
      jobId,
      `${left} batches left`,
      (job) => job.batches_expected > 0 && job.batches_expected - job.batches_completed <= left,
    );
    await stack.kill('matching-worker');
    await stack.start('matching-worker');
  }

  expect(essence(await tenant.ended(jobId))).toEqual(essence(undisturbed));
  expect(expected.length).toBeGreaterThan(100);
  expect(await compositesOf(jobId)).toEqual(expected);
});

/** Reads the composites of a job, with records by their external ids. */
function compositesOf(jobId: string): Promise<object[]> {
  return database.system.query(
    `select c.direction, c.decision, c.status, c.score, t.external_id as target, c.explanation,
            array(select r.external_id from composite_members m join records r on r.id = m.record_id
              where m.composite_id = c.id order by m.position) as members
       from composite_matches c join records t on t.id = c.target_record_id where c.job_id = $1::uuid order by c.id`,
    [jobId],
  );
}

test('an API killed during a bulk request keeps all or nothing of it, and a repeat doubles nothing', async () => {
  const tenant = await TenantClient.create(stack);
  const rows = Array.from({ length: 40_000 }, (_, i) => ({ body: { n: i, text: `line ${i} of a long list` } }));
  const key = { 'idempotency-key': 'bulk-1' };
  const first = tenant.bulk('events', rows, key).then(
    () => 'answered',
    () => 'cut off',
  );
  await eventually('rows are being written', async () => {
    const writing = await database.system.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        and query ilike '%insert into records%'`,
    );
    return writing.length > 0 ? true : undefined;
  });
  await stack.kill('api');
  expect(await first).toBe('cut off');
  await stack.start('api');
  expect([0, rows.length]).toContain(await tenant.total('events').catch(() => 0));
  await tenant.bulk('events', rows, key);
  expect(await tenant.total('events')).toBe(rows.length);
  await tenant.settled('events', rows.length);
});

/** Changes a tenant with the platform key. */
const asPlatform = (method: 'get' | 'patch' | 'delete', tenant: TenantClient, data?: object) =>
  axios.request<{ status?: string }>({
    method,
    url: `${stack.url}/v1/tenants/${tenant.tenantId}`,
    data,
    headers: { 'x-api-key': stack.platformKey },
    validateStatus: null,
  });

test('a tenant that is suspended during a job, and whose workers are killed meanwhile, loses nothing', async () => {
  const tenant = await preparedTenant();
  const undisturbed = await tenant.ended(await tenant.startJob('invoices'));
  const expected = await tenant.result(undisturbed.id, 'invoices', 'lines');

  const jobId = await tenant.startJob('invoices');
  await tenant.jobWhen(jobId, 'one batch done', (job) => job.batches_completed >= 1);
  const more = Array.from({ length: 20_000 }, (_, n) => ({ body: { n } }));
  await tenant.bulk('more', more);
  expect((await asPlatform('patch', tenant, { status: 'suspended' })).status).toBe(200);
  await stack.kill('matching-worker');
  await stack.kill('ingest-worker');
  await eventually('requests refused', async () => {
    const { status } = await tenant.http.get('/v1/records', { validateStatus: null });
    return status === 403 ? true : undefined;
  });
  await stack.start('matching-worker');
  await stack.start('ingest-worker');
  expect((await asPlatform('patch', tenant, { status: 'active' })).status).toBe(200);
  await eventually('requests accepted', async () => {
    const { status } = await tenant.http.get('/v1/records', { validateStatus: null });
    return status === 200 ? true : undefined;
  });

  expect(essence(await tenant.ended(jobId))).toEqual(essence(undisturbed));
  expect(await tenant.result(jobId, 'invoices', 'lines')).toEqual(expected);
  await tenant.settled('more', more.length);
});

test('a tenant that is deleted during a job is erased although the eraser is killed', async () => {
  const tenant = await preparedTenant();
  const jobId = await tenant.startJob('invoices');
  await tenant.jobWhen(jobId, 'one batch done', (job) => job.batches_completed >= 1);
  expect((await asPlatform('delete', tenant)).status).toBe(202);
  for (let kills = 0; kills < 3; kills++) {
    await stack.kill('background-worker');
    await stack.start('background-worker');
  }
  await eventually('the tenant is gone', async () =>
    (await asPlatform('get', tenant)).status === 404 ? true : undefined,
  );
  const tables = await database.system.query<{ name: string }>(
    `select table_name as name from information_schema.columns join information_schema.tables
        using (table_schema, table_name)
      where table_schema = 'public' and column_name = 'tenant_id' and table_type = 'BASE TABLE'`,
  );
  const left = [];
  for (const { name } of tables)
    left.push(
      ...(await database.system.query(`select 1 from "${name}" where tenant_id = '${tenant.tenantId}' limit 1`)),
    );
  expect(left).toEqual([]);
});

/** Opens a reconciliation of two books whose rows tie by name, one for each of `count` days. */
async function openedMonth(count: number): Promise<{ tenant: TenantClient; id: string }> {
  const tenant = await TenantClient.create(stack);
  const row = (side: string, i: number) => ({
    externalId: `${side}${i}`,
    body: { name: `n${i}`, amount: 10 + i, date: `2026-01-${10 + (i % 20)}` },
  });
  const rows = (side: string) => Array.from({ length: count }, (_, i) => row(side, i));
  await Promise.all([tenant.bulk('bank', rows('b')), tenant.bulk('books', rows('k'))]);
  await Promise.all([tenant.settled('bank', count), tenant.settled('books', count)]);
  const ruleSetId = await tenant.ruleSet('bank', 'books', {
    engine: 'jsonata-batch',
    params: { Tmatch: 1, Tpossible: 1, assignment: 'one_to_one', matchers: [{ expr: 'left.name = right.name' }] },
  });
  const { data } = await tenant.http.post<{ id: string }>('/v1/reconciliations', {
    name: 'books',
    leftDatasetIds: [await tenant.datasetId('bank')],
    rightDatasetIds: [await tenant.datasetId('books')],
    ruleSetIds: [ruleSetId],
    amountKeyLeft: 'amount',
    amountKeyRight: 'amount',
    dateKeyLeft: 'date',
    dateKeyRight: 'date',
  });
  await eventually('all records are items', async () => {
    const { status } = (await tenant.http.get<{ status: string }>(`/v1/reconciliations/${data.id}`)).data;
    return status === 'filling' ? undefined : true;
  });
  return { tenant, id: data.id };
}

/** Kills a process while its transaction waits to write the audit entry, which comes last in it. */
async function killBeforeItsCommit(tenant: TenantClient, name: 'api' | 'matching-worker', act: () => Promise<unknown>) {
  await database.system.transaction(async (tx) => {
    await tx.execute(`select pg_advisory_xact_lock(hashtextextended('audit of ' || $1::text, 0))`, [tenant.tenantId]);
    const acting = act().catch(() => undefined);
    await eventually('a transaction waits for the audit chain', async () => {
      const waiting = await tx.query(
        `select 1 from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
      );
      return waiting.length > 0 ? true : undefined;
    });
    await stack.kill(name);
    await acting;
  });
  await stack.start(name);
}

/** Counts what groups hold, and the entries of the audit. */
const heldBy = (tenant: TenantClient): Promise<object[]> =>
  database.system.query(
    `select (select count(*)::int from match_groups where tenant_id = $1::uuid and status = 'held') as groups,
            (select count(*)::int from reconciliation_items
              where tenant_id = $1::uuid and holds = 1 and held = amount) as "heldItems",
            (select count(*)::int from audit_entries where tenant_id = $1::uuid and action = $2) as entries`,
    [tenant.tenantId, 'reconciliation.run'],
  );

test('a matching worker killed in the finish of a run holds every group once', async () => {
  const { tenant, id } = await openedMonth(300);
  const start = () => tenant.http.post<{ id: string }>(`/v1/reconciliations/${id}/runs`, {});
  let jobId = '';
  await killBeforeItsCommit(tenant, 'matching-worker', async () => (jobId = (await start()).data.id));

  expect((await tenant.ended(jobId)).status).toBe('completed');
  expect(await heldBy(tenant)).toEqual([{ groups: 300, heldItems: 600, entries: 1 }]);
});

test('an API killed in the close of a month has closed it or not, and a repeat closes it once', async () => {
  const { tenant, id } = await openedMonth(40);
  const close = () =>
    tenant.http.post<{ status: string }>(
      `/v1/reconciliations/${id}/periods/2026-01/close`,
      {},
      {
        headers: { 'idempotency-key': 'close' },
      },
    );
  await killBeforeItsCommit(tenant, 'api', close);
  // The transaction of the killed process ends when PostgreSQL notices.
  const closed = await eventually('the month is closed', () => close().catch(() => undefined));

  expect(closed.data.status).toBe('closed');
  const kept = await database.system.query(
    `select c.period, c.voided_at is null as stands,
            (select count(*)::int from period_open_items o where o.certificate_id = c.id) as "openItems"
       from period_certificates c where c.tenant_id = $1::uuid`,
    [tenant.tenantId],
  );
  expect(kept).toEqual([{ period: '2026-01', stands: true, openItems: 80 }]);
});
