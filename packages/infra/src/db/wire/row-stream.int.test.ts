import { testServers } from '@tieout/testing';
import { Pool, type PoolClient } from 'pg';
import { streamRows } from './row-stream';

let pool: Pool;
let client: PoolClient;

beforeAll(() => {
  pool = new Pool({ connectionString: testServers().databaseUrl, max: 2 });
});

afterAll(() => pool.end());

beforeEach(async () => {
  client = await pool.connect();
});

afterEach(() => {
  client.release();
});

const numbersTo = (last: number): string => `select n::int4, repeat('x', n % 100) from generate_series(1, ${last}) n`;

async function readAll(query: string): Promise<number[]> {
  const numbers: number[] = [];
  for await (const rows of streamRows(client, query, 2)) {
    for (let row = 0; row < rows.count; row++) numbers.push(rows.bytes.readInt32BE(rows.start(row, 0)));
  }
  return numbers;
}

const one = async (): Promise<number> =>
  (await client.query<{ one: number }>('select 1 as one')).rows[0]?.one as number;

test('all rows arrive in order, and the connection is usable again', async () => {
  const numbers = await readAll(numbersTo(100_000));
  expect(numbers).toEqual(Array.from({ length: 100_000 }, (_, i) => i + 1));
  expect(await one()).toBe(1);
});

test('a result without rows has no groups', async () => {
  expect(await readAll(`${numbersTo(10)} where n > 10`)).toEqual([]);
});

test('a value of many chunks is one value', async () => {
  for await (const rows of streamRows(client, `select repeat('y', 20000000)`, 1))
    expect([rows.count, rows.length(0, 0)]).toEqual([1, 20_000_000]);
  expect(await one()).toBe(1);
});

test('the server is no more than two portions of rows ahead of its reader', async () => {
  await pool.query('create sequence made');
  let taken = 0;
  for await (const rows of streamRows(
    client,
    `select nextval('made'), repeat('x', 1000) from generate_series(1, 40000)`,
    2,
  )) {
    taken += rows.count;
    const {
      rows: [made],
    } = await pool.query<{ last: number }>('select last_value::int as last from made');
    expect(made?.last).toBeLessThanOrEqual(taken + 8_000);
  }
  await pool.query('drop sequence made');
  expect(taken).toBe(40_000);
});

test('a query that fails between rows throws the error of the server, and the connection is usable again', async () => {
  await expect(readAll(`select (1000 / (5000 - n))::int4, 'x' from generate_series(1, 10000) n`)).rejects.toMatchObject(
    { code: '22012' },
  );
  expect(await one()).toBe(1);
});

test('a consumer that stops early leaves a usable connection', async () => {
  for await (const rows of streamRows(client, numbersTo(1_000_000), 2)) if (rows.count > 0) break;
  expect(await one()).toBe(1);
});

test('a connection that is cut throws an error', async () => {
  client.on('error', () => undefined);
  const {
    rows: [own],
  } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const reading = (async () => {
    for await (const rows of streamRows(client, numbersTo(10_000_000), 2)) {
      if (rows.count > 0) await pool.query('select pg_terminate_backend($1)', [own?.pid]);
    }
  })();
  await expect(reading).rejects.toThrow();
});
