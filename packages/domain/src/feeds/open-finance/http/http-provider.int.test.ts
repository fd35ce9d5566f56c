import { createLogger } from '@tieout/infra';
import { startHttpServer, type TestHttpServer } from '@tieout/testing';
import {
  createSandboxProvider,
  createSandboxServer,
  openProviders,
  type OpenFinance,
  type OpenFinanceProvider,
} from '..';
import { openFinancePolicy } from '../settings';

const credential = 'the-credential';
const noon = Date.UTC(2026, 10, 21, 12);

let server: TestHttpServer;
let remote: OpenFinance;
let overHttp: OpenFinanceProvider;
const inProcess = createSandboxProvider({ nowMs: () => noon });

beforeAll(async () => {
  server = await startHttpServer(createSandboxServer({ provider: inProcess, credential }));
  remote = openProviders({
    policy: openFinancePolicy({
      OPENFINANCE_BASE_URL: server.origin,
      OPENFINANCE_CREDENTIALS: `${server.origin}=${credential}`,
      OPENFINANCE_TIMEOUT_MS: 10_000,
    }),
    network: { allowCidrs: [] },
    logger: createLogger('test', 'silent'),
  });
  overHttp = remote.provider;
});
afterAll(async () => {
  await remote.close();
  await server.stop();
});

const newItem = (user: string) => ({
  connectorId: 'sandbox',
  parameters: { user, password: 'secret', seed: 'seed' },
  idempotencyKey: 'key',
});

describe('the sandbox over HTTP answers as in the process', () => {
  test('for its connectors', async () => {
    expect(await overHttp.listConnectors()).toEqual(await inProcess.listConnectors());
  });

  // Messages of a provider are replaced by ours, so they differ.
  const withoutMessage = <T extends { error: object | null }>(item: T) => ({
    ...item,
    error: item.error && { ...item.error, message: '' },
  });

  test.each(['ok', 'mfa', 'mfa-timeout', 'action', 'slow', 'partial', 'bad-password', 'locked', 'unavailable'])(
    'for an item of %s',
    async (user) => {
      const made = await overHttp.createItem(newItem(user));
      expect(withoutMessage(made)).toEqual(withoutMessage(await inProcess.createItem(newItem(user))));
      expect(await overHttp.getItem(made.id)).toEqual(made);
    },
  );

  test('for the steps of an item', async () => {
    const { id } = await overHttp.createItem(newItem('mfa'));
    const open = await overHttp.submitInput(id, { token: '123456' });
    expect(open).toEqual(await inProcess.submitInput(id, { token: '123456' }));
    const refreshed = await overHttp.refresh(open.id);
    expect(refreshed).toEqual(await inProcess.refresh(open.id));
    expect(await overHttp.refresh(refreshed.id, { user: 'locked', password: 'x' })).toMatchObject({
      status: 'LOGIN_ERROR',
      error: { code: 'ACCOUNT_LOCKED' },
    });
  });

  test.each(['listAccounts', 'listCreditCards', 'listInvestments'] as const)('in %s', async (list) => {
    const { id } = await inProcess.createItem(newItem('ok'));
    expect(await overHttp[list](id)).toEqual(await inProcess[list](id));
  });

  test.each([
    ['listAccounts', 'listAccountTransactions', 0],
    ['listAccounts', 'listAccountTransactions', 1],
    ['listCreditCards', 'listCardTransactions', 0],
    ['listInvestments', 'listInvestmentTransactions', 0],
    ['listInvestments', 'listInvestmentTransactions', 1],
  ] as const)('in %s → %s %d', async (parents, list, index) => {
    const { id } = await inProcess.createItem(newItem('ok'));
    const parent = (await inProcess[parents](id))[index]?.id ?? '';
    expect(await overHttp[list](id, parent)).toEqual(await inProcess[list](id, parent));
  });

  test.each(['nobody', '..', '.', '', 'a/b', '?x', '%2e%2e'])('for the unknown item %j', async (id) => {
    await expect(overHttp.listAccounts(id)).rejects.toMatchObject({ code: 'provider_resource_not_found' });
  });

  test('for an outage', async () => {
    const { id } = await overHttp.createItem(newItem('outage'));
    await expect(overHttp.listAccounts(id)).rejects.toMatchObject({ code: 'provider_unavailable' });
  });

  test('for an unknown connector', async () => {
    await expect(overHttp.createItem({ ...newItem('ok'), connectorId: 'bank' })).rejects.toMatchObject({
      code: 'provider_rejected',
    });
  });
});

test('deleting an item that no longer exists succeeds', async () => {
  await expect(overHttp.deleteItem('..')).resolves.toBeUndefined();
  await expect(overHttp.deleteItem('gone')).resolves.toBeUndefined();
});

test('every request carries the credential, and a path below the base only', () => {
  expect(server.requests().every(({ headers }) => headers.authorization === `Bearer ${credential}`)).toBe(true);
  expect(server.requests().every(({ url }) => /^\/(items|connectors)/.test(url))).toBe(true);
});
