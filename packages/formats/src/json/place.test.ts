import { readFile } from '../../testing/files';

const a = { id: 'a', amount: '1.00' };
const b = { id: 'b', amount: '2.00' };
const account = { iban: 'DE89370400440532013000', currency: 'EUR' };

test.each<[string, unknown, string[]]>([
  ['booked transactions', { account, transactions: { booked: [a, b], pending: [] } }, ['transactions', 'booked']],
  [
    'links',
    { account, transactions: { booked: [a, b], _links: { account: { href: '/x' } } } },
    ['transactions', 'booked'],
  ],
  [
    'a query',
    { QueryResponse: { Invoice: [a, b], startPosition: 1, maxResults: 2 }, time: '2026-01-01' },
    ['QueryResponse', 'Invoice'],
  ],
  ['balances', { account, balances: [a, b] }, ['balances']],
  ['transactions and balances', { balances: [a], transactions: [a, b] }, ['transactions']],
  ['an error that is none', { error: [], result: { trades: [a, b], count: 2 } }, ['result', 'trades']],
])('the only list of records in an answer is read: %s', async (_what, answer, path) => {
  const { detected, rows } = await readFile(JSON.stringify(answer));
  expect([detected.path, detected.warnings]).toEqual([path, []]);
  expect(rows.map(({ data }) => data)).toEqual([a, b]);
});

test('the account beside transactions is kept', async () => {
  const { detected } = await readFile(JSON.stringify({ account, transactions: { booked: [a, b] } }));
  expect(detected.preamble).toEqual({ 'account.iban': account.iban, 'account.currency': 'EUR' });
});

test.each<[string, unknown, string]>([
  ['several lists', { transactions: { booked: [a], pending: [b] } }, 'transactions.booked'],
  ['balances at another depth', { account, balances: [a], transactions: { booked: [a, b] } }, 'transactions.booked'],
  ['a list of a document', { number: 'INV-1', total: '3.00', lines: { data: [a, b] } }, 'lines.data'],
  ['columns', { date: ['2026-01-01', '2026-01-02'], amount: [1.5, 2.5] }, 'for each column'],
  ['columns by index', { date: { 0: '2026-01-01', 1: '2026-01-02' }, amount: { 0: 1.5, 1: 2.5 } }, 'for each column'],
  ['records by name', { error: [], result: { ledger: { L1: a, L2: b }, count: 2 } }, 'by name'],
  ['records inside of one element', [{ account: 'x', transactions: [a, b] }], 'only element'],
])('records inside of one row are told: %s', async (_what, value, part) => {
  const { rows, warnings } = await readFile(JSON.stringify(value));
  expect(rows).toHaveLength(1);
  expect(warnings).toMatchObject([{ code: 'nested_rows', message: expect.stringContaining(part) as string }]);
});

test.each<[string, unknown]>([
  ['two parties', { debtor: a, creditor: b }],
  ['a document with parties', { number: 'INV-1', total: '3.00', customer: a, supplier: b }],
  [
    'several documents with lines',
    [
      { number: 1, lines: [a, b] },
      { number: 2, lines: [a] },
    ],
  ],
  ['lists of words', [{ number: 1, tags: ['x', 'y'] }]],
])('%s hold no other records', async (_what, value) => {
  expect((await readFile(JSON.stringify(value))).warnings.map(({ code }) => code)).not.toContain('nested_rows');
});
