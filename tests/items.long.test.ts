import { createDb, createLogger, type Db } from '@tieout/infra';
import { eventually, startStack, type Stack } from './support/stack';
import { TenantClient } from './support/tenant';

const password = 'correct horse battery staple';
const itemCount = 6;

let stack: Stack;
let database: Db;
let tenant: TenantClient;

beforeAll(async () => {
  stack = await startStack({ LOG_LEVEL: 'debug' }, undefined, ['api', 'ingest-worker', 'background-worker']);
  database = createDb({
    url: stack.database.url,
    poolSize: 2,
    applicationName: 'test',
    logger: createLogger('test', 'silent'),
  });
  tenant = await TenantClient.create(stack);
  // The receiver does not exist: events are read from the database.
  await tenant.http.post('/v1/webhooks', { url: 'https://receiver.invalid/', secret: 's3cret' });
  await tenant.http.post('/v1/datasets', { name: 'bank' });
});

afterAll(async () => {
  await database.close();
  await stack.close();
});

interface Told {
  event: string;
  data: { itemId: string; sequence: number; transactionIds?: string[] };
}

async function told(): Promise<Told[]> {
  const rows = await database.system.query<{ body: string }>('select body from events order by id');
  return rows.map(({ body }) => JSON.parse(body) as Told);
}

const some = <T>(list: readonly T[]): true | undefined => (list.length > 0 ? true : undefined);

test('a worker killed while it collects loses nothing and doubles nothing', async () => {
  const ids: string[] = [];
  for (let i = 0; i < itemCount; i++) {
    const { data } = await tenant.http.post<{ id: string }>('/v1/items', {
      connectorId: 'sandbox',
      parameters: { user: i % 2 ? 'slow' : 'ok', password },
    });
    await tenant.http.post(`/v1/items/${data.id}/ingest`, { dataset: 'bank' });
    ids.push(data.id);
  }
  await eventually('something is collected', async () =>
    some((await told()).filter(({ event }) => event === 'TRANSACTIONS_CREATED')),
  );
  await stack.kill('background-worker');
  await stack.start('background-worker');
  await eventually('all items are UPDATED', async () => {
    const { data } = await tenant.http.get<{ total: number }>('/v1/items', { params: { status: 'UPDATED' } });
    return data.total === itemCount ? true : undefined;
  });

  const events = await told();
  for (const id of ids) {
    const own = events.filter(({ data }) => data.itemId === id).sort((a, b) => a.data.sequence - b.data.sequence);
    expect(own.map(({ data }) => data.sequence)).toEqual(own.map((_, index) => index + 1));
    const names = own.map(({ event }) => event).filter((event) => event.startsWith('ITEM_'));
    expect(names).toEqual(['ITEM_CREATED', 'ITEM_LOGIN_SUCCEEDED', 'ITEM_UPDATED']);
  }
  const transactionIds = events.flatMap(({ event, data }) =>
    event === 'TRANSACTIONS_CREATED' ? (data.transactionIds ?? []) : [],
  );
  expect(new Set(transactionIds).size).toBe(transactionIds.length);
  await tenant.settled('bank', transactionIds.length);
  expect(new Set((await tenant.externalIds('bank')).values())).toEqual(new Set(transactionIds));
});

test('no log holds the credentials of a user', () => {
  expect(stack.log()).toContain('item.sync');
  expect(stack.log()).not.toContain(password);
});
