import { AppError, createCipher, createKnownKeys, newId, type Cipher } from '@tieout/infra';
import { createTestService, testSecretsKey, type TestService } from '@tieout/testing';
import { createSandboxProvider, type OpenFinanceProvider } from '../open-finance';
import { tenantScope, type TenantScope } from '../../kernel/scope';
import { getItem } from './item';
import { answerItem, createItem, deleteItem, updateItem } from './items';
import { parametersPurpose } from './parameters';
import { defaultItemPolicy } from './policy';
import { sweepItems } from './sweep';
import { takeTurn } from './turn';

let service: TestService;
let scope: TenantScope;
let id: string;
/** What the provider was asked, and made to forget. */
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

/** The sandbox, on a bad day. */
const provider = (changes: Partial<OpenFinanceProvider> = {}): OpenFinanceProvider => ({
  ...sandbox,
  deleteItem: async (itemId) => void asked.push(`delete ${itemId}`),
  ...changes,
});

async function make(user: string): Promise<void> {
  const tenantId = newId();
  await service.deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  scope = tenantScope(service.deps, tenantId);
  const means = { cipher, provider: sandbox, connectors: await sandbox.listConnectors() };
  id = (await createItem(scope, { connectorId: 'sandbox', parameters: { user, password: 'any' } }, means)).id;
}

const turn = (with_: OpenFinanceProvider = provider(), stopping?: AbortSignal): Promise<void> =>
  takeTurn(scope, id, {
    provider: with_,
    cipher,
    policy: defaultItemPolicy,
    logger: service.deps.logger,
    ...(stopping ? { stopping } : {}),
  });

const set = (assignments: string): Promise<number> =>
  scope.db.execute(`update items set ${assignments} where id = $1::uuid`, [id]);

const row = async <T>(columns: string): Promise<T | undefined> =>
  (await scope.db.query<T>(`select ${columns} from items where id = $1::uuid`, [id]))[0];

describe('an item that is removed while the provider makes it', () => {
  const removing = (after: () => Promise<unknown>): OpenFinanceProvider =>
    provider({
      createItem: async (item, options) => {
        const made = await sandbox.createItem(item, options);
        await deleteItem(scope, id);
        await after();
        return made;
      },
    });

  test('is forgotten there by the turn that removes it', async () => {
    await make('ok');
    await turn(removing(() => Promise.resolve()));
    await turn();
    expect(asked).toEqual([expect.stringMatching(/^delete sandbox\.ok\./)]);
    expect(await row('id')).toBeUndefined();
  });

  test('is forgotten there also when its row is gone before', async () => {
    await make('ok');
    await turn(removing(() => turn()));
    // By the turn that removes it, and by the one that has made it meanwhile.
    expect(asked).toEqual([
      expect.stringMatching(/^delete sandbox\.ok\./),
      expect.stringMatching(/^delete sandbox\.ok\./),
    ]);
  });
});

