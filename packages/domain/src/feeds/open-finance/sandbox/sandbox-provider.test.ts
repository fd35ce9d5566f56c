import fc from 'fast-check';
import type { CardTransaction, InvestmentTransaction, OpenFinanceProvider, ProviderItem, Transaction } from '..';
import { createSandboxProvider } from './sandbox-provider';

const noon = Date.UTC(2026, 10, 21, 12);
const dayMs = 86_400_000;

/** Creates a sandbox with a clock that only the test moves. */
function sandboxAt(startMs = noon) {
  let now = startMs;
  const provider = createSandboxProvider({ nowMs: () => now });
  return {
    provider,
    pass: (ms: number) => (now += ms),
    create: (user: string, seed = 'seed') =>
      provider.createItem({
        connectorId: 'sandbox',
        parameters: { user, password: 'secret', seed },
        idempotencyKey: 'key',
      }),
  };
}

interface Data {
  checking: Transaction[];
  savings: Transaction[];
  card: CardTransaction[];
  investments: InvestmentTransaction[];
}

async function dataOf(provider: OpenFinanceProvider, { id }: ProviderItem): Promise<Data> {
  const accounts = await provider.listAccounts(id);
  const idOf = (type: string): string => accounts.find((account) => account.type === type)?.id ?? '';
  const investments = await Promise.all(
    (await provider.listInvestments(id)).map((investment) => provider.listInvestmentTransactions(id, investment.id)),
  );
  return {
    checking: await provider.listAccountTransactions(id, idOf('CHECKING')),
    savings: await provider.listAccountTransactions(id, idOf('SAVINGS')),
    card: await provider.listCardTransactions(id, idOf('CREDIT_CARD')),
    investments: investments.flat(),
  };
}

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (rows: readonly Transaction[]): number => rows.reduce((total, row) => total + cents(row.signedAmount), 0);

describe('the user name decides the login', () => {
  test.each([
    ['ok', 'UPDATED', 'SUCCESS'],
    ['mfa', 'WAITING_USER_INPUT', 'WAITING_USER_INPUT'],
    ['mfa-timeout', 'WAITING_USER_INPUT', 'WAITING_USER_INPUT'],
    ['action', 'WAITING_USER_ACTION', 'USER_AUTHORIZATION_PENDING'],
    ['slow', 'UPDATING', 'LOGIN_IN_PROGRESS'],
    ['partial', 'UPDATED', 'PARTIAL_SUCCESS'],
    ['bad-password', 'LOGIN_ERROR', 'INVALID_CREDENTIALS'],
    ['somebody else', 'LOGIN_ERROR', 'INVALID_CREDENTIALS'],
    ['locked', 'LOGIN_ERROR', 'ACCOUNT_LOCKED'],
    ['unavailable', 'OUTDATED', 'SITE_NOT_AVAILABLE'],
    ['outage', 'UPDATED', 'SUCCESS'],
  ])('%s: %s, %s', async (user, status, executionStatus) => {
    expect(await sandboxAt().create(user)).toMatchObject({ status, executionStatus });
  });

  test.each([
    ['mfa', 'token', '123456', 'UPDATED', 'SUCCESS'],
    ['mfa', 'token', '000000', 'LOGIN_ERROR', 'INVALID_CREDENTIALS_MFA'],
    ['mfa', 'other', '123456', 'LOGIN_ERROR', 'INVALID_CREDENTIALS_MFA'],
    ['mfa-timeout', 'token', '123456', 'UPDATED', 'SUCCESS'],
  ])('%s with %s=%s: %s, %s', async (user, name, value, status, executionStatus) => {
    const { provider, create } = sandboxAt();
    const item = await provider.submitInput((await create(user)).id, { [name]: value });
    expect(await provider.getItem(item.id)).toMatchObject({ status, executionStatus });
  });

  test('a user action opens the item', async () => {
    const { provider, create } = sandboxAt();
    expect(await provider.submitInput((await create('action')).id, {})).toMatchObject({
      status: 'UPDATED',
      userAction: null,
    });
  });

  test.each([
    ['action', 3_000, 'UPDATED', 'SUCCESS'],
    ['mfa-timeout', 2_000, 'OUTDATED', 'USER_INPUT_TIMEOUT'],
    ['mfa', 299_999, 'WAITING_USER_INPUT', 'WAITING_USER_INPUT'],
    ['mfa', 300_000, 'OUTDATED', 'USER_INPUT_TIMEOUT'],
    ['slow', 2_000, 'UPDATING', 'COLLECTING'],
    ['slow', 4_000, 'UPDATED', 'SUCCESS'],
  ])('%s after %d ms: %s, %s', async (user, ms, status, executionStatus) => {
    const { provider, create, pass } = sandboxAt();
    const { id } = await create(user);
    pass(ms);
    expect(await provider.getItem(id)).toMatchObject({ status, executionStatus });
  });

  test('another user name at a refresh logs in', async () => {
    const { provider, create } = sandboxAt();
    const item = await provider.refresh((await create('bad-password')).id, { user: 'ok', password: 'new' });
    expect(item.status).toBe('UPDATED');
  });

  test('a refresh does not accept a wrong password', async () => {
    const { provider, create } = sandboxAt();
    expect((await provider.refresh((await create('bad-password')).id)).status).toBe('LOGIN_ERROR');
  });

  test('a refresh after a timeout asks again', async () => {
    const { provider, create, pass } = sandboxAt();
    const { id } = await create('mfa-timeout');
    pass(5_000);
    expect((await provider.refresh(id)).status).toBe('WAITING_USER_INPUT');
  });

  test('an item without an accepted login has no accounts', async () => {
    const { provider, create } = sandboxAt();
    expect(await provider.listAccounts((await create('mfa')).id)).toEqual([]);
  });

  test('a partial success lacks the investments', async () => {
    const { provider, create } = sandboxAt();
    expect(await provider.listInvestments((await create('partial')).id)).toEqual([]);
  });

  test('in an outage no list can be read', async () => {
    const { provider, create } = sandboxAt();
    await expect(provider.listAccounts((await create('outage')).id)).rejects.toMatchObject({
      code: 'provider_unavailable',
    });
  });
});

