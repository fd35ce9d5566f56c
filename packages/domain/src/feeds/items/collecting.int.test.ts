import { createCipher, newId } from '@tieout/infra';
import { createTestService, testSecretsKey, type TestService } from '@tieout/testing';
import fc from 'fast-check';
import { createSandboxProvider, type OpenFinanceProvider, type Transaction } from '../open-finance';
import { tenantScope, type TenantScope } from '../../kernel/scope';
import { feedDatasets } from './feed';
import { deferItems } from './handlers';
import { createIngest } from './ingests';
import { createItem, deleteItem } from './items';
import { claimItem, LeaseLostError, type HeldItem } from './lease';
import { dropPending, dropUnlisted, storeTransactions } from './transactions';

let service: TestService;
let scope: TenantScope;
let item: HeldItem;

const provider: OpenFinanceProvider = createSandboxProvider();
const cipher = createCipher(testSecretsKey);

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

beforeEach(() => begin());

/** Creates a tenant with an item whose lease is held. */
async function begin(): Promise<void> {
  const tenantId = newId();
  const { db } = service.deps;
  await db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  await db.system.execute(
    `insert into webhooks (id, tenant_id, url, secret, events)
     values ($1::uuid, $2::uuid, 'https://receiver.example.com/', '', '{}')`,
    [newId(), tenantId],
  );
  scope = tenantScope(service.deps, tenantId);
  const means = { cipher, provider, connectors: await provider.listConnectors() };
  const { id } = await createItem(
    scope,
    { connectorId: 'sandbox', parameters: { user: 'ok', password: 'any' } },
    means,
  );
  item = (await claimItem(scope, id, cipher.keyIds)) as HeldItem;
}

const transaction = (id: string, changes: Partial<Transaction> = {}): Transaction => ({
  id,
  accountId: 'a',
  date: '2026-11-20',
  description: 'Pix',
  descriptionRaw: null,
  type: 'DEBIT',
  amount: 10,
  signedAmount: -10,
  currencyCode: 'BRL',
  status: 'POSTED',
  balanceAfter: null,
  category: null,
  operationType: 'PIX',
  providerId: null,
  paymentData: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  ...changes,
});

/** Returns the events of transactions as `CREATED a: 1 2`. */
async function reported(): Promise<string[]> {
  const rows = await scope.db.query<{ body: string }>(
    `select body from events where tenant_id = $1::uuid and type like 'TRANSACTIONS_%' order by id`,
    [scope.tenantId],
  );
  return rows.map(({ body }) => {
    const { event, data } = JSON.parse(body) as {
      event: string;
      data: { accountId: string; transactionIds: string[] };
    };
    return `${event.replace('TRANSACTIONS_', '')} ${data.accountId}: ${data.transactionIds.join(' ')}`;
  });
}

async function records(): Promise<Record<string, number>> {
  const rows = await scope.db.query<{ id: string; amount: number }>(
    `select external_id as id, (data ->> 'amount')::float8 as amount from records
      where tenant_id = $1::uuid order by external_id`,
    [scope.tenantId],
  );
  return Object.fromEntries(rows.map(({ id, amount }) => [id, amount]));
}

async function ingest(): Promise<void> {
  await scope.db.execute(
    `insert into datasets (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, 'bank', 'records')`,
    [newId(), scope.tenantId],
  );
  await createIngest(scope, item.id, { dataset: 'bank' });
}

/** Creates another item of the tenant and holds its lease. */
async function another(): Promise<HeldItem> {
  const means = { cipher, provider, connectors: await provider.listConnectors() };
  const { id } = await createItem(
    scope,
    { connectorId: 'sandbox', parameters: { user: 'ok', password: 'any' } },
    means,
  );
  return (await claimItem(scope, id, cipher.keyIds)) as HeldItem;
}

