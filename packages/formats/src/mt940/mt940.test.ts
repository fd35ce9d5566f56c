import fc from 'fast-check';
import { FileUnreadableError } from '../index';
import { readFile } from '../../testing/files';

const statement = (lines: string, closing = ':62F:C260131EUR0,'): string =>
  `:20:STARTUMSE\n:25:DE89370400440532013000\n:28C:00001/001\n:60F:C251231EUR0,\n${lines}\n${closing}\n-\n`;
const dataOf = async (text: string | Buffer): Promise<Record<string, unknown>[]> =>
  (await readFile(text)).rows.map(({ data }) => data);
const withInformation = (text: string): string => statement(`:61:2601050105D12,34NTRFNONREF\n:86:${text}`);

test('a statement has its account, its lines and its balances, in pieces of any size', async () => {
  const text = statement(
    ':61:2601050106CR1234,5NTRFINV-7//B4E07XM00\r\n/OCMT/USD1400,/CHGS/EUR2,5/\r\n:86:Invoice 7',
    ':62F:C260131EUR1234,50\n:64:C260131EUR1000,',
  );
  for (const pieceBytes of [1, 65_536]) {
    const { rows, rejected, detected } = await readFile(text, {}, pieceBytes);
    expect(rejected).toEqual([]);
    expect(detected.warnings).toEqual([]);
    expect(rows[0]?.data).toMatchObject({
      statement_id: '00001/001',
      statement_reference: 'STARTUMSE',
      account_id: 'DE89370400440532013000',
      currency: 'EUR',
      status: 'BOOK',
      value_date: '2026-01-05',
      booking_date: '2026-01-06',
      amount: 1234.5,
      credit_debit: 'CRDT',
      is_reversal: false,
      transaction_type: 'NTRF',
      customer_reference: 'INV-7',
      bank_reference: 'B4E07XM00',
      original_amount: 1400,
      original_currency: 'USD',
      charges: 2.5,
      charges_currency: 'EUR',
      remittance_information: 'Invoice 7',
    });
    expect(detected.statements).toEqual([
      {
        id: '00001/001',
        account_id: 'DE89370400440532013000',
        currency: 'EUR',
        transactions: 1,
        balances: [
          { type: 'opening', amount: 0, currency: 'EUR', date: '2025-12-31' },
          { type: 'closing', amount: 1234.5, currency: 'EUR', date: '2026-01-31' },
          { type: 'available', amount: 1000, currency: 'EUR', date: '2026-01-31' },
        ],
      },
    ]);
  }
});

test.each<[string, string, Record<string, unknown>]>([
  ['a debit', '2601050105D12,34NTRFNONREF', { amount: -12.34, customer_reference: null }],
  ['a debit with the letter of its currency', '260105DR12,NMSCX', { amount: -12, is_reversal: false }],
  ['a credit with the letter of its currency', '260105CR,5NMSCX', { amount: 0.5, credit_debit: 'CRDT' }],
  ['a reversed credit', '260105RC12,NMSCX', { amount: -12, is_reversal: true, credit_debit: 'DBIT' }],
  ['a reversed debit', '260105RDR12,NMSCX', { amount: 12, is_reversal: true, credit_debit: 'CRDT' }],
  ['no entry date', '260105C12,NMSCX', { booking_date: '2026-01-05' }],
  ['an entry in the year before', '2601021231C1,NMSCX', { value_date: '2026-01-02', booking_date: '2025-12-31' }],
  ['an entry in the year after', '2512310102C1,NMSCX', { value_date: '2025-12-31', booking_date: '2026-01-02' }],
  ['an entry on the day that leap years have', '2402280229C1,NMSCX', { booking_date: '2024-02-29' }],
  ['30 February', '2602300301D6,NMSCX', { value_date: '2026-02-28' }],
  ['the last century', '991231C1,NMSCX', { value_date: '1999-12-31' }],
  ['a bank reference only', '260105C1,NTRFNONREF//B1', { customer_reference: null, bank_reference: 'B1' }],
  ['no type', '260105C1,//B1', { transaction_type: null, bank_reference: 'B1' }],
  ['a code of the bank as type', '260105C1,N033X', { transaction_type: 'N033', customer_reference: 'X' }],
  ['leading zeros', '260105D000000000025,00N102X', { amount: -25 }],
  ['thousands', '260105C1.234,56NTRFX', { amount: 1234.56 }],
  ['no decimals', '260105C500NTRFX', { amount: 500 }],
  ['more digits than a number', '260105C12345678901234567,89NTRFX', { amount: '12345678901234567.89' }],
])('a statement line with %s is read', async (_what, line, data) => {
  expect(await dataOf(statement(`:61:${line}`))).toMatchObject([data]);
});

