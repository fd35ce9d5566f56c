import { compileExpression, dayInZone, formatDay, readAmount, readDay } from '@tieout/engine';
import { createTestService, type TestService } from '@tieout/testing';
import { oneCurrency } from '../definition/passes';

let service: TestService;

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

const amounts: unknown[] = [
  null, true, [], {}, '', ' ', 'x', '1,5', '1e3', '0x10', '.', '-', '1.', '.5', ' 12.50 ', '+7', '-0', '00012.3400',
  0, -0, 1, 0.1 + 0.2, 1.00005, 1.00015, -2.00025, 0.00005, 0.000049999, '1.00005000001', '2.00005',
  9_007_199_254_740_991, 9_007_199_254_740_992, '9007199254740991', '9007199254740992',
  '900719925474.0991', '90071992547409.93', '9'.repeat(30), '0.' + '1'.repeat(50), 1e15, 1e16, 1e300, 1e-300,
]; // prettier-ignore

const days: unknown[] = [
  null, 5, '', 'x', '2026-02-28', '2026-02-29', '2024-02-29', '1900-02-29', '2000-02-29', '0000-01-01', '0001-01-01',
  '9999-12-31', '2026-13-01', '2026-00-10', '2026-04-31', '2026-1-1', ' 2026-01-01', '2026-01-01T00:00:00',
  '2026-01-01 23:59:60Z', '2026-01-01T24:00:00Z', '2026-01-01T23:30:00-03:00', '2026-01-01t00:15:00.123+14:00',
  '2026-03-29T01:30:00Z', '2026-06-30T22:30:00Z', '2026-01-01T10:00:00+25:00', '2026-01-01T10:00Z',
  '9999-12-31T23:30:00-03:00', '0001-01-01T00:30:00+03:00', '9999-12-31T11:00:00Z', '0001-01-01T12:00:00Z',
]; // prettier-ignore

const currencies: unknown[] = [
  undefined, null, '', ' ', 'EUR', 'eur', ' EUR', ['EUR'], ['EUR', 'USD'], [], [''], {}, { code: 'EUR' }, 978, '978', 0,
  '0', true, 'true', false, 'false', '€', [0], ['', 0], ['', 'EUR'], 'x'.repeat(30),
]; // prettier-ignore

test('records have one currency for a pass where they have one as items, a missing one among them', async () => {
  const { db } = service.deps;
  const rows = await db.system.query<{ currency: string | null }>(
    `select currency_of(c -> 'ccy') as currency from unnest($1::jsonb[]) with ordinality as u (c, at) order by at`,
    [currencies.map((ccy) => JSON.stringify({ ccy }))],
  );
  const filter = compileExpression(oneCurrency('ccy', 'ccy'));
  const recordOf = (ccy: unknown): object => JSON.parse(JSON.stringify({ ccy })) as object;
  for (const [i, left] of currencies.entries()) {
    for (const [k, right] of currencies.entries()) {
      const isOne = await filter.evaluate({ left: recordOf(left), right: recordOf(right) });
      expect({ left, right, isOne }).toEqual({ left, right, isOne: rows[i]?.currency === rows[k]?.currency });
    }
  }
  expect(rows.filter(({ currency }) => currency === null).length).toBeGreaterThan(5);
});

test.each(amounts.map((value) => [JSON.stringify(value), value]))(
  '%s is the amount that rule sets read',
  async (_text, value) => {
    const [row] = await service.deps.db.system.query<{ amount: string | null }>(
      'select trim_scale(amount_of($1::jsonb))::text as amount',
      [JSON.stringify(value)],
    );
    const reading = readAmount(JSON.parse(JSON.stringify(value)));
    const expected = reading.ok ? reading.units / 10 ** reading.scale : null;
    expect(row?.amount == null ? null : Number(row.amount)).toBe(expected === 0 ? 0 : expected);
  },
);

test.each<[string, unknown, string | null]>([
  ['four decimals', '0.1234', '0.1234'],
  ['zeros after four decimals', '0.12340', '0.1234'],
  ['five decimals', '0.12345', null],
  ['five decimals of a number', 0.12345, null],
  ['the noise of a sum of doubles', 0.1 + 0.2, '0.3'],
  ['less than a ten-thousandth', '0.00001', null],
  ['15 digits', '99999999999.9999', '99999999999.9999'],
  ['too many digits', '99999999999999.99', null],
  ['an exponent', '1e3', null],
  ['thousands', '1,234.50', null],
])('a reconciliation reads %s as an exact amount, or as none', async (_what, value, expected) => {
  const [row] = await service.deps.db.system.query<{ amount: string | null }>(
    'select trim_scale(exact_amount_of($1::jsonb))::text as amount',
    [JSON.stringify(value)],
  );
  expect(row?.amount ?? null).toBe(expected);
});

describe.each(['UTC', 'America/Sao_Paulo', 'Europe/Berlin', 'Pacific/Kiritimati'])('in %s', (zone) => {
  test.each(days.map((value) => [JSON.stringify(value), value]))(
    '%s is the day that rule sets read',
    async (_text, value) => {
      const [row] = await service.deps.db.system.query<{ day: string | null }>(
        'select day_of($1::jsonb, $2)::text as day',
        [JSON.stringify(value), zone],
      );
      const reading = readDay(value, dayInZone(zone));
      expect(row?.day ?? null).toBe(reading.ok ? formatDay(reading.day) : null);
    },
  );
});
