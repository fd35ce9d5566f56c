import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { ingestRecord, jobCatalog, tenantScope } from '@tieout/domain';
import { createConsumer, createLogger, newId, queueClasses, type QueueSettings } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';

const run = promisify(execFile);
const root = path.join(__dirname, '..');

let service: TestService;
let tenantId: string;
/** Output of `status` while the store of the queues is down; it takes some seconds. */
let withoutQueues: Promise<unknown>;

beforeAll(async () => {
  service = await createTestService();
  tenantId = newId();
  await service.deps.db.system.execute('insert into tenants (id, name) values ($1::uuid, $2)', [tenantId, 'Acme']);
  await ingestRecord(tenantScope(service.deps, tenantId), { dataset: 'ledger', body: {} });
  withoutQueues = ops(['status'], { url: 'redis://127.0.0.1:1' }).catch((error: unknown) => error);
});

afterAll(() => service.close());

function ops(
  args: readonly string[],
  settings: Partial<QueueSettings> = {},
): Promise<{ stdout: string; stderr: string }> {
  const { url = service.database.url, prefix = service.database.name } = settings;
  return run(process.execPath, ['scripts/ops.mjs', ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: service.database.url, QUEUE_URL: url, QUEUE_PREFIX: prefix },
  });
}

test('sql shows the rows of a statement', async () => {
  const { stdout } = await ops(['sql', `select name from tenants where id = '${tenantId}'`]);
  expect(stdout).toMatch(/1 rows\n {2}name\n {2}─+\n {2}Acme\n/);
});

test('sql changes nothing without --write', async () => {
  const rename = ['sql', `update tenants set name = 'Acme Ltd' where id = '${tenantId}'`];
  await expect(ops(rename)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('put --write behind the statement') as string,
  });
  expect((await ops([...rename, '--write'])).stdout).toContain('UPDATE: 1 rows');
});

test('sql runs maintenance statements without --write', async () => {
  expect((await ops(['sql', 'analyze tenants; select pg_terminate_backend(0)'])).stdout).toContain('ANALYZE: 0 rows');
});

test('a closed output pipe ends the command without an error', async () => {
  const settings = {
    DATABASE_URL: service.database.url,
    QUEUE_URL: service.database.url,
    QUEUE_PREFIX: service.database.name,
  };
  const { stdout, stderr } = await run('sh', ['-c', `${process.execPath} scripts/ops.mjs status | head -n 2`], {
    cwd: root,
    env: { ...process.env, ...settings },
  });
  expect({ stdout, stderr }).toEqual({ stdout: '\nConnections to PostgreSQL\n', stderr: '' });
});

test.each([
  ['a command that does not exist', ['stats'], 'stats is not a command'],
  ['a queue that does not exist', ['retry', 'nonsense'], 'Name a queue: ingest, matching'],
  ['a job that does not exist', ['retry', 'matching', 'nonsense'], 'matching has no job nonsense'],
  ['a job to remove that does not exist', ['remove', 'matching', 'nonsense'], 'matching has no job nonsense'],
  ['a job to remove that is not named', ['remove', 'matching'], 'Name a job'],
  ['a queue that is not named', ['resume'], 'Name a queue: ingest, matching'],
  ['a statement that fails', ['sql', 'select nothing'], 'column "nothing" does not exist'],
])('%s ends with exit code 1 and a reason', async (_what, args, reason) => {
  await expect(ops(args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(reason) as string });
});

const redisUrl = process.env['TEST_REDIS_URL'];
const stores: [string, string | undefined][] = [
  ['PostgreSQL', undefined],
  ...(redisUrl ? [['Redis', redisUrl] as [string, string]] : []),
];