test('a process that stops hands an item back: the next one goes on at once, and it counts as no failure', async () => {
  await make('ok');
  const stopping = new AbortController();
  const hanging = provider({
    listAccounts: (_itemId, options) => {
      stopping.abort();
      options?.signal?.throwIfAborted();
      return new Promise(() => undefined);
    },
  });
  await turn(hanging, stopping.signal);
  expect(await row('attempts, lease_token, status')).toEqual({ attempts: 0, lease_token: null, status: 'UPDATING' });
  await turn();
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

describe('an item whose parameters are under a key that is not there', () => {
  const other = createCipher('cd'.repeat(32));
  const turnWithout = (): Promise<void> =>
    takeTurn(scope, id, {
      provider: provider(),
      cipher: other,
      policy: defaultItemPolicy,
      logger: service.deps.logger,
    });

  test.each([
    ['that is made', 'ok', []],
    ['that was answered', 'mfa', [{ token: '123456' }]],
  ])(
    '%s waits as it is, however often it is taken up, and goes on when the key is back',
    async (_what, user, answers) => {
      await make(user);
      for (const answer of answers) {
        await turn();
        await answerItem(scope, id, answer, { cipher });
      }
      const before = await row('*');
      for (let time = 0; time < 12; time++) await turnWithout();
      expect(await row('*')).toEqual(before);
      await turn();
      expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
    },
  );

  test('that is deleted while nobody knows whether it was made waits to be removed', async () => {
    await make('ok');
    await turn(provider({ createItem: () => Promise.reject(new AppError('provider_timeout', 'no answer')) }));
    await deleteItem(scope, id);
    await turnWithout();
    expect(await row('attempts, parameters is null as forgotten')).toEqual({ attempts: 0, forgotten: false });
    await turn();
    expect(await row('id')).toBeUndefined();
  });

  test('is left to others by the sweep of a process without the key, which tells of it', async () => {
    const { logger, queue } = service.deps;
    const lines: unknown[] = [];
    jest.spyOn(logger, 'error').mockImplementation((...line: unknown[]) => void lines.push(line));
    await make('ok');
    // As if its first queue job were lost.
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

test('an answer that was taken by a provider before the worker died of it is not given twice', async () => {
  await make('mfa');
  await turn();
  await answerItem(scope, id, { token: '123456' }, { cipher });
  // As it stands when the first try has reached the provider and was not stored.
  const taken = provider({
    submitInput: () => Promise.reject(new AppError('provider_rejected', 'it waits for nothing')),
    getItem: (itemId, options) => sandbox.submitInput(itemId, { token: '123456' }, options),
  });
  await turn(taken);
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

test('text that cannot be stored is no data: the run fails after its last try, and says why', async () => {
  await make('ok');
  const nul = provider({
    listAccountTransactions: async (...of) =>
      (await sandbox.listAccountTransactions(...of)).map((one) => ({ ...one, description: 'a\u0000b' })),
  });
  for (let i = 0; i <= defaultItemPolicy.retryDelaysMs.length; i++) {
    await set('due_at = now()');
    await turn(nul);
  }
  expect(await getItem(scope, id)).toMatchObject({
    status: 'OUTDATED',
    error: { code: 'ERROR', message: 'The provider gave an answer that cannot be used' },
  });
});

test('an id that two accounts share fails the sync, and the item says which', async () => {
  await make('ok');
  const sharing = provider({
    listCardTransactions: async (itemId, cardId) => {
      const [account] = await sandbox.listAccounts(itemId);
      const [own] = await sandbox.listCardTransactions(itemId, cardId);
      const [other] = await sandbox.listAccountTransactions(itemId, account?.id as string);
      return own && other ? [{ ...own, id: other.id }] : [];
    },
  });
  for (let i = 0; i <= defaultItemPolicy.retryDelaysMs.length; i++) {
    await set('due_at = now()');
    await turn(sharing);
  }
  const said =
    /^The provider gave the transaction id "[^"]+" in two accounts, "[^"]+" and "[^"]+": ids must be unique within an item$/;
  expect(await getItem(scope, id)).toMatchObject({
    status: 'OUTDATED',
    error: { code: 'ERROR', message: expect.stringMatching(said) as string },
  });
});

test.each([
  ['an account that is not listed any more', 'SUCCESS', 0],
  ['an account that a partial answer leaves out', 'PARTIAL_SUCCESS', 1],
] as const)('of %s, after %s, %d pending transactions stay', async (_what, executionStatus, left) => {
  await make('ok');
  const of = (itemId: string) => sandbox.listAccounts(itemId);
  await turn(
    provider({
      listAccountTransactions: async (itemId, accountId) => {
        const [first] = await sandbox.listAccountTransactions(itemId, accountId);
        return first && accountId === (await of(itemId))[0]?.id ? [{ ...first, status: 'PENDING' }] : [];
      },
      listCardTransactions: async () => Promise.resolve([]),
    }),
  );
  await updateItem(scope, id, undefined, { cipher });
  await turn(
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

test('an account that is gone while it is read costs the run another try, not the item', async () => {
  await make('ok');
  await turn(
    provider({ listCardTransactions: () => Promise.reject(new AppError('provider_resource_not_found', 'unknown')) }),
  );
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATING' });
  await set('due_at = now()');
  await turn();
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

test('a turn that fails on our side again and again is given up', async () => {
  await make('ok');
  await set('attempts = 10');
  await turn(provider({ createItem: () => Promise.reject(new Error('a bug')) }));
  expect(await getItem(scope, id)).toMatchObject({ status: 'OUTDATED', error: { code: 'ERROR' } });
});

test('an item of another provider is asked of nobody', async () => {
  await make('ok');
  await turn();
  await updateItem(scope, id, undefined, { cipher });
  await turn(provider({ origin: 'https://other.example', refresh: () => Promise.reject(new Error('it was asked')) }));
  expect(await getItem(scope, id)).toMatchObject({
    status: 'LOGIN_ERROR',
    error: { message: 'The item was made with another provider: delete it and create it again' },
  });
});

test('an item that the provider has lost is made anew by a login', async () => {
  await make('ok');
  await turn();
  await updateItem(scope, id, undefined, { cipher });
  await turn(provider({ refresh: () => Promise.reject(new AppError('provider_resource_not_found', 'unknown')) }));
  expect(await getItem(scope, id)).toMatchObject({ status: 'LOGIN_ERROR' });
  await expect(updateItem(scope, id, undefined, { cipher })).rejects.toMatchObject({ code: 'validation_error' });
  await updateItem(scope, id, { user: 'ok', password: 'any' }, { cipher });
  await turn();
  expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
});

test('a provider that does not take a removal is told again, and given up at last', async () => {
  await make('ok');
  await turn();
  await deleteItem(scope, id);
  const down = provider({ deleteItem: async () => Promise.reject(new AppError('provider_unavailable', 'down')) });
  for (let i = 0; i < defaultItemPolicy.removalDelaysMs.length; i++) {
    await turn(down);
    expect(await row('status')).toEqual({ status: 'DELETED' });
    await set('due_at = now()');
  }
  await turn(down);
  expect(await row('id')).toBeUndefined();
});

describe('an item that the provider has made without answering', () => {
  /** By its key, what was made under it. */
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

  /** Until the run has failed. */
  async function failRun(): Promise<void> {
    for (let i = 0; i <= defaultItemPolicy.retryDelaysMs.length; i++) {
      await set('due_at = now()');
      await turn(silent());
    }
    expect(await getItem(scope, id)).toMatchObject({ status: 'OUTDATED' });
  }

  const left = (): string[] => [...made.values()].filter((one) => !asked.includes(`delete ${one}`));

  test('is one item, in all tries and runs until it is known', async () => {
    await make('ok');
    await failRun();
    await failRun();
    answers = true;
    await updateItem(scope, id, undefined, { cipher });
    await turn(silent());
    expect([made.size, await getItem(scope, id)]).toMatchObject([1, { status: 'UPDATED' }]);
    expect(await row('creation_key, parameters')).toEqual({ creation_key: null, parameters: null });
  });

  test('is logged in to with other parameters once it is known', async () => {
    await make('ok');
    await failRun();
    await updateItem(scope, id, { user: 'ok', password: 'other' }, { cipher });
    await failRun();
    answers = true;
    await updateItem(scope, id, undefined, { cipher });
    await turn(silent());
    await turn(silent());
    expect(await getItem(scope, id)).toMatchObject({ status: 'UPDATED' });
    expect([made.size, logins]).toEqual([1, [`${[...made.values()][0]} other`]]);
  });

  test('is removed there when it is deleted', async () => {
    await make('ok');
    await failRun();
    await deleteItem(scope, id);
    await turn(silent());
    answers = true;
    await set('due_at = now()');
    await turn(silent());
    expect([made.size, left(), await row('id')]).toEqual([1, [], undefined]);
  });

  test('is removed there when it is deleted after a worker has died of making it', async () => {
    await make('ok');
    await expect(
      turn(
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
    await turn(silent());
    expect([made.size, left(), await row('id')]).toEqual([1, [], undefined]);
  });

  test('and then refuses it, has not made it: a deleted one is gone, one with new parameters is made under another key', async () => {
    const refusing = provider({ createItem: () => Promise.reject(new AppError('provider_rejected', 'no')) });
    await make('ok');
    await turn(refusing);
    expect(await row('creation_key, parameters')).toEqual({ creation_key: null, parameters: null });
    await updateItem(scope, id, { user: 'ok', password: 'other' }, { cipher });
    await turn(silent());
    await deleteItem(scope, id);
    await turn(refusing);
    expect(await row('id')).toBeUndefined();
  });

  test('is not made by deleting one that nobody has tried to make', async () => {
    await make('ok');
    await deleteItem(scope, id);
    await turn(silent());
    expect([made.size, await row('id')]).toEqual([0, undefined]);
  });
});
