import { details, entry, ofAccount, part } from '../../testing/camt';
import { readFile } from '../../testing/files';

const dataOf = async (text: string): Promise<Record<string, unknown>[]> =>
  (await readFile(text)).rows.map(({ data }) => data);
const one = async (text: string): Promise<Record<string, unknown>> => (await dataOf(text))[0] ?? {};
const inDetails = (name: string, amount: string, currency: string): string =>
  `<AmtDtls><${name}><Amt Ccy="${currency}">${amount}</Amt></${name}></AmtDtls>`;

test.each<[string, string, number]>([
  ['do not add up', entry('97.50', 'CRDT', details(part('60'), part('40'))), 97.5],
  ['have another currency', entry('182.70', 'CRDT', details(part('100', '', 'USD'), part('100', '', 'USD'))), 182.7],
  ['lack an amount', entry('70', 'CRDT', details(part('50'), '<Refs/>')), 70],
  ['lack all amounts', entry('3', 'DBIT', details('<Refs/>', '<Refs/>')), -3],
  ['have an amount that is none', entry('3', 'DBIT', details(part('1'), part('x'))), -3],
  [
    'differ by their charges',
    entry(
      '97.50',
      'CRDT',
      `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">2.5</TtlChrgsAndTaxAmt></Chrgs>${details(part('60'), part('40'))}`,
    ),
    97.5,
  ],
])('an entry whose transactions %s is one row that lists them, with a warning', async (_what, entries, amount) => {
  const { rows, detected } = await readFile(ofAccount(entries));
  expect(rows).toMatchObject([{ data: { amount, currency: 'EUR', batch_count: 2 } }]);
  expect(rows[0]?.data.details).toHaveLength(2);
  expect(detected.warnings).toMatchObject([{ code: 'batch_kept_whole' }]);
});

test('the row of a whole entry has the references, texts and names of all its transactions', async () => {
  const transaction = (id: string, name: string): string =>
    part(
      '100',
      `<Refs><EndToEndId>${id}</EndToEndId></Refs><RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>` +
        `text ${id}</Ustrd></RmtInf>`,
      'USD',
    );
  const data = await one(
    ofAccount(entry('182.70', 'CRDT', details(transaction('E1', 'Ann'), transaction('E2', 'Bob')))),
  );
  expect(data).toMatchObject({
    amount: 182.7,
    original_amount: 200,
    original_currency: 'USD',
    end_to_end_id: 'E1, E2',
    references: ['E1', 'E2'],
    counterparty_name: 'Ann, Bob',
    remittance_information: 'text E1, text E2',
    details: [
      { amount: 100, currency: 'USD', end_to_end_id: 'E1', counterparty_name: 'Ann' },
      { amount: 100, currency: 'USD', end_to_end_id: 'E2', counterparty_name: 'Bob' },
    ],
  });
});

test.each<[string, string]>([
  ['their amounts', details(part('60'), part('40'))],
  ['their transaction amounts', details(inDetails('TxAmt', '60', 'EUR'), inDetails('TxAmt', '40', 'EUR'))],
  ['their counter values', details(inDetails('CntrValAmt', '60', 'EUR'), inDetails('CntrValAmt', '40', 'EUR'))],
  ['their ordered amounts', details(inDetails('InstdAmt', '60', 'EUR'), inDetails('InstdAmt', '40', 'EUR'))],
  [
    'amounts beside those of another currency',
    details(part('66', inDetails('TxAmt', '60', 'EUR'), 'USD'), part('44', inDetails('TxAmt', '40', 'EUR'), 'USD')),
  ],
  ['amounts of different elements', details(part('60'), inDetails('TxAmt', '40', 'EUR'))],
  ['amounts in several groups', details(part('60')) + details(part('40'))],
  ['amounts with zeros at their end', details(part('60.000'), part('40.00'))],
])('transactions that add up to their entry by %s are rows', async (_what, parts) => {
  const { rows, detected } = await readFile(ofAccount(entry('100', 'DBIT', parts)));
  expect(rows.map(({ data }) => [data.amount, data.currency, data.details])).toEqual([
    [-60, 'EUR', null],
    [-40, 'EUR', null],
  ]);
  expect(detected.warnings).toEqual([]);
});

