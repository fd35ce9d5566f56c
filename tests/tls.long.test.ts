import { execFile, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  createDb,
  createLogger,
  newId,
  queueClasses,
  readStoreUrl,
  requireQueueSchema,
  streamRows,
} from '@tieout/infra';
import { createTestAuthority, createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client } from 'pg';
import { freePorts } from './support/ports';
import { startPostgres, type OwnPostgres } from './support/postgres';
import { hasRedis } from './support/redis';
import { endHard, eventually } from './support/stack';

const run = promisify(execFile);
const root = path.join(__dirname, '..');
const logger = createLogger('test', 'silent');
const [authority, stranger] = [createTestAuthority(), createTestAuthority()];
const directory = mkdtempSync(path.join(tmpdir(), 'tieout-tls-'));

function write(name: string, text: string): string {
  const file = path.join(directory, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}

const ca = write('ca.pem', authority.ca);
const strangersCa = write('stranger.pem', stranger.ca);
const { key, cert } = authority.issue({ addresses: ['127.0.0.1'] });
const elsewhere = authority.issue({ names: ['elsewhere.example'] });
const files = {
  key: write('key.pem', key),
  cert: write('cert.pem', cert),
  elsewhere: write('elsewhere.pem', elsewhere.cert),
};

afterAll(() => rmSync(directory, { recursive: true }));

describe('PostgreSQL that takes encrypted connections only', () => {
  let server: OwnPostgres;
  let database: TestDatabase;
  let admin: Client;

  const urlWith = (parameters: string, url = database.serviceUrl): string => `${url}?${parameters}`;

  /** Presents a certificate to the connections that follow. */
  async function present(certificate: string): Promise<void> {
    await admin.query(`alter system set ssl_cert_file = '${certificate}'`);
    await admin.query('select pg_reload_conf()');
    await eventually('the certificate is loaded', async () => {
      const { rows } = await admin.query<{ file: string }>(`select current_setting('ssl_cert_file') as file`);
      return rows[0]?.file === certificate ? true : undefined;
    });
  }

  beforeAll(async () => {
    server = await startPostgres();
    const setUp = new Client({ connectionString: server.url });
    await setUp.connect();
    const { rows } = await setUp.query<{ data: string; hba: string }>(
      `select current_setting('data_directory') as data, current_setting('hba_file') as hba`,
    );
    const { data, hba } = rows[0] as { data: string; hba: string };
    const { uid, gid } = statSync(data);
    for (const file of [directory, ...Object.values(files)]) chownSync(file, uid, gid);
    writeFileSync(hba, 'hostssl all all all scram-sha-256\n');
    for (const [name, value] of Object.entries({ ssl: 'on', ssl_cert_file: files.cert, ssl_key_file: files.key }))
      await setUp.query(`alter system set ${name} = '${value}'`);
    await setUp.query('select pg_reload_conf()');
    await setUp.end();
    const adminUrl = `${server.url}?sslmode=no-verify`;
    admin = await eventually('the server speaks TLS', async () => {
      const client = new Client({ connectionString: adminUrl });
      client.on('error', () => undefined);
      return client.connect().then(
        () => client,
        () => undefined,
      );
    });
    database = await createTestDatabase(adminUrl);
    database.serviceUrl = database.serviceUrl.replace(/\?.*/, '');
  });

  afterAll(async () => {
    await admin.end();
    await server.close();
  });

  const connects = async (parameters: string): Promise<string> => {
    const client = new Client({ connectionString: readStoreUrl(urlWith(parameters)) });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return 'connected';
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  test('refuses a connection without encryption, so that those below are encrypted', async () => {
    expect(await connects('sslmode=disable')).toMatch(/no pg_hba.conf entry .*no encryption/);
  });

  test.each([
    ['sslmode=require', 'connected'],
    [`sslmode=require&sslrootcert=${ca}`, 'connected'],
    [`sslmode=require&sslrootcert=${strangersCa}`, 'unable to verify the first certificate'],
    [`sslmode=verify-ca&sslrootcert=${ca}`, 'connected'],
    [`sslmode=verify-ca&sslrootcert=${strangersCa}`, 'unable to verify the first certificate'],
    [`sslmode=verify-full&sslrootcert=${ca}`, 'connected'],
    [`sslmode=verify-full&sslrootcert=${strangersCa}`, 'unable to verify the first certificate'],
    ['sslmode=verify-full', 'unable to verify the first certificate'],
  ])('%s: %s', async (parameters, outcome) => {
    // Later versions of Node add advice to the message.
    expect((await connects(parameters)).slice(0, outcome.length)).toBe(outcome);
  });

  test('the name of another host is accepted up to verify-ca, and refused by verify-full', async () => {
    await present(files.elsewhere);
    const outcomes = [];
    for (const mode of ['require', `verify-ca&sslrootcert=${ca}`, `verify-full&sslrootcert=${ca}`])
      outcomes.push(await connects(`sslmode=${mode}`));
    await present(files.cert);
    expect(outcomes).toEqual(['connected', 'connected', expect.stringContaining('does not match certificate')]);
  });

  test('serves every client of a process: statements, ORM, COPY, streams, and queues with their checks', async () => {
    const url = readStoreUrl(urlWith(`sslmode=verify-full&sslrootcert=${ca}`));
    const db = createDb({ url, poolSize: 2, applicationName: 'tieout tls', logger });
    const id = newId();
    await db.system.orm.tenant.create({ data: { id, name: 'Acme' } });
    const tenant = db.forTenant(id);
    expect(await tenant.shortReads.query('select name from tenants')).toEqual([{ name: 'Acme' }]);
    expect(await tenant.prepared.query('select name from tenants')).toEqual([{ name: 'Acme' }]);
    const rows = await tenant.session(async (client) => {
      let found = 0;
      for await (const { count } of streamRows(
        client,
        'select i, repeat(md5(i::text), 40) from generate_series(1, 5000) i',
        2,
      ))
        found += count;
      return found;
    });
    expect(rows).toBe(5_000);
    const settings = { url, prefix: 'tls' };
    await requireQueueSchema(settings, logger);
    const { openQueue } = queueClasses(settings, { role: 'producer' });
    const queue = openQueue('work');
    await queue.add('job', {}, { jobId: 'one' });
    const worker = queueClasses(settings, { role: 'consumer' }).openWorker('work', () => Promise.resolve(), {
      concurrency: 1,
    });
    await once(worker as unknown as NodeJS.EventEmitter, 'completed');
    const { rows: sessions } = await admin.query(
      `select bool_and(s.ssl) as encrypted, count(*) > 3 as several from pg_stat_ssl s join pg_stat_activity using (pid)
        where datname = $1`,
      [database.name],
    );
    expect(sessions).toEqual([{ encrypted: true, several: true }]);
    await Promise.all([worker.close(), queue.close()]);
    await db.close();
  });

  test.each([
    ['scripts/migrate.mjs', [], 'The database is up to date.'],
    ['scripts/ops.mjs', ['status'], 'Items by status'],
  ])('serves %s', async (script, args, output) => {
    const env = {
      ...process.env,
      DATABASE_URL: urlWith(`sslmode=verify-full&sslrootcert=${ca}`),
      MIGRATION_DATABASE_URL: urlWith(`sslmode=require`, database.url.replace(/\?.*/, '')),
      QUEUE_URL: '',
      QUEUE_PREFIX: 'tls',
    };
    expect((await run(process.execPath, [script, ...args], { cwd: root, env })).stdout).toContain(output);
  });
});

(hasRedis() ? describe : describe.skip)('Redis that takes encrypted connections only', () => {
  let redis: ChildProcess;
  let port: number;

  beforeAll(async () => {
    [port] = await freePorts(1);
    const options = {
      port: 0,
      'tls-port': port,
      'tls-cert-file': files.cert,
      'tls-key-file': files.key,
      'tls-ca-cert-file': ca,
      'tls-auth-clients': 'no',
      requirepass: 'p/w',
      bind: '127.0.0.1',
      save: '',
      dir: directory,
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    redis = spawn('redis-server', args, { stdio: 'ignore' });
    await eventually('redis answers', () =>
      Promise.resolve(
        spawnSync('redis-cli', ['--tls', '--cacert', ca, '-p', String(port), '-a', 'p/w', 'ping']).status === 0
          ? true
          : undefined,
      ),
    );
  });

  afterAll(() => endHard(redis));

  const urlOf = (scheme: string, parameters = ''): string =>
    readStoreUrl(`${scheme}://:p%2Fw@127.0.0.1:${port}/2${parameters}`);

  test('serves queues and workers', async () => {
    const settings = { url: urlOf('rediss', `?sslrootcert=${ca}`), prefix: 'tls' };
    const queue = queueClasses(settings, { role: 'producer' }).openQueue('work');
    await queue.waitUntilReady();
    await queue.add('job', {}, { jobId: 'one' });
    const worker = queueClasses(settings, { role: 'consumer' }).openWorker('work', () => Promise.resolve(), {
      concurrency: 1,
    });
    const [job] = (await once(worker as unknown as NodeJS.EventEmitter, 'completed')) as [{ id: string }];
    expect(job.id).toBe('one');
    await Promise.all([worker.close(), queue.close()]);
  });

  test.each([
    ['the authority of another', () => urlOf('rediss', `?sslrootcert=${strangersCa}`)],
    ['no authority', () => urlOf('rediss')],
    ['no encryption', () => urlOf('redis')],
  ])('is not reached with %s', async (_what, url) => {
    await expect(failedJobs(url())).rejects.toMatchObject({
      code: 1,
      stderr: 'The store of the queues does not answer within 5 s\n',
    });
  });

  test('serves the commands of on-call', async () => {
    const { stdout } = await failedJobs(urlOf('rediss', `?sslrootcert=${ca}`));
    expect(stdout).toContain('Failed queue jobs\n  none');
  });
});

/** Asks Redis as on-call does. */
const failedJobs = (url: string) =>
  run(process.execPath, ['scripts/ops.mjs', 'failed'], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: 'postgresql://127.0.0.1:1/none', QUEUE_URL: url, QUEUE_PREFIX: 'tls' },
  });
