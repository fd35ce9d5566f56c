import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { createTestDatabase, type TestDatabase } from '@tieout/testing';

const infra = JSON.stringify(path.join(__dirname, '..', '..', 'dist', 'index.js'));
const tenantId = '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.close());

/** Returns the lines that a process logs which runs this code on a test database `db`. */
function logOf(code: string): Record<string, unknown>[] {
  const program = `
    const { createDb, createLogger, withContext, extendContext } = require(${infra});
    const logger = createLogger('test', 'info');
    const db = createDb({ url: process.argv[1], poolSize: 1, applicationName: 'test', logger });
    (async () => { ${code} })().catch((err) => logger.error({ err }, 'failed')).finally(() => db.close());`;
  const output = execFileSync(process.execPath, ['-e', program, database.url], { encoding: 'utf8' });
  return output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

test.each([
  ['a statement', `await db.system.query('select $1::text::int', ['SECRET'])`, '22P02'],
  ['a prepared statement', `await db.prepared.query('select $1::text::date', ['a "SECRET" day'])`, '22007'],
  ['JSON', `await db.prepared.query('select $1::text::jsonb', ['{"a": SECRET}'])`, '22P02'],
  [
    'a copied row',
    `await db.forTenant('${tenantId}').session(async (c) => {
       await c.query('create temp table t (a int unique)');
       await c.query("insert into t select 'SECRET'::text::int");
     })`,
    '22P02',
  ],
  [
    'a key that is taken',
    `await db.forTenant('${tenantId}').session(async (c) => {
       await c.query('create temp table t (a text unique)');
       await c.query("insert into t values ('SECRET'), ('SECRET')");
     })`,
    '23505',
  ],
  ['an operation of the ORM', `await db.system.orm.tenant.create({ data: { id: 'SECRET', name: { SECRET: 1 } } })`, ''],
  [
    'an error with properties',
    `const cause = Object.assign(new Error('deep'), { password: 'SECRET' });
     throw Object.assign(new Error('away', { cause }), { command: { args: ['SECRET'] } })`,
    'deep',
  ],
])('values never reach the log with the failure of %s', (_title, code, shown) => {
  const text = JSON.stringify(logOf(code));
  expect(text).toContain('"msg":"failed"');
  expect(text).toContain(shown);
  expect(text).not.toContain('SECRET');
});

test('a line carries the context of its work, and fields added later', () => {
  const [line] = logOf(
    `await withContext({ requestId: 'r' }, async () => {
       await Promise.resolve();
       extendContext({ tenantId: 't' });
       logger.info('here');
     })`,
  );
  expect(line).toMatchObject({ app: 'test', requestId: 'r', tenantId: 't', msg: 'here' });
});