describe('transactions', () => {
  test('are reported when they are new, and again only when a field has changed', async () => {
    await storeTransactions(scope, item, 'a', [transaction('1'), transaction('2')]);
    await storeTransactions(scope, item, 'a', [
      transaction('1', { updatedAt: '2026-11-21T12:00:00.000Z' }),
      transaction('2', { status: 'PENDING' }),
      transaction('3'),
    ]);
    expect(await reported()).toEqual(['CREATED a: 1 2', 'CREATED a: 3', 'UPDATED a: 2']);
  });

  test('under an id of another account of the item are refused, and none of them is stored', async () => {
    await storeTransactions(scope, item, 'a', [transaction('1')]);
    await expect(
      storeTransactions(scope, item, 'b', [transaction('0', { accountId: 'b' }), transaction('1', { accountId: 'b' })]),
    ).rejects.toMatchObject({
      code: 'provider_bad_response',
      message:
        'The provider gave the transaction id "1" in two accounts, "a" and "b": ids must be unique within an item',
    });
    expect(await reported()).toEqual(['CREATED a: 1']);
  });

  test('that were pending and are no longer listed are withdrawn with their records; posted ones stay', async () => {
    await ingest();
    await storeTransactions(scope, item, 'a', [
      transaction('1'),
      transaction('2', { status: 'PENDING' }),
      transaction('3', { status: 'PENDING' }),
    ]);
    await feedDatasets(scope, item.id);
    await dropPending(scope, item, 'a', new Set(['3']));
    await feedDatasets(scope, item.id);
    expect(await records()).toEqual({ 1: 10, 3: 10 });
  });

  test('of accounts that are no longer listed are withdrawn with their records if pending', async () => {
    await ingest();
    await storeTransactions(scope, item, 'a', [transaction('1', { status: 'PENDING' }), transaction('2')]);
    await storeTransactions(scope, item, 'b', [transaction('3', { accountId: 'b', status: 'PENDING' })]);
    await feedDatasets(scope, item.id);
    await dropUnlisted(scope, item, ['b']);
    await feedDatasets(scope, item.id);
    expect(await records()).toEqual({ 2: 10, 3: 10 });
  });

  test.each<[string, string[], boolean, Record<string, number>]>([
    ['another item lists it, whose version stays', [], false, { 1: 20 }],
    ['another item lists it in an ingested account', ['a'], false, { 1: 20 }],
    ['another item lists it in an account that is not ingested', ['b'], false, {}],
    ['another item has withdrawn it as well', [], true, {}],
  ])('that one item withdraws, and %s', async (_what, accountIds, isWithdrawnThere, left) => {
    await ingest();
    const second = await another();
    await createIngest(scope, second.id, { dataset: 'bank', accountIds });
    await storeTransactions(scope, second, 'a', [
      transaction('1', { amount: 20, status: isWithdrawnThere ? 'PENDING' : 'POSTED' }),
    ]);
    if (isWithdrawnThere) await dropPending(scope, second, 'a', new Set());
    await feedDatasets(scope, second.id);
    await storeTransactions(scope, item, 'a', [transaction('1', { status: 'PENDING' })]);
    await feedDatasets(scope, item.id);
    await dropPending(scope, item, 'a', new Set());
    await feedDatasets(scope, item.id);
    expect(await records()).toEqual(left);
  });

  test('that were withdrawn and return are records again, and reported as changed', async () => {
    await ingest();
    await storeTransactions(scope, item, 'a', [transaction('1', { status: 'PENDING' })]);
    await dropPending(scope, item, 'a', new Set());
    await storeTransactions(scope, item, 'a', [transaction('1', { status: 'PENDING' })]);
    await feedDatasets(scope, item.id);
    expect([await reported(), await records()]).toEqual([['CREATED a: 1', 'UPDATED a: 1'], { 1: 10 }]);
  });

  test('reach the dataset with their last state, however many runs copy them at a time', async () => {
    await ingest();
    await storeTransactions(
      scope,
      item,
      'a',
      Array.from({ length: 700 }, (_, index) => transaction(String(index))),
    );
    await storeTransactions(scope, item, 'a', [transaction('7', { amount: 20 })]);
    await Promise.all([1, 2, 3].map(() => feedDatasets(scope, item.id)));
    const made = await records();
    expect([Object.keys(made).length, made['7'], made['8']]).toEqual([700, 20, 10]);
  });
});

