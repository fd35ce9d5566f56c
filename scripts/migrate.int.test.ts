import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
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
  const migrate = () => run(process.execPath, ['scripts/migrate.mjs'], { cwd: root, env: { ...process.env, DATABASE_URL: url, QUEUE_URL: '' } });
  const ledger = () =>
    query<{ migration_name: string; done: boolean }>(url, 'select migration_name, finished_at is not null as done from _prisma_migrations order by 1');

  beforeAll(() => query(server, `create database ${name}`));
  afterAll(() => query(server, `drop database ${name} with (force)`));

  it('applies every migration once when two processes start on an empty database', async () => {
    await Promise.all([migrate(), migrate()]);
    expect(await ledger()).toEqual(migrationNames.map((migration) => ({ migration_name: migration, done: true })));
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
    await query(url, 'update _prisma_migrations set checksum = $1 where migration_name = $2', ['other', migrationNames[0]]);
    await expect(migrate()).rejects.toMatchObject({ stderr: expect.stringContaining('was edited after it was applied') as string });
  });
});