describe.each(stores)('with the queues in %s', (_store, url) => {
  const settings = (): QueueSettings => ({ url: url ?? service.database.url, prefix: service.database.name });

  test('status counts work by tenant and by queue; failed gives the reason, and retry repeats the job', async () => {
    const { openQueue, openWorker } = queueClasses(settings(), { role: 'consumer' });
    const queue = openQueue('ingest');
    const worker = openWorker('ingest', () => Promise.reject(new Error('the storage holds nothing')), {
      concurrency: 1,
      autorun: false,
    });
    const failed = new Promise((resolve) => worker.once('failed', resolve));
    await queue.obliterate({ force: true });
    await queue.add('records.process', { payload: { tenantId, recordIds: [] } }, { attempts: 1, jobId: 'lost' });
    void worker.run();
    await failed;
    await worker.close();

    const { stdout: status } = await ops(['status'], settings());
    expect(status).toMatch(new RegExp(`Records that wait, by tenant\\n.*\\n.*\\n {2}${tenantId} +1 `));
    const [titles, row] = [/^ {2}queue .*$/m.exec(status)?.[0], /^ {2}ingest .*$/m.exec(status)?.[0]].map((line) =>
      String(line).trim().split(/ +/),
    );
    expect(row?.[titles?.indexOf('failed') ?? -1]).toBe('1');

    expect((await ops(['failed'], settings())).stdout).toMatch(
      new RegExp(`ingest +records.process +lost +1 +${tenantId} +the storage holds nothing`),
    );
    expect((await ops(['retry', 'ingest'], settings())).stdout).toBe('1 jobs run again\n');
    expect(await queue.getJobState('lost')).toBe('waiting');
    await queue.obliterate({ force: true });
    await queue.close();
  });

  test('a job whose name no process knows ends as failed once it is old, is named, and can be removed', async () => {
    const { openQueue } = queueClasses(settings(), { role: 'consumer' });
    const queue = openQueue('ingest');
    await queue.obliterate({ force: true });
    const logger = createLogger('test', 'silent');
    const consumer = await createConsumer({
      catalog: jobCatalog,
      queue: 'ingest',
      settings: settings(),
      logger,
      concurrency: 1,
      handlers: { 'records.process': () => Promise.resolve(), 'files.ingest': () => Promise.resolve() } as never,
    });
    const longAgo = Date.now() - 2 * 60 * 60_000;
    const names = ['records.proces', 'constructor'];
    for (const name of names)
      await queue.add(name, { payload: { tenantId } }, { jobId: name, attempts: 3, timestamp: longAgo });
    await queue.add('later', {}, { jobId: 'new' });
    await queue.add('records.process', { payload: { tenantId } }, { jobId: 'unreadable' });
    while ((await queue.getJobCountByTypes('failed')) < names.length);
    for (const id of ['new', 'unreadable']) while ((await queue.getJobState(id)) !== 'delayed');
    await consumer.close();
    const { stdout } = await ops(['failed'], settings());
    for (const name of names)
      expect(stdout).toMatch(new RegExp(`ingest +${name} +${name} .*no process knows jobs of the name ${name}`));
    expect(stdout).toMatch(/not yet +ingest +later +new .*this version knows no jobs of the name/);
    expect(stdout).toMatch(/not yet +ingest +records.process +unreadable .*this version cannot read the payload/);
    for (const name of [...names, 'new', 'unreadable'])
      expect((await ops(['remove', 'ingest', name], settings())).stdout).toBe(`${name} of ingest is removed\n`);
    expect(await queue.getJobCountByTypes('failed', 'delayed', 'waiting')).toBe(0);
    await queue.close();
  });

  test('status shows paused queues with their jobs and the age of the oldest; resume resumes them', async () => {
    const queue = queueClasses(settings(), { role: 'producer' }).openQueue('maintenance');
    await queue.obliterate({ force: true });
    await queue.add('maintenance.sweep', { payload: {} }, { timestamp: Date.now() - 3_600_000 });
    await queue.add('maintenance.sweep', { payload: {} });
    await queue.pause();
    const shown = async (name: string): Promise<Record<string, string | undefined>> => {
      const { stdout } = await ops(['status'], settings());
      const [titles, row] = ['queue', name].map(
        (first) => new RegExp(`^ {2}${first} .*$`, 'm').exec(stdout)?.[0].trim().split(/ +/) ?? [],
      );
      return Object.fromEntries((titles ?? []).map((title, at) => [title, row?.[at]]));
    };
    expect(await shown('maintenance')).toMatchObject({
      paused: 'yes',
      waiting: '2',
      since: expect.stringMatching(/^01:0\d:\d\d$/) as string,
    });
    expect(await shown('ingest')).toMatchObject({ paused: 'no', waiting: '0', since: '00:00:00' });
    expect((await ops(['resume', 'maintenance'], settings())).stdout).toBe('maintenance goes on\n');
    expect(await shown('maintenance')).toMatchObject({ paused: 'no', waiting: '2' });
    await queue.obliterate({ force: true });
    await queue.close();
  });
});

test('status reports a part that a lock blocks within seconds, and shows all others', async () => {
  const { stdout } = await service.deps.db.system.transaction(async (tx) => {
    await tx.query('lock table records');
    return ops(['status']);
  });
  expect(stdout).toMatch(/Records that wait, by tenant\n {2}not known: somebody has locked a table/);
  expect(stdout).toContain('Items by status');
});

test('an unreachable store of the queues is reported within seconds, after the state of the rows', async () => {
  expect(await withoutQueues).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Items by status') as string,
    stderr: expect.stringContaining('The store of the queues does not answer within 5 s') as string,
  });
});
