import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import { deleteOldDeliveries } from './retention';

let service: TestService;

const sql = (text: string, ...parameters: (string | number)[]): Promise<number> =>
  service.deps.db.system.execute(text, parameters);
const deleteOld = (): Promise<void> => deleteOldDeliveries(service.deps.db.system, 30);

/** Triggers note how many rows each statement deletes. */
beforeAll(async () => {
  service = await createTestService();
  await sql('create table deletions (tx bigint, rows bigint)');
  await sql(`create function note_deletion() returns trigger language plpgsql as $$
    begin insert into deletions select txid_current(), count(*) from gone having count(*) > 0; return null; end $$`);
  for (const table of ['events', 'webhook_deliveries', 'webhook_attempts']) {
    await sql(
      `create trigger noted after delete on ${table} referencing old table as gone
       for each statement execute function note_deletion()`,
    );
  }
});

afterAll(() => service.close());

async function newTenant(): Promise<string> {
  const id = newId();
  await sql('insert into tenants (id, name) values ($1::uuid, $2)', id, 'Acme');
  return id;
}

/**
 * Inserts events of `days` ago, each with a delivery that was attempted `attempts` times, the last time `lastDays` ago.
 */
async function events(
  tenantId: string,
  count: number,
  {
    days = 40,
    status = 'delivered',
    attempts = 1,
    lastDays = days,
  }: { days?: number; status?: string; attempts?: number; lastDays?: number } = {},
): Promise<void> {
  await sql(
    `with made as materialized (
       select (lpad(to_hex((extract(epoch from now() - make_interval(days => $3::int)) * 1000)::bigint + n), 12, '0')
                 || '7000' || '8' || substr(md5(random()::text), 1, 15))::uuid as id
         from generate_series(1, $2::int) n),
     events as (
       insert into events (id, tenant_id, type, occurred_at, body)
       select id, $1::uuid, 'WEBHOOK_TEST', now(), '{}' from made),
     attempts as (
       insert into webhook_attempts (delivery_id, number, tenant_id, trigger, started_at, duration_ms, outcome)
       select id, n, $1::uuid, 'schedule', now(), 5, 'timeout' from made, generate_series(1, $5::int) n)
     insert into webhook_deliveries (id, tenant_id, webhook_id, event_id, event_type, status, attempts, attempted_at)
       select id, $1::uuid, $1::uuid, id, 'WEBHOOK_TEST', $4, $5::int,
              case when $5::int > 0 then now() - make_interval(days => $6::int) end from made`,
    tenantId,
    count,
    days,
    status,
    attempts,
    lastDays,
  );
}

async function left(...tenants: string[]): Promise<number[][]> {
  const rows = await service.deps.db.system.query<{ id: string; left: number[] }>(
    `select t.id::text as id,
            array[(select count(*) from webhook_deliveries where tenant_id = t.id),
                  (select count(*) from webhook_attempts where tenant_id = t.id),
                  (select count(*) from events where tenant_id = t.id)]::int[] as left
       from unnest($1::uuid[]) t(id)`,
    [tenants],
  );
  return tenants.map((id) => rows.find((row) => row.id === id)?.left ?? []);
}

test('no transaction deletes more than 5,000 rows, however many tenants have old deliveries', async () => {
  const tenants = [await newTenant(), await newTenant(), await newTenant(), await newTenant()];
  for (const tenant of tenants) await events(tenant, 900, { attempts: 6 });
  await events(tenants[0] as string, 3_000);
  await events(tenants[3] as string, 5, { days: 20 });
  await deleteOld();
  expect(await left(...tenants)).toEqual([
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
    [5, 5, 5],
  ]);
  const steps = await service.deps.db.system.query<{ rows: number }>(
    'select sum(rows)::int as rows from deletions group by tx',
  );
  expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThanOrEqual(5_000);
  expect(steps.length).toBeLessThan(20);
});

test('a delivery with more attempts than a step has rows is deleted too', async () => {
  const tenant = await newTenant();
  await events(tenant, 2, { attempts: 5_100 });
  await deleteOld();
  expect(await left(tenant)).toEqual([[0, 0, 0]]);
});

test('events with waiting deliveries do not hide old ones after them', async () => {
  const tenant = await newTenant();
  await events(tenant, 5_500, { days: 41, status: 'retry_scheduled' });
  await events(tenant, 100);
  await deleteOld();
  expect(await left(tenant)).toEqual([[5_500, 5_500, 5_500]]);
});

test.each(['delivered', 'abandoned'])('a delivery that is %s is kept from its last attempt on', async (status) => {
  const tenant = await newTenant();
  await events(tenant, 2, { status, lastDays: 29 });
  await events(tenant, 3, { days: 41, status, lastDays: 31 });
  await deleteOld();
  expect(await left(tenant)).toEqual([[2, 2, 2]]);
});

test.each([0, 2])(
  'a delivery that is cancelled after %i attempts is kept from the deletion of its webhook on',
  async (attempts) => {
    const tenant = await newTenant();
    await sql(
      `insert into webhooks (id, tenant_id, url, secret, deleted_at)
       values ($1::uuid, $1::uuid, 'https://receiver.test', '', now() - interval '29 days')`,
      tenant,
    );
    await events(tenant, 2, { status: 'cancelled', attempts });
    await deleteOld();
    expect(await left(tenant)).toEqual([[2, 2 * attempts, 2]]);
    await sql(`update webhooks set deleted_at = now() - interval '31 days' where tenant_id = $1::uuid`, tenant);
    await deleteOld();
    expect(await left(tenant)).toEqual([[0, 0, 0]]);
  },
);
