import fc from 'fast-check';
import { FileUnreadableError, type ReadOptions } from '../index';
import { readFile } from '../../testing/files';

const bank = (...records: string[]): string => `!Type:Bank\n${records.map((record) => `${record}\n^\n`).join('')}`;
const dates = async (...texts: string[]): Promise<unknown[]> =>
  (await readFile(bank(...texts.map((text) => `D${text}\nT1`)))).rows.map(({ data }) => data.date);
const amountsOf = async (texts: readonly string[], options: ReadOptions = {}): Promise<unknown[]> =>
  (await readFile(bank(...texts.map((text) => `D13/01/2026\nT${text}`)), options)).rows.map(({ data }) => data.amount);

test('a transaction has all its values, in pieces of any size', async () => {
  const text =
    "!Account\r\nNChecking\r\nTBank\r\n/1/31'26\r\n$1,000.50\r\n^\r\n" +
    bank(
      "D1/15'26\nT-1,234.56\nC*\nN1001\nPGrocer & Sons\nMweekly\nAStreet 1\nAParis\nLFood:Groceries/Home",
      "D1/16'26\nT-50.00\nCX\nPMe\nL[Savings]",
    ).replaceAll('\n', '\r\n');
  for (const pieceBytes of [1, 65_536]) {
    const { rows, rejected, detected } = await readFile(text, {}, pieceBytes);
    expect(rejected).toEqual([]);
    expect(rows).toEqual([
      {
        line: 1,
        data: {
          account_name: 'Checking',
          account_type: 'Bank',
          date: '2026-01-15',
          amount: -1234.56,
          cleared_status: 'cleared',
          check_number: '1001',
          payee: 'Grocer & Sons',
          memo: 'weekly',
          address: 'Street 1, Paris',
          category: 'Food:Groceries/Home',
          transfer_account: null,
          splits: null,
        },
      },
      {
        line: 2,
        data: expect.objectContaining({
          cleared_status: 'reconciled',
          category: null,
          transfer_account: 'Savings',
        }) as unknown,
      },
    ]);
    expect(detected.statements).toEqual([
      {
        id: null,
        account_id: 'Checking',
        currency: null,
        transactions: 2,
        balances: [{ type: 'ledger', amount: 1000.5, currency: null, date: '2026-01-31' }],
      },
    ]);
  }
});

test.each<[string, string[], string[]]>([
  ['an apostrophe before the year', ["1/15'26", "2/ 3'26", "12/31'99"], ['2026-01-15', '2026-02-03', '2099-12-31']],
  ['two digits of the year', ['1/15/26', '2/3/98'], ['2026-01-15', '1998-02-03']],
  ['a day that one date proves to come first', ['03/04/2026', '15/01/2026'], ['2026-04-03', '2026-01-15']],
  ['a month that one date proves to come first', ['01-02-26', '01-15-26'], ['2026-01-02', '2026-01-15']],
  ['points', ['03.04.2026', '05.06.26'], ['2026-04-03', '2026-06-05']],
  ['the year in front', ['2026-01-15', '2026/02/03'], ['2026-01-15', '2026-02-03']],
  ['digits only', ['20260115', '20260203'], ['2026-01-15', '2026-02-03']],
  ['names of months', ['15 - Jan - 2026', '3-Feb-26'], ['2026-01-15', '2026-02-03']],
])('dates with %s are read', async (_what, texts, days) => {
  expect(await dates(...texts)).toEqual(days);
});

test('where no date proves the order, the one in which time goes on is taken, with a warning', async () => {
  const { rows, detected } = await readFile(bank('D01/02/2026\nT1', 'D02/02/2026\nT2', 'D05/01/2026\nT3'));
  expect(rows.map(({ data }) => data.date)).toEqual(['2026-01-02', '2026-02-02', '2026-05-01']);
  expect(detected.warnings).toMatchObject([
    { code: 'ambiguous_date', remedies: [{ option: 'dateFormat' }, { option: 'dateFormat' }] },
  ]);
  const days = await readFile(bank('D28/02/2026\nT1', 'D01/03/2026\nT2'));
  expect(days.detected.warnings).toEqual([]);
});