/** A sync: the transactions that it lists, whether it breaks off, and whether the datasets are fed before the next. */
const aSync = fc.record({
  listed: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 6 }).map(String),
      amount: fc.integer({ min: 1, max: 2 }),
      isPending: fc.boolean(),
    }),
    {
      selector: ({ id }) => id,
      maxLength: 5,
    },
  ),
  breaksOff: fc.boolean(),
  feeds: fc.boolean(),
});

test('whatever syncs list and wherever they break off, events and records follow each transaction', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(aSync, { minLength: 1, maxLength: 6 }), async (syncs) => {
      await begin();
      await ingest();
      const seen = new Map<string, Transaction>();
      const changes: string[] = [];
      const gone = new Set<string>();
      for (const { listed, breaksOff, feeds } of syncs) {
        const transactions = listed.map(({ id, amount, isPending }) =>
          transaction(id, { amount, status: isPending ? 'PENDING' : 'POSTED' }),
        );
        await storeTransactions(scope, item, 'a', transactions);
        for (const one of transactions) {
          const previous = seen.get(one.id);
          if (!previous) changes.push(`CREATED ${one.id}`);
          else if (gone.has(one.id) || previous.amount !== one.amount || previous.status !== one.status)
            changes.push(`UPDATED ${one.id}`);
          seen.set(one.id, one);
          gone.delete(one.id);
        }
        if (!breaksOff) {
          await dropPending(scope, item, 'a', new Set(transactions.map(({ id }) => id)));
          for (const { id, status } of seen.values())
            if (status === 'PENDING' && !transactions.some((one) => one.id === id)) gone.add(id);
        }
        if (feeds) await feedDatasets(scope, item.id);
      }
      await feedDatasets(scope, item.id);
      const each = (await reported()).flatMap((line) => {
        const [event = '', , ...ids] = line.split(' ');
        return ids.map((id) => `${event} ${id}`);
      });
      expect(each.sort()).toEqual(changes.sort());
      expect(await records()).toEqual(
        Object.fromEntries([...seen.values()].filter(({ id }) => !gone.has(id)).map(({ id, amount }) => [id, amount])),
      );
    }),
    { numRuns: 20 },
  );
});

describe('an item whose lease is held', () => {
  test('cannot be claimed again', async () => {
    expect(await claimItem(scope, item.id, cipher.keyIds)).toBeUndefined();
  });

  test('is claimed by another worker once its lease expires, and the first one writes nothing more', async () => {
    await scope.db.execute(`update items set lease_until = now() - interval '1 s' where id = $1::uuid`, [item.id]);
    const second = (await claimItem(scope, item.id, cipher.keyIds)) as HeldItem;
    expect(second.attempts).toBe(2);
    await expect(storeTransactions(scope, item, 'a', [transaction('1')])).rejects.toThrow(LeaseLostError);
    await storeTransactions(scope, second, 'a', [transaction('2')]);
    expect(await reported()).toEqual(['CREATED a: 2']);
  });

  test('is lost when its tenant deletes it: no event follows the deletion', async () => {
    await deleteItem(scope, item.id);
    await expect(storeTransactions(scope, item, 'a', [transaction('1')])).rejects.toThrow(LeaseLostError);
    const [last] = await scope.db.query<{ type: string }>(
      'select type from events where tenant_id = $1::uuid order by id desc limit 1',
      [scope.tenantId],
    );
    expect(last).toEqual({ type: 'ITEM_DELETED' });
  });

  test('is one of eight at most of a tenant, and other tenants are not delayed', async () => {
    const means = { cipher, provider, connectors: await provider.listConnectors() };
    const claimed: (HeldItem | undefined)[] = [];
    for (let i = 0; i < 9; i++) {
      const { id } = await createItem(
        scope,
        { connectorId: 'sandbox', parameters: { user: 'ok', password: 'any' } },
        means,
      );
      claimed.push(await claimItem(scope, id, cipher.keyIds));
    }
    expect(claimed.filter((one) => one !== undefined)).toHaveLength(7);
    const wait = (tenantId: string) => deferItems(service.deps)({ tenantId, itemId: item.id });
    expect([(await wait(scope.tenantId)) > 0, await wait(newId())]).toEqual([true, 0]);
  });
});
