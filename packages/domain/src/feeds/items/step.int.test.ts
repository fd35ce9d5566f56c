import { AppError, createCipher, createKnownKeys, newId, type Cipher } from '@tieout/infra';
import { createTestService, testSecretsKey, type TestService } from '@tieout/testing';
import { createSandboxProvider, type OpenFinanceProvider } from '../open-finance';
import { tenantScope, type TenantScope } from '../../kernel/scope';
import { getItem } from './item';
import { answerItem, createItem, deleteItem, updateItem } from './items';
import { parametersPurpose } from './parameters';
import { defaultItemPolicy } from './policy';
import { sweepItems } from './sweep';
import { runItemStep, type ItemStepMeans } from './step';

let service: TestService;
let scope: TenantScope;
let id: string;
/** Deletions that the provider was asked for. */
let asked: string[];

const sandbox = createSandboxProvider();
const cipher = createCipher(testSecretsKey);

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

beforeEach(() => {
  asked = [];
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** The sandbox provider with some calls replaced. */
const provider = (changes: Partial<OpenFinanceProvider> = {}): OpenFinanceProvider => ({
  ...sandbox,
  deleteItem: async (itemId) => void asked.push(`delete ${itemId}`),
  ...changes,
});

async function create(user: string): Promise<void> {
  const tenantId = newId();
  await service.deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  scope = tenantScope(service.deps, tenantId);
  const means = { cipher, provider: sandbox, connectors: await sandbox.listConnectors() };
  id = (await createItem(scope, { connectorId: 'sandbox', parameters: { user, password: 'any' } }, means)).id;
}

const step = (by: OpenFinanceProvider = provider(), changes: Partial<ItemStepMeans> = {}): Promise<void> =>
  runItemStep(scope, id, { provider: by, cipher, policy: defaultItemPolicy, logger: service.deps.logger, ...changes });

/** Runs steps until the retries of a failing run are used up. */
async function failRun(by: OpenFinanceProvider): Promise<void> {
  for (let i = 0; i <= defaultItemPolicy.retryDelaysMs.length; i++) {
    await set('due_at = now()');
    await step(by);
  }
}

const set = (assignments: string): Promise<number> =>
  scope.db.execute(`update items set ${assignments} where id = $1::uuid`, [id]);

const row = async <T>(columns: string): Promise<T | undefined> =>
  (await scope.db.query<T>(`select ${columns} from items where id = $1::uuid`, [id]))[0];

describe('an item that is deleted while the provider creates it', () => {
  const deleting = (after: () => Promise<unknown>): OpenFinanceProvider =>
    provider({
      createItem: async (item, options) => {
        const made = await sandbox.createItem(item, options);
        await deleteItem(scope, id);
        await after();
        return made;
      },
    });

  test('is deleted there by the step that removes it', async () => {
    await create('ok');
    await step(deleting(() => Promise.resolve()));
    await step();
    expect(asked).toEqual([expect.stringMatching(/^delete sandbox\.ok\./)]);
    expect(await row('id')).toBeUndefined();
  });

  test('is deleted there also when its row is gone before', async () => {
    await create('ok');
    await step(deleting(() => step()));
    // Both steps delete it: the one that removes the row, and the one that has just created it.
    expect(asked).toEqual([
      expect.stringMatching(/^delete sandbox\.ok\./),
      expect.stringMatching(/^delete sandbox\.ok\./),
    ]);
  });
});

test('a process that stops hands an item back: another one continues at once, and no failure is counted', async () => {
  await create('ok');
  const stopping = new AbortController();
  const hanging = provider({
    listAccounts: (_itemId, options) => {
      stopping.abort();
      options?.signal?.throwIfAborted();
      return new Promise(() => undefined);
    },
  });
  await step(hanging, { stopping: stopping.signal });
  expect(await row('attempts, lease_token, status')).toEqual({ attempts: 0, lease_token: null, status: 'UPDATING' });
  await step();
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

describe('an item whose parameters are under a missing key', () => {
  const other = createCipher('cd'.repeat(32));
  const stepWithoutKey = (): Promise<void> => step(provider(), { cipher: other });

  test.each([
    ['that is created', 'ok', []],
    ['that was answered', 'mfa', [{ token: '123456' }]],
  ])(
    '%s waits unchanged, however often it is claimed, and continues when the key is back',
    async (_what, user, answers) => {
      await create(user);
      for (const answer of answers) {
        await step();
        await answerItem(scope, id, answer, { cipher });
      }
      const before = await row('*');
      for (let time = 0; time < 12; time++) await stepWithoutKey();
      expect(await row('*')).toEqual(before);
      await step();
      expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
    },
  );

  test('that is deleted before it is known whether it was created waits to be removed', async () => {
    await create('ok');
    await step(provider({ createItem: () => Promise.reject(new AppError('provider_timeout', 'no answer')) }));
    await deleteItem(scope, id);
    await stepWithoutKey();
    expect(await row('attempts, parameters is null as forgotten')).toEqual({ attempts: 0, forgotten: false });
    await step();
    expect(await row('id')).toBeUndefined();
  });

  test('is not enqueued by the sweep of a process without the key, which logs that', async () => {
    const { logger, queue } = service.deps;
    const lines: unknown[] = [];
    jest.spyOn(logger, 'error').mockImplementation((...line: unknown[]) => void lines.push(line));
    await create('ok');
    // Another revision than its first queue job has: that one is lost.
    await set('revision = 7');
    const sweep = async (by: Cipher): Promise<string> => {
      await sweepItems(service.deps, createKnownKeys(by, parametersPurpose, logger));
      return queue.stateOf('item.sync', `item-${id}-7`);
    };
    expect([await sweep(other), await sweep(cipher)]).toEqual(['absent', 'waiting']);
    const [keyId] = cipher.keyIds;
    expect(lines).toEqual([
      [{ keyId }, `the key ${keyId} of an encrypted items.parameters is not in SECRETS_KEY: what needs it waits`],
    ]);
  });
});

test('an answer that the provider took before the worker crashed is not given twice', async () => {
  await create('mfa');
  await step();
  await answerItem(scope, id, { token: '123456' }, { cipher });
  // The state after a first attempt that reached the provider and was not stored.
  const taken = provider({
    submitInput: () => Promise.reject(new AppError('provider_rejected', 'it waits for nothing')),
    getItem: (itemId, options) => sandbox.submitInput(itemId, { token: '123456' }, options),
  });
  await step(taken);
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

test('text that cannot be stored fails the run after its last attempt, with the reason', async () => {
  await create('ok');
  const nul = provider({
    listAccountTransactions: async (...of) =>
      (await sandbox.listAccountTransactions(...of)).map((one) => ({ ...one, description: 'a\u0000b' })),
  });
  await failRun(nul);
  expect(await getItem(scope, id)).toMatchObject({
    status: 'OUTDATED',
    error: { code: 'ERROR', message: 'The provider gave an answer that cannot be used' },
  });
});

test('an id that two accounts share fails the sync, and the item names it', async () => {
  await create('ok');
  const sharing = provider({
    listCardTransactions: async (itemId, cardId) => {
      const [account] = await sandbox.listAccounts(itemId);
      const [own] = await sandbox.listCardTransactions(itemId, cardId);
      const [other] = await sandbox.listAccountTransactions(itemId, account?.id as string);
      return own && other ? [{ ...own, id: other.id }] : [];
    },
  });
  await failRun(sharing);
  const name = '"[^"]+"';
  const gave = `The provider gave the transaction id ${name} in two accounts, ${name} and ${name}`;
  const said = new RegExp(`^${gave}: ids must be unique within an item$`);
  expect(await getItem(scope, id)).toMatchObject({
    status: 'OUTDATED',
    error: { code: 'ERROR', message: expect.stringMatching(said) as string },
  });
});

test.each([
  ['an account that is no longer listed', 'SUCCESS', 0],
  ['an account that a partial answer leaves out', 'PARTIAL_SUCCESS', 1],
] as const)('of %s, after %s, %d pending transactions remain', async (_what, executionStatus, left) => {
  await create('ok');
  const of = (itemId: string) => sandbox.listAccounts(itemId);
  await step(
    provider({
      listAccountTransactions: async (itemId, accountId) => {
        const [first] = await sandbox.listAccountTransactions(itemId, accountId);
        return first && accountId === (await of(itemId))[0]?.id ? [{ ...first, status: 'PENDING' }] : [];
      },
      listCardTransactions: async () => Promise.resolve([]),
    }),
  );
  await updateItem(scope, id, undefined, { cipher });
  await step(
    provider({
      refresh: async (itemId) => ({ ...(await sandbox.getItem(itemId)), status: 'UPDATED', executionStatus }),
      listAccounts: async () => Promise.resolve([]),
    }),
  );
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
  expect(
    await scope.db.query('select id from item_transactions where item_id = $1::uuid and not removed', [id]),
  ).toHaveLength(left);
});

test('an account that disappears while it is read fails an attempt, not the item', async () => {
  await create('ok');
  await step(
    provider({ listCardTransactions: () => Promise.reject(new AppError('provider_resource_not_found', 'unknown')) }),
  );
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATING' });
  await set('due_at = now()');
  await step();
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

test('a step that keeps failing on our side is given up', async () => {
  await create('ok');
  await set('attempts = 10');
  await step(provider({ createItem: () => Promise.reject(new Error('a bug')) }));
  expect(await getItem(scope, id)).toMatchObject({ status: 'OUTDATED', error: { code: 'ERROR' } });
});

test('an item of another provider leads to no call', async () => {
  await create('ok');
  await step();
  await updateItem(scope, id, undefined, { cipher });
  await step(provider({ origin: 'https://other.example', refresh: () => Promise.reject(new Error('it was asked')) }));
  expect(await getItem(scope, id)).toMatchObject({
    status: 'LOGIN_ERROR',
    error: { message: 'The item was made with another provider: delete it and create it again' },
  });
});

test('an item that the provider no longer knows is created again by a login', async () => {
  await create('ok');
  await step();
  await updateItem(scope, id, undefined, { cipher });
  await step(provider({ refresh: () => Promise.reject(new AppError('provider_resource_not_found', 'unknown')) }));
  expect(await getItem(scope, id)).toMatchObject({ status: 'LOGIN_ERROR' });
  await expect(updateItem(scope, id, undefined, { cipher })).rejects.toMatchObject({ code: 'validation_error' });
  await updateItem(scope, id, { user: 'ok', password: 'any' }, { cipher });
  await step();
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

test('a deletion that the provider refuses is retried, and given up at last', async () => {
  await create('ok');
  await step();
  await deleteItem(scope, id);
  const down = provider({ deleteItem: async () => Promise.reject(new AppError('provider_unavailable', 'down')) });
  for (let i = 0; i < defaultItemPolicy.removalDelaysMs.length; i++) {
    await step(down);
    expect(await row('status')).toEqual({ status: 'DELETED' });
    await set('due_at = now()');
  }
  await step(down);
  expect(await row('id')).toBeUndefined();
});

describe('an item that the provider has created without answering', () => {
  /** Ids of created items by their idempotency key. */
  let made: Map<string, string>;
  let answers: boolean;
  let logins: string[];

  beforeEach(() => {
    made = new Map();
    answers = false;
    logins = [];
  });

  const silent = (changes: Partial<OpenFinanceProvider> = {}): OpenFinanceProvider =>
    provider({
      createItem: async (item, options) => {
        const first = made.get(item.idempotencyKey) ?? (await sandbox.createItem(item, options)).id;
        made.set(item.idempotencyKey, first);
        if (!answers) throw new AppError('provider_timeout', 'late');
        return sandbox.getItem(first, options);
      },
      refresh: (itemId, parameters, options) => {
        logins.push(`${itemId} ${parameters?.['password'] ?? ''}`);
        return sandbox.refresh(itemId, parameters, options);
      },
      ...changes,
    });

  async function failSilently(): Promise<void> {
    await failRun(silent());
    expect(await getItem(scope, id)).toMatchObject({ status: 'OUTDATED' });
  }

  const left = (): string[] => [...made.values()].filter((one) => !asked.includes(`delete ${one}`));

  test('is one item in all attempts and runs, until it is known', async () => {
    await create('ok');
    await failSilently();
    await failSilently();
    answers = true;
    await updateItem(scope, id, undefined, { cipher });
    await step(silent());
    expect([made.size, await getItem(scope, id)]).toMatchObject([1, { status: 'UPDATED' }]);
    expect(await row('creation_key, parameters')).toEqual({ creation_key: null, parameters: null });
  });

  test('is logged in with other parameters once it is known', async () => {
    await create('ok');
    await failSilently();
    await updateItem(scope, id, { user: 'ok', password: 'other' }, { cipher });
    await failSilently();
    answers = true;
    await updateItem(scope, id, undefined, { cipher });
    await step(silent());
    await step(silent());
    expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
    expect([made.size, logins]).toEqual([1, [`${[...made.values()][0]} other`]]);
  });

  test('is removed there when it is deleted', async () => {
    await create('ok');
    await failSilently();
    await deleteItem(scope, id);
    await step(silent());
    answers = true;
    await set('due_at = now()');
    await step(silent());
    expect([made.size, left(), await row('id')]).toEqual([1, [], undefined]);
  });

  test('is removed there when it is deleted after a worker crashed while creating it', async () => {
    await create('ok');
    await expect(
      step(
        silent({
          createItem: async (...of) =>
            silent()
              .createItem(...of)
              .catch(() => Promise.reject(new Error('killed'))),
        }),
      ),
    ).rejects.toThrow('killed');
    await deleteItem(scope, id);
    answers = true;
    await step(silent());
    expect([made.size, left(), await row('id')]).toEqual([1, [], undefined]);
  });

  test('and then refuses is not created: deleting it ends it, new parameters create it under another key', async () => {
    const refusing = provider({ createItem: () => Promise.reject(new AppError('provider_rejected', 'no')) });
    await create('ok');
    await step(refusing);
    expect(await row('creation_key, parameters')).toEqual({ creation_key: null, parameters: null });
    await updateItem(scope, id, { user: 'ok', password: 'other' }, { cipher });
    await step(silent());
    await deleteItem(scope, id);
    await step(refusing);
    expect(await row('id')).toBeUndefined();
  });

  test('is not created by a deletion before the first attempt', async () => {
    await create('ok');
    await deleteItem(scope, id);
    await step(silent());
    expect([made.size, await row('id')]).toEqual([0, undefined]);
  });
});
