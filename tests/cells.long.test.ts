import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tieout/testing';
import { Client } from 'pg';
import { startPostgres, type OwnPostgres } from './support/postgres';
import { startStack, type Stack } from './support/stack';

const root = path.join(__dirname, '..');
const names = ['main', 'b', 'c'] as const;
type Name = (typeof names)[number];

let clusters: Record<Name, OwnPostgres>;
let databases: Record<'b' | 'c', TestDatabase>;
let stack: Stack;
/** Another API, which may know of moves later. */
let other: string;

beforeAll(async () => {
  const [main, b, c] = await Promise.all(names.map(() => startPostgres()));
  clusters = { main, b, c } as Record<Name, OwnPostgres>;
  databases = { b: await createTestDatabase(clusters.b.url), c: await createTestDatabase(clusters.c.url) };
  const text = `b=${databases.b.serviceUrl} c=${databases.c.serviceUrl}`;
  stack = await startStack({ DATABASES: text }, clusters.main.url, ['api', 'api#2']);
  other = stack.urlOf('api#2');
}, 240_000);

afterAll(async () => {
  await stack?.close();
  for (const one of Object.values(databases ?? {})) await one.close();
  for (const one of Object.values(clusters ?? {})) await one.close();
});

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

interface Sent {
  key?: string;
  tenantId?: string;
  body?: object;
  url?: string;
}

