import { createDataset, createField } from '../..';
import { useFileBench } from '../../../testing/file-bench';

const bench = useFileBench();
const { ingested, records, fileOf } = bench;

const ofxRow = (id: string, amount: string, name = 'Shop'): string =>
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105<TRNAMT>${amount}<FITID>${id}<NAME>${name}</STMTTRN>`;
const ofx = (rows: string, account = '123'): string =>
  `OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>1<ACCTID>${account}</BANKACCTFROM><BANKTRANLIST>` +
  `${rows}</BANKTRANLIST><LEDGERBAL><BALAMT>9.50<DTASOF>20260131</LEDGERBAL></STMTRS></OFX>`;
const entry = (reference: string, amount: string, status = 'BOOK'): string =>
  `<Ntry>${reference}<Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>${status}</Cd></Sts>` +
  '<BookgDt><Dt>2026-01-05</Dt></BookgDt></Ntry>';
const camt = (entries: string, id = 'S1'): string =>
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>' +
  `<Id>${id}</Id><Acct><Id><IBAN>DE1</IBAN></Id></Acct>${entries}</Stmt></BkToCstmrStmt></Document>`;
const servicer = (id: string): string => `<AcctSvcrRef>${id}</AcctSvcrRef>`;
const mt940 = (lines: string): string => `:20:R\n:25:1/2\n:28C:1\n:60F:C260101EUR0,\n${lines}\n:62F:C260131EUR0,\n-\n`;

const amounts = async (): Promise<unknown[]> => (await records()).map(({ data }) => Number(data['amount'])).sort();

describe('transactions of files that overlap', () => {
  test.each<[string, string, string, number]>([
    [
      'are one record by FITID',
      ofx(ofxRow('1', '-1') + ofxRow('2', '-2')),
      ofx(ofxRow('2', '-2') + ofxRow('3', '-3')),
      3,
    ],
    ['of two accounts stay two', ofx(ofxRow('1', '-1')), ofx(ofxRow('1', '-2'), '456'), 2],
    [
      'are one record by the reference of the bank',
      camt(entry(servicer('A'), '1') + entry(servicer('B'), '2')),
      camt(entry(servicer('B'), '2') + entry(servicer('C'), '3'), 'S2'),
      3,
    ],
    [
      'are one record by the reference of the entry',
      camt(entry('<NtryRef>1</NtryRef>', '1') + entry('<NtryRef>2</NtryRef>', '2')),
      camt(entry('<NtryRef>2</NtryRef>', '2') + entry('<NtryRef>3</NtryRef>', '3'), 'S2'),
      3,
    ],
    [
      'become booked where they were pending',
      camt(entry(servicer('A'), '1', 'PDNG')),
      camt(entry(servicer('A'), '1'), 'S2'),
      1,
    ],
    ['have no identity in MT940', mt940(':61:260105D1,NMSCX'), mt940(':61:260105D1,NMSCX\n:61:260106D2,NMSCY'), 3],
  ])('%s', async (_what, first, second, count) => {
    await ingested(first);
    await ingested(second);
    expect(await records()).toHaveLength(count);
  });

  test('are new records with identity=none', async () => {
    await ingested(ofx(ofxRow('1', '-1') + ofxRow('2', '-2')), { identity: 'none' });
    await ingested(ofx(ofxRow('2', '-2') + ofxRow('3', '-3')), { identity: 'none' });
    expect(await amounts()).toEqual([-1, -2, -2, -3]);
  });

  test('keep their record when the bank completes them', async () => {
    await ingested(ofx(ofxRow('1', '-1')));
    await ingested(ofx(ofxRow('1', '-1', 'Shop of Bob')));
    expect((await records()).map(({ data, revision }) => [data['name'], revision])).toEqual([['Shop of Bob', 2]]);
  });

  test('follow the identity fields of the dataset where it has some', async () => {
    const { id: datasetId } = await createDataset(bench.scope, { name: 'lines' });
    await createField(bench.scope, datasetId, { name: 'Name', key: 'name', type: 'string', isIdentity: true });
    await ingested(ofx(ofxRow('1', '-1') + ofxRow('2', '-2', 'Other')));
    expect((await records()).map(({ externalId }) => externalId).sort()).toEqual(['Other', 'Shop']);
  });

  test('are all kept where one id stands for several of a statement', async () => {
    const { detected } = await ingested(ofx(ofxRow('7', '-1') + ofxRow('7', '-2') + ofxRow('7', '-2')));
    expect(await amounts()).toEqual([-1, -2, -2]);
    expect(detected?.warnings).toMatchObject([{ code: 'identity_repeated' }]);
    await ingested(ofx(ofxRow('7', '-1') + ofxRow('7', '-2') + ofxRow('7', '-2') + ofxRow('8', '-4')));
    expect(await amounts()).toEqual([-1, -2, -2, -4]);
  });

  test('of which the bank only counts from 1 in each file stay apart', async () => {
    await ingested(ofx(ofxRow('1', '-1')));
    await ingested(ofx(ofxRow('1', '-2').replace('20260105', '20260205')));
    expect(await amounts()).toEqual([-1, -2]);
  });

  test('keep their record when the day of one with a long id changes', async () => {
    await ingested(ofx(ofxRow('20260105-0001', '-1')));
    await ingested(ofx(ofxRow('20260105-0001', '-1').replace('<DTPOSTED>20260105', '<DTPOSTED>20260107')));
    expect((await records()).map(({ data }) => data['date_posted'])).toEqual(['2026-01-07']);
  });

  test('that have the reference of another entry, such as a reversal, are records of their own', async () => {
    await ingested(camt(entry(servicer('A'), '5')));
    await ingested(camt(entry(servicer('A'), '5').replace('CRDT', 'DBIT'), 'S2'));
    expect(await amounts()).toEqual([-5, 5]);
  });

  test('become new records when the same file comes again with identity=none', async () => {
    await ingested(ofx(ofxRow('1', '-1')));
    await ingested(ofx(ofxRow('1', '-1')), { identity: 'none' });
    expect((await records()).map(({ externalId }) => externalId)).toEqual([null]);
  });
});

test('a file whose format identifies its rows warns of records without identity', async () => {
  await ingested(ofx(ofxRow('1', '-1')), { identity: 'none' });
  const { detected } = await ingested(ofx(ofxRow('1', '-1') + ofxRow('2', '-2')));
  expect(detected?.warnings).toMatchObject([{ code: 'records_without_identity' }]);
});

test.each([
  ['OFX', ofx('')],
  [
    'camt',
    camt('<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">9.5</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>'),
  ],
  ['MT940', mt940('').replace('EUR0,\n-', 'EUR9,5\n-').replace(':60F:C260101EUR0,', ':60F:C260101EUR9,5')],
])('a statement of %s without transactions is ready and keeps its balances', async (_what, content) => {
  const file = await ingested(content);
  expect(file).toMatchObject({ status: 'ready', readyRows: 0, errorCode: null });
  const balances = file.detected?.statements?.flatMap((statement) => statement.balances);
  expect(balances).toContainEqual(expect.objectContaining({ amount: 9.5 }));
});

test('a statement of rejected rows only fails', async () => {
  const file = await ingested(mt940(':61:nothing'));
  expect(await fileOf(file.id)).toMatchObject({ status: 'failed', errorCode: 'no_readable_rows' });
});

test('an error of the bank fails the file with its code and text', async () => {
  const content =
    'OFXHEADER:100\n\n<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>15500<SEVERITY>ERROR<MESSAGE>Signon invalid</STATUS>' +
    '</SONRS></SIGNONMSGSRSV1></OFX>';
  const { status, errorCode, errorMessage } = await ingested(content);
  expect({ status, errorCode }).toEqual({ status: 'failed', errorCode: 'bank_error' });
  expect(errorMessage).toMatch(/15500 Signon invalid/);
});