test.each([
  ['2602300301D6,NMSCX', true],
  ['2602290301D6,NMSCX', true],
  ['2602280230D6,NMSCX', true],
  ['2402290229D6,NMSCX', false],
  ['260228D6,NMSCX', false],
])('a day that February does not have is told: %s', async (line, isTold) => {
  const { detected } = await readFile(statement(`:61:${line}`));
  expect(detected.warnings?.some(({ code }) => code === 'day_corrected')).toBe(isTold);
});

test.each<[string, string, Record<string, unknown>]>([
  [
    'numbered subfields (Germany)',
    '166?00GUTSCHR. UEBERWEISUNG?109248?20EREF+RE-2026-17?21SVWZ+Rechnung 2026-17 vom ?2201.02.2026' +
      '?30COBADEFFXXX?31DE02120300000000202051?32Muster und Soehne Handelsge?33sellschaft mbH?34000',
    {
      transaction_code: '166',
      posting_text: 'GUTSCHR. UEBERWEISUNG',
      prima_nota: '9248',
      end_to_end_id: 'RE-2026-17',
      remittance_information: 'Rechnung 2026-17 vom 01.02.2026',
      counterparty_bic: 'COBADEFFXXX',
      counterparty_account: 'DE02120300000000202051',
      counterparty_name: 'Muster und Soehne Handelsgesellschaft mbH',
    },
  ],
  [
    'a direct debit over several lines (Germany)',
    '105?00BASISLASTSCHRIFT?20EREF+4711-0815?21KREF+K1?22MREF+M-77?23CRED+DE98ZZZ09999999999\n' +
      '?24SVWZ+Strom Januar?25ABWA+Anna Beispiel?26ABWE+Bert?30GENODEF1?31DE1\n?32Stadtwerke',
    {
      end_to_end_id: '4711-0815',
      customer_reference: 'K1',
      mandate_id: 'M-77',
      creditor_id: 'DE98ZZZ09999999999',
      remittance_information: 'Strom Januar',
      ultimate_counterparty_name: 'Anna Beispiel',
      counterparty_name: 'Stadtwerke',
    },
  ],
  [
    'a name of a value that is cut between subfields',
    '835?22EREF+ 1234567890123 PAYPAL?23MREF+ 12AB234CD6E7F CRED+ A?24B12CDE0000000000000000034 S?25VWZ+ . SPOTIFY',
    { mandate_id: '12AB234CD6E7F', creditor_id: 'AB12CDE0000000000000000034', remittance_information: '. SPOTIFY' },
  ],
  [
    'a text that is cut within a word',
    '166?20EREF+E-1?21SVWZ+Rechnung RE-2026-0?220417, Skonto abgez?23ogen?32MEIER',
    { end_to_end_id: 'E-1', remittance_information: 'Rechnung RE-2026-00417, Skonto abgezogen' },
  ],
  [
    'an account in place of the bank (Czechia)',
    '020?00PLATBA?20VS:1234567890?30CZ6508000000192000145399?32FIRMA SRO',
    { counterparty_account: 'CZ6508000000192000145399', counterparty_bic: null },
  ],
  [
    'a reference that nobody provided',
    '166?20EREF+NOTPROVIDED?21SVWZ+Miete',
    { end_to_end_id: null, remittance_information: 'Miete' },
  ],
  [
    'subfields without names of values',
    '020?00UEBERWEISUNG?20RECHNUNG 4711?21KUNDE 12?60DANKE?32MEIER',
    { remittance_information: 'RECHNUNG 4711 KUNDE 12 DANKE', counterparty_name: 'MEIER' },
  ],
  [
    'a question mark in the text',
    '166?20SVWZ+Was kostet das?99?32MEIER',
    { remittance_information: 'Was kostet das?99', counterparty_name: 'MEIER' },
  ],
  [
    '< before subfields (Poland)',
    '020<00Przelew<20faktura 17/2026<21za styczen<27JAN NOWAK<3010901014<31PL27114020040000300201355387<32JAN NOWAK',
    { posting_text: 'Przelew', counterparty_account: 'PL27114020040000300201355387', counterparty_name: 'JAN NOWAK' },
  ],
  [
    '~ before subfields (Poland)',
    '020~00VE02\n~20faktura 18\n~3010901014~3127114020040000300201355387\n~32ANNA NOWAK~38PL27114020040000300201355387',
    {
      remittance_information: 'faktura 18',
      counterparty_account: 'PL27114020040000300201355387',
      counterparty_name: 'ANNA NOWAK',
    },
  ],
  [
    '> before subfields (Netherlands)',
    '000>100987654321\n>20ALGEMENE TUSSENREKENING KOS>21TEN VAN 01-10-2010>310390123456',
    { remittance_information: 'ALGEMENE TUSSENREKENING KOSTEN VAN 01-10-2010', counterparty_account: '0390123456' },
  ],
  [
    'codes between slashes (ABN AMRO)',
    '/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A/NAME/J. JANSEN\n/REMI/FACTUUR 2026/17/EREF/E-1',
    {
      posting_text: 'SEPA OVERBOEKING',
      counterparty_account: 'NL91ABNA0417164300',
      counterparty_bic: 'ABNANL2A',
      counterparty_name: 'J. JANSEN',
      remittance_information: 'FACTUUR 2026/17',
      end_to_end_id: 'E-1',
    },
  ],
  [
    'codes between slashes (ING)',
    '/EREF/NOTPROVIDED//CNTP/NL69INGB0123456789/INGBNL2A/ING BANK NV///REMI/USTD//EV10001REP1000000T1000/',
    {
      end_to_end_id: null,
      counterparty_account: 'NL69INGB0123456789',
      counterparty_bic: 'INGBNL2A',
      counterparty_name: 'ING BANK NV',
      remittance_information: 'EV10001REP1000000T1000',
    },
  ],
  [
    'a structured reference (ING)',
    '/CNTP/NL32INGB0000012345/INGBNL2A/INGBANK NV///REMI/STRD/CUR/9876123456789875/',
    { creditor_reference: '9876123456789875', remittance_information: '9876123456789875' },
  ],
  [
    'codes that are empty (Rabobank)',
    '/EREF/01-01-2013 12:00/BENM//NAME/CONTRA ACCOUNT HOLDER/REMI//ISDT/2013-07-11',
    { end_to_end_id: '01-01-2013 12:00', counterparty_name: 'CONTRA ACCOUNT HOLDER', remittance_information: null },
  ],
  [
    'labels in the text (Knab)',
    'FACTUUR 201403110\nREK: NL65INGB0123456789/NAAM: PICQER',
    { counterparty_account: 'NL65INGB0123456789', counterparty_name: 'PICQER' },
  ],
  [
    'free text that goes on after a full line (Switzerland)',
    `${'GIRO AUS ONLINE-SIC 80532 AUFTRAGGEBER: JANE DOE'.padEnd(60, ' ')}EXAMP\nLESTRASSE 10\nBERN`,
    { remittance_information: 'GIRO AUS ONLINE-SIC 80532 AUFTRAGGEBER: JANE DOE EXAMPLESTRASSE 10 BERN' },
  ],
])('the text of a transaction with %s is read', async (_what, text, data) => {
  expect(await dataOf(withInformation(text))).toMatchObject([data]);
});