describe('a refusal', () => {
  const { provider } = sandboxAt();
  const item = (connectorId: string, parameters: Record<string, string>) =>
    provider.createItem({ connectorId, parameters, idempotencyKey: 'key' });

  test('names the field of an unknown connector', async () => {
    await expect(item('bank', { user: 'ok', password: 'x' })).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ path: '/connectorId' }],
    });
  });

  test('names the field of a missing parameter', async () => {
    await expect(item('sandbox', { user: 'ok' })).rejects.toMatchObject({
      code: 'provider_rejected',
      errors: [{ path: '/parameters/password' }],
    });
  });

  test.each([
    '',
    'ok',
    '../ok',
    'sandbox.ok.begun.1.2026-11-21.2026-11-20.0.00000000',
    'sandbox.ok.begun.1.2026-02-30.2026-11-20.0.00000000',
    'sandbox.ok.begun.1.0001-01-01.9999-12-31.0.00000000',
  ])('an id that it has not made: %j', async (id) => {
    await expect(provider.getItem(id)).rejects.toMatchObject({ code: 'provider_resource_not_found' });
  });

  test('covers an account of another item', async () => {
    const { create } = sandboxAt();
    const [mine, other] = [await create('ok', 'mine'), await create('ok', 'other')];
    const [account] = await provider.listAccounts(other.id);
    await expect(provider.listAccountTransactions(mine.id, account?.id ?? '')).rejects.toMatchObject({
      code: 'provider_resource_not_found',
    });
  });
});

describe('the year of an item', () => {
  let data: Data;
  beforeAll(async () => {
    const { provider, create } = sandboxAt();
    data = await dataOf(provider, await create('ok'));
  });

  const ofType = (type: string) => data.checking.filter((row) => row.operationType === type);
  const alike = (rows: readonly Transaction[]): number => {
    const seen = new Set(rows.map((row) => `${row.date}/${row.signedAmount}/${row.description}`));
    return rows.length - seen.size;
  };

  test.each([
    ['12 salaries', () => ofType('SALARY').length, 12],
    ['12 rents', () => data.checking.filter((row) => row.description.includes('aluguel')).length, 12],
    ['fees', () => ofType('FEE').length, 12],
    [
      'bills of the card that are paid',
      () => data.checking.filter((row) => row.paymentData?.referenceNumber).length,
      11,
    ],
    ['twins in the account', () => alike(data.checking), 12],
    ['twins on the card', () => alike(data.card), 12],
    [
      'purchases in 3, 6 and 12 installments',
      () => new Set(data.card.map((row) => row.cardMetadata.totalInstallments).filter(Boolean)).size,
      3,
    ],
    [
      'purchases in dollars',
      () => data.card.filter((row) => row.cardMetadata.originalCurrencyCode === 'USD').length,
      3,
    ],
    ['taxes on them', () => data.card.filter((row) => row.cardMetadata.feeType === 'IOF').length, 3],
    ['refunds on the card', () => data.card.filter((row) => row.category === 'refund').length, 11],
    ['refunds in the account', () => data.checking.filter((row) => row.category === 'refund').length, 11],
    ['purchases of investments', () => data.investments.filter((row) => row.type === 'BUY').length, 4],
  ])('has at least: %s', (_what, count, least) => {
    expect(count()).toBeGreaterThanOrEqual(least);
  });

  test.each(['PIX', 'BOLETO', 'TED'])('has payments by %s', (type) => {
    expect(ofType(type).length).toBeGreaterThan(10);
  });

  test.each(['BUY', 'SELL', 'INTEREST', 'TAX'])('has an investment transaction %s', (type) => {
    expect(data.investments.map((row) => row.type)).toContain(type);
  });

  test('holds about 600 transactions, a few of them pending', () => {
    const all = [...data.checking, ...data.savings, ...data.card];
    expect(all.length).toBeGreaterThan(500);
    expect(all.filter((row) => row.status === 'PENDING').length / all.length).toBeLessThan(0.05);
  });

  test('every purchase of an investment has its payment in the account', () => {
    const payments = data.checking.map((row) => `${row.date}/${row.amount}`);
    expect(payments).toEqual(
      expect.arrayContaining(
        data.investments.filter((row) => row.type === 'BUY').map((row) => `${row.date}/${row.amount}`),
      ),
    );
  });
});