test('the order that the sender names goes first', async () => {
  const { rows, detected } = await readFile(bank('D01/02/2026\nT1'), { dateFormat: 'DD/MM/YYYY' });
  expect(rows[0]?.data.date).toBe('2026-02-01');
  expect(detected.warnings).toEqual([]);
});

test.each<[string, string[], unknown[]]>([
  ['points', ['1,234.56', '-12', '+3.5'], [1234.56, -12, 3.5]],
  ['commas', ['1.234,56', '-12,5', '1.000'], [1234.56, -12.5, 1000]],
  ['spaces and apostrophes between thousands', ['1 234.50', "1'234.5"], [1234.5, 1234.5]],
  ['a sign behind', ['12.50-', '(3.00)'], [-12.5, -3]],
  ['more digits than a number', ['12345678901234567.89'], ['12345678901234567.89']],
])('amounts with %s are read', async (_what, texts, values) => {
  expect(await amountsOf(texts)).toEqual(values);
});

test('a number that may have thousands or decimals is warned of, and the sender decides', async () => {
  const text = bank('D13/01/2026\nT1,234');
  expect((await readFile(text)).detected.warnings).toMatchObject([{ code: 'ambiguous_number' }]);
  expect(await amountsOf(['1,234'])).toEqual([1234]);
  expect(await amountsOf(['1,234'], { decimalSeparator: ',' })).toEqual([1.234]);
});

test('the splits of a transaction are a list, and checked against its amount', async () => {
  const { rows, detected } = await readFile(
    bank(
      'D13/01/2026\nT-100.00\nPShop\nSFood\nEbread\n$-60.00\nS[Savings]\n$-40.00',
      'D14/01/2026\nT-100.00\nSFood\n%50\n$-60.00\nSHome\n$-30.00',
      'D15/01/2026\nSFood\n$-1.10\nSHome\n$-2.20',
    ),
  );
  expect(rows.map(({ data }) => data.amount)).toEqual([-100, -100, -3.3]);
  expect(rows[0]?.data.splits).toEqual([
    { category: 'Food', transfer_account: null, memo: 'bread', amount: -60, percent: null },
    { category: null, transfer_account: 'Savings', memo: null, amount: -40, percent: null },
  ]);
  expect(detected.warnings).toMatchObject([
    { code: 'splits_differ', message: expect.stringContaining('2026-01-14: -100, splits -90') as string },
  ]);
});

test('accounts follow each other, and lists of accounts and categories are no transactions', async () => {
  const { rows } = await readFile(
    '!Option:AutoSwitch\n!Account\nNA\nTBank\n^\nNB\nTCCard\n^\n!Clear:AutoSwitch\n!Type:Cat\nNFood\nDfor' +
      ' food\nE\n^\n' +
      '!Option:AutoSwitch\n!Account\nNA\nTBank\n^\n!Type:Bank\nD1/15/26\nT1\n^\n!Account\nNB\nTCCard\n^\n!Type' +
      ':CCard\n' +
      'D1/16/26\nT2\n^\n!Type:Memorized\nKP\nT9\nPx\n^\n!Type:Oth L\nD1/17/26\nT3\n^\n!Type:Cash\nD1/18/26\nT4\n^\n',
  );
  expect(rows.map(({ data }) => [data.account_name, data.account_type, data.amount])).toEqual([
    ['A', 'Bank', 1],
    ['B', 'CCard', 2],
    [null, 'Oth L', 3],
    [null, 'Cash', 4],
  ]);
});

test('investments have their kind, their security and the change of cash', async () => {
  const record = (action: string, rest = ''): string =>
    `D1/15'26\nN${action}\nYACME\nI10.5\nQ100\nT1,050.00\nO9.99${rest}\n^\n`;
  const { rows } = await readFile(
    `!Type:Invst\n` +
      `${['Buy', 'BuyX', 'Sell', 'Div', 'ReinvDiv', 'ShrsIn', 'MiscExp'].map((one) => record(one)).join('')}` +
      record('XIn', '\nL[Checking]\n$1,050.00'),
  );
  expect(rows.map(({ data }) => [data.transaction_kind, data.amount])).toEqual([
    ['Buy', -1050],
    ['BuyX', -1050],
    ['Sell', 1050],
    ['Div', 1050],
    ['ReinvDiv', 0],
    ['ShrsIn', 0],
    ['MiscExp', -1050],
    ['XIn', 1050],
  ]);
  expect(rows[0]?.data).toMatchObject({
    security_name: 'ACME',
    units: 100,
    unit_price: 10.5,
    total: 1050,
    commission: 9.99,
  });
  expect(rows.at(-1)?.data).toMatchObject({ transfer_account: 'Checking', transfer_amount: 1050 });
});

