import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createDb, createLogger, newId, queueClasses } from '@tieout/infra';
import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client } from 'pg';
import { startPostgres, type OwnPostgres } from './support/postgres';

const run = promisify(execFile);
const root = path.join(__dirname, '..');
const logger = createLogger('test', 'silent');

/** An installed PostgreSQL with its server and its dump programs; the one of npm has no dump programs. */
const bin = [18, 17, 16, 15]
  .map((major) => `/usr/lib/postgresql/${major}/bin`)
  .find((folder) => ['postgres', 'pg_dump', 'pg_restore', 'psql'].every((name) => existsSync(path.join(folder, name))));

(bin === undefined ? describe.skip : describe)('backup and restore on an installed PostgreSQL', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'tieout-backup-'));
  const [backups, files] = ['backups', 'files'].map((name) => path.join(directory, name)) as [string, string];
  const tenantId = newId();
  let server: OwnPostgres;
  let database: TestDatabase;
  let ownerUrl: string;

  const withUser = (user: string): string =>
    Object.assign(new URL(database.url), { username: user, password: `secret-${user}` }).href;

  const script = (name: string, args: readonly string[], env: Record<string, string> = {}) =>
    run('sh', [path.join(root, 'ops', 'backup', name), ...args], {
      env: {
        PATH: `${bin}:${process.env['PATH'] ?? ''}`,
        BACKUP_DATABASE_URL: ownerUrl,
        BACKUP_DIRECTORY: backups,
        BACKUP_FILES: files,
        ...env,
      },
    });

  const saved = (): string[] => readdirSync(backups).sort();

  async function backUp(env?: Record<string, string>): Promise<string> {
    const { stdout } = await script('backup.sh', ['once'], env);
    return /^saved (\S+)\n$/.exec(stdout)?.[1] ?? stdout;
  }

  async function asService<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client({ connectionString: database.serviceUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  const tenants = (): Promise<string[]> =>
    asService(
      async (client) => (await client.query<{ name: string }>('select name from tenants order by 1')).rows,
    ).then((rows) => rows.map(({ name }) => name));

  const jobs = async (): Promise<string[]> => {
    const queue = queueClasses({ url: database.serviceUrl, prefix: 'x' }, { role: 'producer' }).openQueue('ingest');
    const found = await queue.getJobs(['waiting']);
    await queue.close();
    return found.map(({ id }) => id as string).sort();
  };

  const enqueue = async (): Promise<void> => {
    const queue = queueClasses({ url: database.serviceUrl, prefix: 'x' }, { role: 'producer' }).openQueue('ingest');
    await queue.add('job', {});
    await queue.close();
  };

  beforeAll(async () => {
    for (const folder of [backups, files]) mkdirSync(folder);
    server = await startPostgres({ bin });
    database = await createTestDatabase(server.url);
    ownerUrl = withUser('tieout_owner');
    // The database belongs to the owner of its tables, as in a deployment.
    await run(process.execPath, ['scripts/database-roles.mjs'], {
      cwd: root,
      env: {
        ...process.env,
        ADMIN_DATABASE_URL: database.url,
        MIGRATION_DATABASE_URL: ownerUrl,
        DATABASE_URL: database.serviceUrl,
      },
    });
    await asService((client) => client.query('insert into tenants (id, name) values ($1, $2)', [tenantId, 'Acme']));
    await enqueue();
    writeFileSync(path.join(files, 'statement.csv'), 'a;b\n');
  });

  afterAll(async () => {
    await server.close();
    rmSync(directory, { recursive: true });
  });

  beforeEach(() => {
    for (const name of saved()) rmSync(path.join(backups, name), { recursive: true });
  });

  test('a restore brings back rows, rights, queues and files, and takes away what came later', async () => {
    const stage = new Client({ connectionString: database.serviceUrl });
    await stage.connect();
    // A job that runs in the meantime: its snapshot is locked, and no part of the backup.
    await stage.query('create table staging.s_running (id int); begin; lock table staging.s_running');
    const name = await backUp();
    await stage.end();
    await asService((client) =>
      client.query(`delete from tenants; insert into tenants (id, name) values (gen_random_uuid(), 'Later')`),
    );
    await enqueue();
    rmSync(path.join(files, 'statement.csv'));

    expect((await script('restore.sh', [name])).stdout).toBe(`restored ${name}\n`);

    expect([await tenants(), await jobs()]).toEqual([['Acme'], ['1']]);
    expect(readFileSync(path.join(files, 'statement.csv'), 'utf8')).toBe('a;b\n');
    await enqueue();
    expect(await jobs()).toEqual(['1', '2']);
    const db = createDb({ url: database.serviceUrl, poolSize: 2, applicationName: 'restored', logger });
    expect(await db.forTenant(tenantId).query('select name from tenants')).toEqual([{ name: 'Acme' }]);
    expect(await db.forTenant(newId()).query('select name from tenants')).toEqual([]);
    await db.close();
    await asService((client) => client.query('create table staging.s_next (id int); drop table staging.s_next'));
    const migrated = await run(process.execPath, ['scripts/migrate.mjs'], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: database.serviceUrl, MIGRATION_DATABASE_URL: ownerUrl, QUEUE_URL: '' },
    });
    expect(migrated.stdout).toBe('The database is up to date.\n');
  });

  test('a restore changes nothing while a process of Tieout is connected, and names it', async () => {
    const name = await backUp();
    const db = createDb({ url: database.serviceUrl, poolSize: 1, applicationName: 'tieout api', logger });
    await db.ping();
    await expect(script('restore.sh', [name])).rejects.toMatchObject({
      code: 1,
      stderr: 'Still running: tieout api. Stop every process of Tieout first\n',
    });
    await db.close();
    expect(await tenants()).toEqual(['Acme']);
  });

  test('a damaged backup is refused, and the database stays as it is', async () => {
    const name = await backUp();
    appendFileSync(path.join(backups, name, 'database.dump'), 'x');
    await expect(script('restore.sh', [name])).rejects.toMatchObject({
      code: 1,
      stderr: `${name} is damaged: its checksums differ\n`,
    });
    expect(await tenants()).toEqual(['Acme']);
  });

  test('a restore whose files find no room leaves the database as it is', async () => {
    const name = await backUp();
    await asService((client) => client.query(`update tenants set name = 'Renamed'`));
    const env = { BACKUP_FILES: path.join(directory, 'missing') };
    await expect(script('restore.sh', [name], env)).rejects.toMatchObject({ code: 2 });
    expect(await tenants()).toEqual(['Renamed']);
    await asService((client) => client.query(`update tenants set name = 'Acme'`));
  });

  test.each([[[]], [['20200101T000000Z']]])('a restore of %j lists the backups there are', async (args) => {
    const name = await backUp();
    await expect(script('restore.sh', args)).rejects.toMatchObject({
      code: 2,
      stderr: `Name one of these backups:\n${name}\n`,
    });
  });

  test('the newest backups stay, and remains of a broken one go', async () => {
    for (const old of ['20200101T000000Z', '20200102T000000Z', '20200103T000000Z.part'])
      mkdirSync(path.join(backups, old));
    const name = await backUp({ BACKUP_KEEP: '2' });
    expect(saved()).toEqual(['20200102T000000Z', name]);
  });

  test.each(
    ['BACKUP_HOURS', 'BACKUP_KEEP'].flatMap((name) =>
      ['0', '0.5', '-1', 'abc', '012', '10000'].map((value) => [name, value] as const),
    ),
  )('%s=%s is refused before anything is saved or removed', async (name, value) => {
    for (const old of ['20200101T000000Z', '20200102T000000Z']) mkdirSync(path.join(backups, old));
    const stderr = `${name} is ${value}: set it to a whole number from 1 to 9999\n`;
    for (const command of ['once', 'every', 'check'])
      await expect(script('backup.sh', [command], { [name]: value })).rejects.toMatchObject({ code: 2, stderr });
    expect(saved()).toEqual(['20200101T000000Z', '20200102T000000Z']);
  });

  test('only directories that are backups make room for a new one', async () => {
    for (const other of ['20200101T000000Z', 'XYZ', 'keep-20200101T000000Z']) mkdirSync(path.join(backups, other));
    const name = await backUp({ BACKUP_KEEP: '1' });
    expect(saved()).toEqual([name, 'XYZ', 'keep-20200101T000000Z']);
  });

  test('a second backup at a time is refused and leaves the draft of the first', async () => {
    const first = spawn('flock', [backups, 'sh', '-c', 'echo locked; read end'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(first.stdout, 'data');
    mkdirSync(path.join(backups, '20200101T000000Z.part'));
    await expect(backUp()).rejects.toMatchObject({ code: 1, stderr: 'Another backup is running: wait for it\n' });
    expect(saved()).toEqual(['20200101T000000Z.part']);
    first.stdin.end();
    await once(first, 'exit');
    const name = await backUp();
    expect(saved()).toEqual([name]);
  });

  test.each([
    ['recent, makes none', 0, 1],
    ['old, makes one', 2, 2],
  ])('a start whose newest backup is %s', async (_name, ageHours, expected) => {
    const earlier = path.join(backups, '20200101T000000Z');
    mkdirSync(earlier);
    const time = Date.now() / 1000 - ageHours * 3600;
    utimesSync(earlier, time, time);
    // The first pause ends the process.
    const programs = mkdtempSync(path.join(directory, 'programs-'));
    writeFileSync(path.join(programs, 'sleep'), '#!/bin/sh\nkill "$PPID"\n', { mode: 0o755 });
    await expect(
      script('backup.sh', ['every'], { BACKUP_HOURS: '1', PATH: `${programs}:${bin}:${process.env['PATH'] ?? ''}` }),
    ).rejects.toMatchObject({ signal: 'SIGTERM' });
    expect(saved()).toHaveLength(expected);
  });

  test('no argument of a program holds the password, whatever its characters', async () => {
    const programs = mkdtempSync(path.join(directory, 'programs-'));
    const list = path.join(programs, 'arguments');
    for (const program of ['pg_dump', 'psql'])
      writeFileSync(path.join(programs, program), `#!/bin/sh\necho "$@" >>${list}\nexec ${bin}/${program} "$@"\n`, {
        mode: 0o755,
      });
    const password = `p:a/s@s%w ö\\'"$`;
    const admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query(`alter role tieout_owner password ${admin.escapeLiteral(password)}`);
    const env = {
      BACKUP_DATABASE_URL: ownerUrl.replace('secret-tieout_owner', encodeURIComponent(password)),
      PATH: `${programs}:${bin}:${process.env['PATH'] ?? ''}`,
    };
    const name = await backUp(env);
    expect((await script('restore.sh', [name], env)).stdout).toBe(`restored ${name}\n`);
    await admin.query(`alter role tieout_owner password 'secret-tieout_owner'`);
    await admin.end();
    expect(readFileSync(list, 'utf8')).toMatch(/^--dbname=postgresql:\/\/tieout_owner@/);
    expect(readFileSync(list, 'utf8')).not.toMatch(/p%3Aa|p:a/);
  });

  test('a backup that fails says so, and leaves the earlier ones', async () => {
    mkdirSync(path.join(backups, '20200101T000000Z'));
    const wrong = withUser('tieout_owner').replace(':secret-tieout_owner@', ':wrong@');
    await expect(script('backup.sh', ['once'], { BACKUP_DATABASE_URL: wrong, BACKUP_KEEP: '1' })).rejects.toMatchObject(
      {
        code: 1,
        stderr: expect.stringContaining('password authentication failed') as string,
      },
    );
    expect(saved().filter((name) => !name.endsWith('.part'))).toEqual(['20200101T000000Z']);
  });

  test('the check passes while the newest backup is recent', async () => {
    await expect(script('backup.sh', ['check'])).rejects.toMatchObject({ code: 1 });
    await backUp();
    await expect(script('backup.sh', ['check'])).resolves.toMatchObject({ stdout: '' });
  });
});