describe('for any item', () => {
  const anyItem = { seed: fc.string({ minLength: 1, maxLength: 20 }), day: fc.integer({ min: 0, max: 4_000 }) };
  const check = (property: (seed: string, startMs: number) => Promise<void>) =>
    fc.assert(
      fc.asyncProperty(anyItem.seed, anyItem.day, (seed, day) => property(seed, Date.UTC(2020, 0, 1) + day * dayMs)),
      { numRuns: 4 },
    );

  test('a paid bill is the sum of its charges', () =>
    check(async (seed, startMs) => {
      const { provider, create } = sandboxAt(startMs);
      const { checking, card } = await dataOf(provider, await create('ok', seed));
      const paid = checking.filter((row) => row.paymentData?.referenceNumber);
      expect(
        paid.map((row) =>
          sum(card.filter(({ cardMetadata }) => cardMetadata.billId === row.paymentData?.referenceNumber)),
        ),
      ).toEqual(paid.map((row) => cents(row.signedAmount)));
    }));

  test('the installments of a purchase add up to its total', () =>
    check(async (seed, startMs) => {
      const { provider, create } = sandboxAt(startMs);
      const { card } = await dataOf(provider, await create('ok', seed));
      const complete = card.filter(
        ({ cardMetadata }) =>
          cardMetadata.totalInstallments !== null && cardMetadata.installmentNumber === cardMetadata.totalInstallments,
      );
      for (const last of complete) {
        const { purchaseDate, totalInstallments, totalAmount } = last.cardMetadata;
        const all = card.filter(
          ({ cardMetadata: other }) =>
            other.purchaseDate === purchaseDate && other.totalInstallments === totalInstallments,
        );
        if (all.length === totalInstallments) expect(-sum(all)).toBe(cents(totalAmount as number));
      }
    }));

  test('ids are unique, the order is newest first, and all dates are within the last year', () =>
    check(async (seed, startMs) => {
      const { provider, create } = sandboxAt(startMs);
      const { checking, savings, card } = await dataOf(provider, await create('ok', seed));
      for (const rows of [checking, savings, card]) {
        const keys = rows.map(({ date, id }) => `${date}/${id}`);
        expect(keys).toEqual([...new Set(keys)].sort().reverse());
        expect(rows.every(({ date }) => Date.parse(date) <= startMs && Date.parse(date) > startMs - 367 * dayMs)).toBe(
          true,
        );
      }
    }));

  test('a refresh adds one to five transactions, posts pending ones, and changes nothing else', () =>
    check(async (seed, startMs) => {
      const { provider, create } = sandboxAt(startMs);
      const item = await create('ok', seed);
      const [before, after] = [await dataOf(provider, item), await dataOf(provider, await provider.refresh(item.id))];
      const known = new Map(before.checking.map((row) => [row.id, row]));
      const added = after.checking.filter(({ id }) => !known.has(id));
      expect(added.length >= 1 && added.length <= 5).toBe(true);
      const kept = after.checking.filter(({ id }) => known.has(id));
      expect(kept.every((row) => row.status === 'POSTED')).toBe(true);
      expect(kept.map((row) => ({ ...row, status: '', updatedAt: '' }))).toEqual(
        before.checking.map((row) => ({ ...row, status: '', updatedAt: '' })),
      );
    }));

  test('every process shows the same data', () =>
    check(async (seed, startMs) => {
      const [one, other] = [sandboxAt(startMs), sandboxAt(startMs + dayMs)];
      const item = await one.create('ok', seed);
      expect(await dataOf(other.provider, item)).toEqual(await dataOf(one.provider, item));
    }));

  test('a later refresh keeps all transactions', () =>
    check(async (seed, startMs) => {
      const { provider, create, pass } = sandboxAt(startMs);
      const item = await create('ok', seed);
      const before = await dataOf(provider, item);
      pass(75 * dayMs);
      const after = await dataOf(provider, await provider.refresh(item.id));
      for (const name of ['checking', 'savings', 'card'] as const) {
        expect(after[name].map(({ id }) => id)).toEqual(expect.arrayContaining(before[name].map(({ id }) => id)));
      }
      expect(after.card.length).toBeGreaterThan(before.card.length);
    }));
});