async function request(method: string, at: string, { key = stack.platformKey, tenantId, body, url }: Sent = {}) {
  const response = await fetch(`${url ?? stack.url}${at}`, {
    method,
    headers: {
      'x-api-key': key,
      ...(tenantId === undefined ? {} : { 'x-tenant-id': tenantId }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> } satisfies Answer;
}

interface Tenant {
  id: string;
  key: string;
}

async function newTenant(): Promise<Tenant> {
  const id = String((await request('POST', '/v1/tenants', { body: { name: 'Acme' } })).body['id']);
  const { body } = await request('POST', '/v1/api-keys', { tenantId: id, body: { label: 'test' } });
  return { id, key: String(body['key']) };
}

/** The environment of the command: it connects as the administrators of the test databases. */
const commandEnv = () => ({
  ...process.env,
  DATABASE_URL: stack.database.url,
  MIGRATION_DATABASE_URL: stack.database.url,
  DATABASES: `b=${databases.b.url} c=${databases.c.url}`,
});

async function run(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, env: commandEnv(), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const move = (...args: string[]) => run(['scripts/tenant-move.mjs', ...args]);

/** A move whose process kills itself with SIGKILL at a step, or after the first table. */
const killedMove = (tenantId: string, to: string, at: string) =>
  run([
    '-e',
    `const { openDirect, readDatabases } = require('./packages/infra/dist');
     const { moveTenant } = require('./packages/domain/dist');
     const kill = () => process.kill(process.pid, 'SIGKILL');
     (async () => {
       const databases = [];
       for (const one of readDatabases(process.env.DATABASE_URL, process.env.DATABASES))
         databases.push(await openDirect(one));
       await moveTenant({ tenantId: '${tenantId}', to: '${to}', databases, waitMs: 60000,
         say: (line) => '${at}' === 'copying' && line.startsWith('  ') && kill(),
         onStep: (step) => step === '${at}' && kill() });
     })();`,
  ]);

const urlOf = (name: Name): string => (name === 'main' ? stack.database.url : databases[name].url);

async function rowsIn(name: Name, sql: string, id: string): Promise<string[]> {
  const client = new Client({ connectionString: urlOf(name) });
  await client.connect();
  try {
    return (await client.query<{ value: string }>(sql, [id])).rows.map(({ value }) => value);
  } finally {
    await client.end();
  }
}

const externalIds = `select external_id as value from records where tenant_id = $1::uuid order by 1`;

/** Writes until it is stopped; a refused write is sent again, to either API. */
function writing({ key }: Tenant): { stop: () => Promise<string[]> } {
  let isRunning = true;
  const written: string[] = [];
  const writers = [stack.url, other].map(async (url, writer) => {
    for (let i = 0; isRunning; i++) {
      const externalId = `w${writer}-${i}`;
      const body = { externalId, body: { n: i } };
      for (;;) {
        const answer = await request('POST', '/v1/records?dataset=a', { key, body, url });
        if (answer.status === 202) break;
        if (answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
      }
      written.push(externalId);
    }
  });
  return {
    stop: async () => {
      isRunning = false;
      await Promise.all(writers);
      return written.sort();
    },
  };
}

test.each(['fenced', 'drained', 'copying', 'copied', 'switched', 'listed', 'activated', 'erased'])(
  'a move that is killed at the step %s under load goes on, and loses and doubles nothing',
  async (step) => {
    const tenant = await newTenant();
    const load = writing(tenant);
    const killed = await killedMove(tenant.id, 'b', step);
    expect(killed).toMatchObject({ code: null });
    const again = await move('--tenant', tenant.id, '--to', 'b');
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('The tenant is in b') as string });
    const written = await load.stop();
    expect(written.length).toBeGreaterThan(0);
    expect(await rowsIn('b', externalIds, tenant.id)).toEqual(written);
    expect(await rowsIn('main', externalIds, tenant.id)).toEqual([]);
    const { body } = await request('GET', '/v1/audit/verify', tenant);
    expect(body).toMatchObject({ valid: true });
  },
  120_000,
);

test.each(['fenced', 'copied'])(
  'a move that is killed at the step %s is taken back',
  async (step) => {
    const tenant = await newTenant();
    const load = writing(tenant);
    await killedMove(tenant.id, 'c', step);
    expect((await request('GET', '/v1/datasets', tenant)).body).toMatchObject({ code: 'tenant_moving' });
    expect(await move('--tenant', tenant.id, '--abort')).toMatchObject({ code: 0 });
    const written = await load.stop();
    expect(await rowsIn('main', externalIds, tenant.id)).toEqual(written);
    expect(await rowsIn('c', externalIds, tenant.id)).toEqual([]);
  },
  120_000,
);

test('while one cluster is down, tenants of the others are served, also by a process that starts then', async () => {
  const tenants = { main: await newTenant(), b: await newTenant(), c: await newTenant() };
  for (const name of ['b', 'c'] as const)
    expect(await move('--tenant', tenants[name].id, '--to', name)).toMatchObject({ code: 0 });
  const statuses = async (url: string): Promise<Record<string, number>> => {
    const found: Record<string, number> = {};
    for (const name of names) found[name] = (await request('GET', '/v1/datasets', { ...tenants[name], url })).status;
    return found;
  };
  for (const down of names) {
    const back = clusters[down].restart({ mode: 'immediate', downMs: 4_000 });
    let seen: Record<string, number>;
    do seen = await statuses(stack.url);
    while (seen[down] === 200);
    expect(seen).toEqual({ main: 200, b: 200, c: 200, [down]: 503 });
    const ready = await request('GET', '/readyz');
    expect(ready.status).toBe(200);
    await back;
    do seen = await statuses(stack.url);
    while (seen[down] !== 200);
  }
  await stack.kill('api#2');
  const back = clusters.main.restart({ mode: 'immediate', downMs: 8_000 });
  let isDown = false;
  while (!isDown) isDown = (await request('GET', '/v1/datasets', tenants.main)).status === 503;
  await stack.start('api#2');
  expect(await statuses(stack.urlOf('api#2'))).toMatchObject({ b: 200, c: 200 });
  await back;
}, 240_000);

test('the command says what is wrong', async () => {
  expect((await move('--help')).output).toContain('Usage: npm run -s tenant:move');
  const refused = async (...args: string[]) => (await move(...args)).output;
  expect(await refused('--tenant', 'x')).toContain('Usage:');
  expect(await refused('--tenant', 'x', '--to', 'b', '--abort')).toContain('Usage:');
  expect(await refused('--tenant', 'x', '--to', 'b')).toContain('"x" is not the id of a tenant');
  expect(await refused('--tenant', 'x', '--to', 'b', '--wait', 'long')).toContain('--wait takes a number of seconds');
  const { id } = await newTenant();
  expect(await refused('--tenant', id, '--to', 'x')).toContain('there is no database "x"');
  expect(await refused('--tenant', id, '--to', 'b', '--dry-run')).toContain('api_keys: 1');
});