test.each<[string, string]>([
  ['SWIFT headers', `{1:F01INGBNL2ABXXX0000000000}{2:I940INGBNL2AXXXN}{4:\n${statement(':61:260105C1,NMSCX')}`],
  [
    'SWIFT headers on one line',
    `{1:F01X}{2:O940X}{3:}{4::20:A\n:25:1/2\n:60F:C260101EUR1,\n:61:260105C1,NMSCX\n-}{5:}`,
  ],
  ['the name of the bank above', `ABNANL2A\n940\nABNANL2A\n${statement(':61:260105C1,NMSCX')}`],
  ['a line of its own above', `:940:\n${statement(':61:260105C1,NMSCX')}`],
  ['blank lines and a byte order mark', `\ufeff\r\n\r\n${statement(':61:260105C1,NMSCX').replaceAll('\n', '\r\n')}`],
  ['@@ between lines', statement(':61:260105C1,NMSCX').replaceAll('\n', '@@')],
  ['CR between lines', statement(':61:260105C1,NMSCX').replaceAll('\n', '\r')],
  ['no account', ':20:A\n:28C:1\n:60F:C260101EUR1,\n:61:260105C1,NMSCX\n:62F:C260101EUR2,\n'],
  ['MT950', `{1:F01X}{2:O950X}{4:\n${statement(':61:260105C1,NMSCX')}`],
])('a file with %s is known as MT940', async (_what, text) => {
  const { detected, rows } = await readFile(text);
  expect([detected.format, rows.map(({ data }) => data.amount)]).toEqual(['mt940', [1]]);
});

