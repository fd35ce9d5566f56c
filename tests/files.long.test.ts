import { createDb, createLogger, type Db } from '@tieout/infra';
import { eventually, startStack, type Stack } from './support/stack';
import { TenantClient } from './support/tenant';

let stack: Stack;
let database: Db;

beforeAll(async () => {
  stack = await startStack({}, undefined, ['api', 'ingest-worker', 'background-worker']);
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

const rows = 60_000;
const dateOf = (i: number): string => `${String(1 + (i % 28)).padStart(2, '0')}.03.2026`;
const lines = Array.from({ length: rows }, (_, i) => `${i};${i % 977},50;${dateOf(i)};note of row ${i}\n`);
const content = `id;amount;date;note\n${lines.join('')}`;

interface FileBody {
  id: string;
  status: string;
  rowCount: number;
  metadata: { ready: number; rejected: number };
}

async function upload(tenant: TenantClient): Promise<() => Promise<FileBody>> {
  const { data: source } = await tenant.http.post<{ id: string }>('/v1/data-sources', { name: 'Bank', kind: 'bank' });
  const form = new FormData();
  form.append('dataset', 'statement');
  form.append('fromColumns', 'true');
  form.append('file', new Blob([content]), 'statement.csv');
  const { data: file } = await tenant.http.post<FileBody>(`/v1/data-sources/${source.id}/files`, form);
  return async () => (await tenant.http.get<FileBody>(`/v1/data-sources/${source.id}/files/${file.id}`)).data;
}

test('an ingest worker killed in the middle of a file stores every row once', async () => {
  const tenant = await TenantClient.create(stack);
  const read = await upload(tenant);
  await eventually('some rows stored', async () => ((await read()).rowCount > 0 ? true : undefined));
  await stack.kill('ingest-worker');
  const atDeath = await read();
  expect(atDeath).toMatchObject({ status: 'processing' });
  await stack.start('ingest-worker');
  const done = await eventually('the file is ready', async () => {
    const file = await read();
    return file.status === 'ready' ? file : undefined;
  });
  expect(done).toMatchObject({ rowCount: rows, metadata: { ready: rows, rejected: 0 } });
  const [stored] = await database.system.query<{ rows: number; ids: number; sum: number; ready: number }>(
    `select count(*)::int as rows, count(distinct data ->> 'id')::int as ids,
      sum((fields ->> 'amount')::numeric)::float8 as sum,
            count(*) filter (where status = 'ready')::int as ready
     from records where tenant_id = $1::uuid`,
    [tenant.tenantId],
  );
  const sum = Array.from({ length: rows }, (_, i) => (i % 977) + 0.5).reduce((a, b) => a + b);
  expect(stored).toEqual({ rows, ids: rows, sum, ready: rows });
});