test('all references of a transaction are kept', async () => {
  const data = await one(
    ofAccount(
      entry(
        '3',
        'CRDT',
        details(
          '<Refs><EndToEndId>E1</EndToEndId></Refs><RmtInf><Strd><RfrdDocInf><Nb>R1</Nb></RfrdDocInf>' +
            '<RfrdDocInf><Nb>R2' +
            '</Nb></RfrdDocInf></Strd><Strd><CdtrRefInf><Tp><CdOrPrtry><Prtry>QRR</Prtry></CdOrPrtry></Tp><Ref>210000' +
            '</Ref></CdtrRefInf><AddtlRmtInf>note</AddtlRmtInf></Strd><Strd><CdtrRefInf><Ref>RF18</Ref>' +
            '</CdtrRefInf></Strd>' +
            '</RmtInf>',
        ),
      ),
    ),
  );
  expect(data).toMatchObject({
    document_number: 'R1, R2',
    creditor_reference: '210000, RF18',
    creditor_reference_type: 'QRR',
    references: ['E1', '210000', 'RF18', 'R1', 'R2'],
    remittance_information: 'note',
  });
});

test.each<[string, string, Record<string, unknown>]>([
  [
    'a total of the entry',
    `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">26</TtlChrgsAndTaxAmt></Chrgs>${details(part('1500'))}`,
    { amount: -1526, charges: 26, charges_currency: 'EUR', original_amount: 1500 },
  ],
  [
    'records of the entry',
    '<Chrgs><Rcrd><Amt Ccy="EUR">20</Amt></Rcrd><Rcrd><Amt Ccy="EUR">6</Amt></Rcrd></Chrgs>',
    { amount: -1526, charges: 26 },
  ],
  ['amounts of version 02', '<Chrgs><Amt Ccy="EUR">26</Amt></Chrgs>', { charges: 26 }],
  [
    'another currency',
    details('<Chrgs><Rcrd><Amt Ccy="USD">5</Amt></Rcrd></Chrgs>'),
    { charges: 5, charges_currency: 'USD' },
  ],
  [
    'one that is paid back',
    '<Chrgs><Rcrd><Amt Ccy="EUR">20</Amt></Rcrd><Rcrd><Amt Ccy="EUR">6</Amt><CdtDbtInd>CRDT</CdtDbtInd></Rcrd></Chrgs>',
    { charges: 14 },
  ],
  ['none', '', { charges: null, charges_currency: null }],
])('charges with %s are a field', async (_what, rest, data) => {
  expect(await one(ofAccount(entry('1526', 'DBIT', rest)))).toMatchObject(data);
});

test(
  'an entry with more transactions than are kept is rows where they add up, and complete where they do' + ' not',
  async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => part('0.01', `<Refs><EndToEndId>E${i}</EndToEndId></Refs>`));
    const whole = entry('1', 'CRDT') + entry('200', 'CRDT', details(...many)) + entry('2', 'CRDT');
    const { rows, detected, positions } = await readFile(ofAccount(whole));
    expect(rows).toHaveLength(20_002);
    expect(rows.at(-2)?.data).toMatchObject({ amount: 0.01, end_to_end_id: 'E19999' });
    expect(detected.warnings).toEqual([]);
    expect(positions.length).toBeGreaterThan(5);
    const other = await readFile(ofAccount(whole.replace('>200<', '>201<')));
    expect(other.rejected).toEqual([]);
    expect(other.rows.map(({ data }) => [data.amount, data.batch_count])).toEqual([
      [1, null],
      [201, 20_000],
      [2, null],
    ]);
  },
);