test('several statements and pages are read, each with its account and currency', async () => {
  const page = (account: string, opening: string, closing: string, line: string): string =>
    `:20:A\n:25:${account}\n:28C:1/1\n:60${opening}\n:61:${line}\n:62${closing}\n-\n`;
  const { rows, detected } = await readFile(
    page('10020030/1', 'F:C260101EUR10,', 'M:C260101EUR9,', '260101D1,NMSCX') +
      page('10020030/1', 'M:C260101EUR9,', 'F:C260101EUR7,', '260101D2,NMSCX') +
      page('NL91ABNA0417164300USD', 'F:D260101USD1,', 'F:D260101USD4,', '260101D3,NMSCX'),
  );
  expect(rows.map(({ data }) => [data.account_id, data.currency, data.amount])).toEqual([
    ['10020030/1', 'EUR', -1],
    ['10020030/1', 'EUR', -2],
    ['NL91ABNA0417164300', 'USD', -3],
  ]);
  expect(detected.warnings).toEqual([]);
  expect(detected.statements).toHaveLength(3);
});

test('text of the statement belongs to no transaction, and lines without text are rows', async () => {
  const lines = ':86:of the\nstatement\n:61:260101C1,NMSCX\n:61:260102C2,NMSCX\n:86:second';
  const { rows, detected } = await readFile(statement(lines, ':62F:C260131EUR3,\n:86:of the end'));
  expect(rows.map(({ data }) => data['remittance_information'])).toEqual([null, 'second']);
  expect(detected.statements).toMatchObject([{ additional_information: 'of the statement of the end' }]);
});

test.each<[string, string, string]>([
  ['is none', ':61:hello', 'value_out_of_range'],
  ['has a day that is none', ':61:261305C1,NMSCX', 'value_out_of_range'],
  ['has no amount', ':61:260105CNMSCX', 'value_out_of_range'],
])('a statement line that %s is rejected, the next one is read', async (_what, line, code) => {
  const { rows, rejected } = await readFile(statement(`${line}\n:86:x\n:61:260105C2,NMSCX`));
  expect(rejected).toMatchObject([{ line: 1, code }]);
  expect(rows).toMatchObject([{ line: 2, data: { amount: 2 } }]);
});

test('a statement line in which the file ends is rejected, since digits of its amount may be missing', async () => {
  const { rejected } = await readFile(':20:A\n:25:1\n:60F:C260101EUR1,\n:61:260105C12');
  expect(rejected).toMatchObject([{ code: 'incomplete' }]);
});

test('missing transactions and a missing end are warned of', async () => {
  const { detected } = await readFile(
    statement(':61:260105C1,NMSCX', ':62F:C260131EUR5,') + ':20:B\n:25:1/2\n:28C:2\n:60F:C260101EUR1,\n',
  );
  expect(detected.warnings).toMatchObject([
    { code: 'balance_differs', message: expect.stringContaining('opening 0, transactions 1, closing 5') as string },
    { code: 'closing_balance_missing' },
  ]);
});

