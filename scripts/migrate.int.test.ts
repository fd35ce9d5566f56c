import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';

const run = promisify(execFile);
const root = path.join(__dirname, '..');
const server = process.env['TEST_DATABASE_URL'] ?? '';

const migrationNames = readdirSync(path.join(root, 'prisma', 'migrations'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();

async function query<Row extends object>(url: string, text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

describe('node scripts/migrate.mjs', () => {
  const name = `migrate_${randomBytes(6).toString('hex')}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  /** The same database, by another name. */
  const urlOfOther = `${url}?application_name=other`;
  const migrate = (queueUrl = '') =>
    run(process.execPath, ['scripts/migrate.mjs'], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url, QUEUE_URL: queueUrl },
    });
  const ledger = () =>
    query<{ migration_name: string; done: boolean }>(
      url,
      'select migration_name, finished_at is not null as done from _prisma_migrations order by 1',
    );

  beforeAll(() => query(server, `create database ${name}`));
  afterAll(() => query(server, `drop database ${name} with (force)`));

  it('applies every migration once when two processes start on an empty database', async () => {
    await Promise.all([migrate(), migrate()]);
    expect(await ledger()).toEqual(migrationNames.map((migration) => ({ migration_name: migration, done: true })));
  });

  it('gives the rights to the queues in six processes at once', async () => {
    await expect(Promise.all(Array.from({ length: 6 }, () => migrate()))).resolves.toHaveLength(6);
  });

  it.each(['postgres://', 'postgresql:///queues', 'redis://'])('refuses %s as the processes do', async (queueUrl) => {
    await expect(migrate(queueUrl)).rejects.toMatchObject({ code: 1, stderr: 'QUEUE_URL names no host\n' });
  });

  it('finds the database of a Tieout that runs here, unless the environment names one', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'tieout-migrate-'));
    await writeFile(
      path.join(directory, 'runtime.json'),
      JSON.stringify({ databaseUrl: url, queueUrl: 'postgresql://127.0.0.1:1/none' }),
    );
    const found = (places: object) =>
      run(process.execPath, ['scripts/migrate.mjs'], {
        cwd: root,
        env: { ...process.env, DATA_DIR: directory, ...places },
      });
    expect((await found({ DATABASE_URL: '', QUEUE_URL: url })).stdout).toBe('The database is up to date.\n');
    // The queues of what runs here are of no concern to another database.
    expect((await found({ DATABASE_URL: urlOfOther, QUEUE_URL: '' })).stdout).toBe('The database is up to date.\n');
    await rm(directory, { recursive: true });
  });

  it('makes the tables of the queue as well', async () => {
    const tables = await query(url, "select 1 from information_schema.tables where table_schema = 'bullmq' limit 1");
    expect(tables).toHaveLength(1);
  });

  it('changes nothing on a database that is up to date', async () => {
    const { stdout } = await migrate();
    expect(stdout).toContain('up to date');
    expect(await ledger()).toHaveLength(migrationNames.length);
  });

  it('refuses a migration that was edited after it was applied', async () => {
    await query(url, 'update _prisma_migrations set checksum = $1 where migration_name = $2', [
      'other',
      migrationNames[0],
    ]);
    await expect(migrate()).rejects.toMatchObject({
      stderr: expect.stringContaining('was edited after it was applied') as string,
    });
  });
});

describe('a migration', () => {
  const name = `migrate_${randomBytes(6).toString('hex')}`;
  const user = `${name}_user`;
  const urlAs = (changes: Partial<URL>): string =>
    Object.assign(new URL(server), { pathname: `/${name}`, ...changes }).href;
  const migrate = (url: string) =>
    run(process.execPath, ['scripts/migrate.mjs'], {
      cwd: root,
      env: { ...process.env, DATABASE_URL: url, QUEUE_URL: '' },
    });

  beforeEach(() => query(server, `create database ${name}`));
  afterEach(async () => {
    await query(server, `drop database ${name} with (force)`);
    await query(server, `drop role if exists ${user}`);
  });

  it('stops waiting for a lock others hold, so that it blocks no later statement, and retries', async () => {
    const holder = new Client({ connectionString: urlAs({}) });
    await holder.connect();
    await holder.query('begin; create schema staging');
    const done = migrate(urlAs({}));
    const waiting = () =>
      query(
        server,
        `select 1 from pg_stat_activity
          where datname = $1 and wait_event_type = 'Lock' and query not like '%advisory%'`,
        [name],
      );
    while ((await waiting()).length === 0);
    while ((await waiting()).length > 0);
    await holder.query('rollback');
    await holder.end();
    expect((await done).stdout).toContain('_init');
  });

  it('says what an administrator must run where its user cannot create the role, and works afterwards', async () => {
    await query(server, `create role ${user} login password 'p'; alter database ${name} owner to ${user}`);
    const url = urlAs({ username: user, password: 'p' });
    await expect(migrate(url)).rejects.toMatchObject({
      stderr: expect.stringContaining(`GRANT tieout_tenant TO "${user}"`) as string,
    });
    await query(server, `grant tieout_tenant to ${user}`);
    expect((await migrate(url)).stdout).toContain('_row_level_security');
  });
});

describe('the users of a database', () => {
  const name = `users_${randomBytes(6).toString('hex')}`;
  const users = { owner: `${name}_owner's`, service: `${name}_service` };
  const urlAs = (user?: string, password = `${user ?? ''}/\\p'@`): string => {
    const url = Object.assign(new URL(server), { pathname: `/${name}` });
    if (user === undefined) return url.href;
    return Object.assign(url, { username: encodeURIComponent(user), password: encodeURIComponent(password) }).href;
  };
  const places = () => ({
    ADMIN_DATABASE_URL: urlAs(),
    MIGRATION_DATABASE_URL: urlAs(users.owner),
    DATABASE_URL: urlAs(users.service),
    QUEUE_URL: '',
  });
  const script = (file: string, env: Record<string, string> = places()) =>
    run(process.execPath, [`scripts/${file}`], { cwd: root, env: { ...process.env, ...env } });
  const enqueue = (user?: string) =>
    query(
      urlAs(user),
      `select bullmq.add_job('work', null, 'job', '{}', '{}', 0, 0, 0, 1, null, null, null, null, null, false)`,
    );
  const asService = (text: string) => query(urlAs(users.service), text);

  beforeEach(() => query(server, `create database ${name}`));
  afterEach(async () => {
    await query(server, `drop database ${name} with (force)`);
    const made = await query<{ name: string }>(server, 'select rolname as name from pg_roles where rolname = any($1)', [
      Object.values(users),
    ]);
    // Rights on parameters are the server's, and outlive the database.
    for (const user of made) await query(server, `drop owned by "${user.name}"; drop role "${user.name}"`);
  });

  it('take over a database that an administrator has made, with its queues and snapshots', async () => {
    await script('migrate.mjs', { DATABASE_URL: urlAs(), MIGRATION_DATABASE_URL: '', QUEUE_URL: '' });
    await enqueue();
    await query(urlAs(), 'create table staging.s_old (id int)');
    for (let time = 0; time < 2; time++) {
      await script('database-roles.mjs');
      expect((await script('migrate.mjs')).stdout).toBe('The database is up to date.\n');
    }
    await enqueue(users.service);
    await asService('drop table staging.s_old; create table staging.s_new (id int)');
    await asService(
      `insert into tenants (id, name) values (gen_random_uuid(), 'Acme'); select analyse_table('tenants', array['id'])`,
    );
    const owners = await query<{ kind: string; owner: string }>(
      urlAs(),
      `select distinct nspname as kind, pg_get_userbyid(relowner) as owner
         from pg_class join pg_namespace n on n.oid = relnamespace
        where nspname in ('public', 'bullmq', 'staging') and relkind in ('r', 'S') order by 1, 2`,
    );
    expect(owners).toEqual([
      { kind: 'bullmq', owner: users.owner },
      { kind: 'public', owner: users.owner },
      { kind: 'staging', owner: users.service },
    ]);
  });

  it('begin on an empty database, and get new passwords when they are made again', async () => {
    await script('database-roles.mjs');
    await script('migrate.mjs');
    await asService('select 1 from tenants');
    await script('database-roles.mjs', { ...places(), DATABASE_URL: urlAs(users.service, 'changed') });
    await expect(asService('select 1')).rejects.toMatchObject({ code: '28P01' });
    expect(await query(urlAs(users.service, 'changed'), 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it.each([
    ['the same user for both', { DATABASE_URL: () => urlAs(users.owner) }, 'name the same user'],
    ['a superuser for the service', { DATABASE_URL: () => urlAs() }, 'a superuser or one with BYPASSRLS'],
    ['a url without a user', { DATABASE_URL: () => 'postgresql://127.0.0.1/x' }, 'DATABASE_URL names no user'],
    ['another database', { DATABASE_URL: () => `${urlAs(users.service)}_copy` }, 'DATABASE_URL names the database'],
    ['a missing url', { MIGRATION_DATABASE_URL: () => '' }, 'Set MIGRATION_DATABASE_URL'],
  ])('are refused: %s', async (_what, changes, reason) => {
    const changed = Object.fromEntries(Object.entries(changes).map(([setting, url]) => [setting, url()]));
    await expect(script('database-roles.mjs', { ...places(), ...changed })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(reason) as string,
    });
  });
});