test.each<[string, string]>([
  ['a header in capitals', '!TYPE:BANK\nD1/15/26\nT1\n^\n'],
  ['a byte order mark and blank lines', '\ufeff\n\n!Type:Bank\nD1/15/26\nT1\n^\n'],
  ['no header', 'D1/15/26\nT1.00\nPShop\n^\nD1/16/26\nT2.00\n^\n'],
  ['no end of the last record', '!Type:Bank\nD1/15/26\nT1\n'],
  ['an opening balance', "!Type:Bank \nD1/15'26\nT1.00\nCX\nPOpening Balance\nL[Checking]\n^\n"],
])('a file with %s is known as QIF', async (_what, text) => {
  const { detected, rows } = await readFile(text);
  expect([detected.format, rows[0]?.data.amount]).toEqual(['qif', 1]);
});

test.each<[string, string, string, string]>([
  ['no amount', 'D15/01/2026\nPx', 'amount', 'missing_amount'],
  ['an amount that is none', 'D15/01/2026\nTmany', 'amount', 'value_out_of_range'],
  ['a day that is none', 'D31/02/2026\nT1', 'date', 'value_out_of_range'],
  ['no day', 'T1', 'date', 'value_out_of_range'],
])('a transaction with %s is rejected, the next one is read', async (_what, record, column, code) => {
  const { rows, rejected } = await readFile(bank(record, 'D15/01/2026\nT2'));
  expect(rejected).toMatchObject([{ line: 1, column, code }]);
  expect(rows).toMatchObject([{ line: 2, data: { amount: 2 } }]);
});

test('a transaction in which the file ends is rejected, since digits of its amount may be missing', async () => {
  const { rows, rejected } = await readFile(`${bank('D15/01/2026\nT1')}D16/01/2026\nT12`);
  expect(rows).toHaveLength(1);
  expect(rejected).toMatchObject([{ line: 2, code: 'incomplete' }]);
});

const anyLine = fc.oneof(
  fc.constantFrom('D1/15/26', 'T1.00', 'T1.234,5', '^', 'S[A]', '$1', '!Account', '!Type:Invst', '!Type:Bank', 'NBuy'),
  fc.string({ maxLength: 20 }),
);

test('any text after the header gives rows, rejected rows or a reason', async () => {
  const outcome = async (text: string, pieceBytes: number): Promise<unknown> => {
    try {
      const { rows, rejected } = await readFile(text, {}, pieceBytes);
      for (const { data } of rows)
        expect(Number.isFinite(Number(data.amount)) && /^\d{4}-\d\d-\d\d$/.test(String(data.date))).toBe(true);
      return { rows, rejected };
    } catch (error) {
      if (error instanceof FileUnreadableError) return error.code;
      throw error;
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLine, { maxLength: 30 }),
      fc.integer({ min: 1, max: 50 }),
      async (lines, pieceBytes) => {
        const text = `!Type:Bank\n${lines.join('\n')}`;
        expect(await outcome(text, pieceBytes)).toEqual(await outcome(text, 65_536));
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['day', `D1/15${' '.repeat(900_000)}x\nT1`],
  ['amount', `D1/15/26\nT${'1-'.repeat(450_000)}`],
  ['category', `D1/15/26\nT1\nL${'['.repeat(900_000)}`],
])('a long %s is read at once', async (_what, record) => {
  const started = performance.now();
  await readFile(bank(record));
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a transaction without end is refused before it fills the memory', async () => {
  await expect(readFile(`!Type:Bank\nM${'x'.repeat(2_500_000)}`)).rejects.toMatchObject({ code: 'file_damaged' });
  await expect(readFile(`!Type:Bank\n${'Mxxx\n'.repeat(600_000)}`)).rejects.toMatchObject({ code: 'file_damaged' });
});