test('an interim report (MT942) has the time, the sums and the status of its lines', async () => {
  const { detected, rows } = await readFile(
    ':20:A\n:25:DE89370400440532013000\n:28C:1/1\n:34F:EURD10,\n:34F:EURC10,\n:13D:2601051530+0100\n' +
      ':61:260105C1,NMSCX\n:86:one\n:61:260105ED2,NMSCX\n:90D:1EUR2,\n:90C:1EUR1,\n-\n',
  );
  expect(detected.format).toBe('mt942');
  expect(rows.map(({ data }) => [data.reported_at, data.currency, data.amount, data.status])).toEqual([
    ['2026-01-05T15:30:00+01:00', 'EUR', 1, 'BOOK'],
    ['2026-01-05T15:30:00+01:00', 'EUR', -2, 'PDNG'],
  ]);
  expect(detected.statements?.[0]?.balances).toMatchObject([
    { type: 'total_debits', amount: -2 },
    { type: 'total_credits', amount: 1 },
  ]);
  expect(detected.warnings).toMatchObject([{ code: 'pending_transactions' }]);
});

test('bytes that are no characters are warned of', async () => {
  const good = withInformation(`166?20SVWZ+${'ü'.repeat(20)}`);
  const { detected, rows } = await readFile(Buffer.concat([Buffer.from(good), Buffer.from([0xfc, 0x0a])]));
  expect([detected.encoding, rows.length]).toEqual(['utf-8', 1]);
  expect(detected.warnings).toContainEqual(expect.objectContaining({ code: 'invalid_characters' }));
});

test('umlauts of windows-1252 are read', async () => {
  const text = withInformation('166?20SVWZ+Gebühr?32Müller');
  expect(await dataOf(Buffer.from(text, 'latin1'))).toMatchObject([{ counterparty_name: 'Müller' }]);
});

const anyLine = fc.oneof(
  fc.constantFrom(
    ':61:260105C1,NMSCX',
    ':86:166?00A?20SVWZ+B?32C',
    ':86:/EREF/1/REMI/x',
    ':60F:C260101EUR1,',
    '-',
    '-}',
  ),
  fc.constantFrom(':20:', ':25:', '{1:', '{4:', ':62F:', ':90D:', ':13D:', '@@', '?20', '\r', '\0'),
  fc.string({ maxLength: 40 }),
);

test('any text after the head of a statement gives rows, rejected rows or a reason', async () => {
  const outcome = async (text: string, pieceBytes: number): Promise<unknown> => {
    try {
      const { rows, rejected } = await readFile(text, {}, pieceBytes);
      return { rows, rejected };
    } catch (error) {
      if (error instanceof FileUnreadableError) return error.code;
      throw error;
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLine, { maxLength: 20 }),
      fc.integer({ min: 1, max: 50 }),
      async (lines, pieceBytes) => {
        const text = `:20:A\n:25:1/2\n:60F:C260101EUR1,\n${lines.join('\n')}`;
        const whole = await outcome(text, 65_536);
        expect(await outcome(text, pieceBytes)).toEqual(whole);
        for (const { data } of (whole as { rows?: { data: Record<string, unknown> }[] }).rows ?? [])
          expect(Number.isFinite(Number(data.amount)) && /^\d{4}-\d\d-\d\d$/.test(String(data.value_date))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});

test.each([
  ['slashes', `/REMI/${'/'.repeat(900_000)}x`],
  ['question marks', `166?20${'?'.repeat(900_000)}x`],
  ['blanks', `166?20a${' '.repeat(900_000)}x`],
  ['names of values', `166?20${'SVWZ+'.repeat(180_000)}x`],
  ['labels', 'IBAN: '.repeat(150_000)],
])('a long text of %s is read at once', async (_what, text) => {
  const started = performance.now();
  await readFile(withInformation(text));
  expect(performance.now() - started).toBeLessThan(10_000);
});

test('a field without end is refused before it fills the memory', async () => {
  const text = `:20:A\n:25:1/2\n:60F:C260101EUR1,\n:61:260105C1,NMSCX\n:86:${'x'.repeat(2_500_000)}`;
  await expect(readFile(text)).rejects.toMatchObject({ code: 'file_damaged' });
  await expect(readFile(text.replaceAll('xxxx', 'xxx\n'))).rejects.toMatchObject({ code: 'file_damaged' });
});
