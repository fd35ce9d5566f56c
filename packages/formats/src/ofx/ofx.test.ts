import fc from 'fast-check';
import { FileUnreadableError } from '../index';
import { readFile } from '../../testing/files';
import type { ReadOptions } from '../types';

const header =
  'OFXHEADER:100\r\nDATA:OFXSGML\r\nVERSION:102\r\nSECURITY:NONE\r\nENCODING:USASCII\r\nCHARSET:1252\r\n\r\n';
const sgml = (transactions: string): string =>
  `${header}<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>BRL<BANKACCTFROM>` +
  `<BANKID>001<ACCTID>123-4<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20250101${transactions}` +
  '</BANKTRANLIST><LEDGERBAL><BALAMT>9</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>';
const xml = (transactions: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?><?OFX ' +
  'OFXHEADER="200"?><OFX><CCSTMTRS><CURDEF>EUR</CURDEF><CCACCTFROM><ACCTID>99</ACCTID></CCACCTFROM>' +
  `<BANKTRANLIST>${transactions}</BANKTRANLIST></CCSTMTRS></OFX>`;

test('a transaction of SGML has its values and those of its account, in pieces of any size', async () => {
  const text = sgml(
    '<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20250131233000.000[-3:BRT]<TRNAMT>-12,50<FITID>a1<NAME>João & ' +
      'Cia<MEMO>P&amp;G &#65;</STMTTRN>',
  );
  for (const pieceBytes of [1, 65_536]) {
    const { rows, rejected } = await readFile(Buffer.from(text, 'latin1'), {}, pieceBytes);
    expect(rejected).toEqual([]);
    expect(rows).toMatchObject([
      {
        line: 1,
        data: {
          bank_id: '001',
          account_id: '123-4',
          account_type: 'CHECKING',
          currency: 'BRL',
          type: 'DEBIT',
          date_posted: '2025-01-31',
          amount: -12.5,
          transaction_id: 'a1',
          name: 'João & Cia',
          memo: 'P&G A',
        },
      },
    ]);
  }
});

test('a transaction of XML has the same values', async () => {
  const { rows } = await readFile(
    xml(
      '<STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20250131</DTPOSTED><TRNAMT>5.00</TRNAMT><PAYEE>' +
        '<NAME>Bob</NAME></PAYEE><MEMO><![CDATA[<b>]]></MEMO><CCACCTTO><ACCTID>7</ACCTID></CCACCTTO></STMTTRN>',
    ),
  );
  expect(rows).toMatchObject([
    {
      data: {
        account_id: '99',
        currency: 'EUR',
        amount: 5,
        name: 'Bob',
        memo: '<b>',
        counterparty_account_id: '7',
        date_posted: '2025-01-31',
      },
    },
  ]);
});

test('each statement has its own account', async () => {
  const one = (account: string): string =>
    `<STMTRS><BANKACCTFROM><ACCTID>${account}</BANKACCTFROM><STMTTRN><TRNAMT>1<DTPOSTED>20250101</STMTTRN></STMTRS>`;
  const { rows } = await readFile(`${header}<OFX>${one('A')}${one('B')}</OFX>`);
  expect(rows.map(({ data }) => data.account_id)).toEqual(['A', 'B']);
});

test.each([
  ['no amount', '<DTPOSTED>20250101', 'amount', 'missing_amount'],
  ['an amount that is none', '<TRNAMT>1.2.3<DTPOSTED>20250101', 'amount', 'value_out_of_range'],
  ['a day that is none', '<TRNAMT>1<DTPOSTED>20250230', 'date_posted', 'value_out_of_range'],
])('a transaction with %s is rejected, the next one is read', async (_what, values, column, code) => {
  const { rows, rejected } = await readFile(
    sgml(`<STMTTRN>${values}</STMTTRN><STMTTRN><TRNAMT>2<DTPOSTED>20250101</STMTTRN>`),
  );
  expect(rejected).toMatchObject([{ line: 1, column, code }]);
  expect(rows).toMatchObject([{ line: 2, data: { amount: 2 } }]);
});

test('a transaction in which the file ends is rejected, since digits of its amount may be missing', async () => {
  const { rows, rejected } = await readFile(`${header}<OFX><STMTRS><STMTTRN><TRNAMT>1</STMTTRN><STMTTRN><TRNAMT>12`);
  expect(rows).toHaveLength(1);
  expect(rejected).toMatchObject([{ line: 2, code: 'incomplete' }]);
});

test('amounts that no number is exactly keep their digits', async () => {
  const { rows } = await readFile(sgml('<STMTTRN><TRNAMT>-12345678901234567.89<DTPOSTED>20250101</STMTTRN>'));
  expect(rows[0]?.data.amount).toBe('-12345678901234567.89');
});

const paid = (amount: string): string => `<STMTTRN><DTPOSTED>20260101<TRNAMT>${amount}<FITID>${amount}</STMTTRN>`;

test.each<[string[], ReadOptions, unknown[], string[]]>([
  [['1,234', '-5.50'], {}, [1234, -5.5], []],
  [['1.234', '-5,50'], {}, [1234, -5.5], []],
  [['1,234,567', '1'], {}, [1234567, 1], []],
  [['1,234', '1,234.50'], {}, [1234, 1234.5], []],
  [['1.234', '5.50'], {}, [1.234, 5.5], []],
  [['1,234'], {}, [1.234], ['ambiguous_number']],
  [['1,234'], { decimalSeparator: '.' }, [1234], []],
  [['1,234'], { decimalSeparator: ',' }, [1.234], []],
  [['1.234', '2,5', '3.5'], {}, [1.234, 2.5, 3.5], ['ambiguous_number']],
])('amounts %j are read by what all of them prove: %j', async (amounts, options, values, warnings) => {
  const { rows, detected } = await readFile(sgml(amounts.map(paid).join('\n')), options);
  expect(rows.map(({ data }) => data['amount'])).toEqual(values);
  expect(detected.warnings?.map(({ code }) => code)).toEqual(warnings);
});

test('declarations and unknown entities stay as they are', async () => {
  const { rows } = await readFile(
    `<!DOCTYPE x [<!ENTITY a "aaaa">]>\n${header}`.replace(/^.*\n/, '') +
      '<OFX><STMTTRN><TRNAMT>1<MEMO>&a;&lt;</STMTTRN>',
  );
  expect(rows[0]?.data.memo).toBe('&a;<');
});

test.each<[string, string]>([
  ['a comment before it', '<!-- made by a bank, with <OFX> and STMTTRN -->'],
  ['comments and blank lines before it', '\n<!-- one -->\r\n<!-- two\n -->\n'],
  ['a byte order mark', '\ufeff'],
  ['a declaration', '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a -->\n<?OFX OFXHEADER="200" VERSION="211"?>\n'],
  ['a comment between declarations', '<?xml version="1.0"?><!-- <STMTTRN> --><?OFX OFXHEADER="200"?><!-- b -->'],
  ['a comment before its declarations', '<!-- a --><?xml version="1.0"?><?OFX OFXHEADER="200"?>'],
  ['a header of one line', 'OFXHEADER:100 DATA:OFXSGML VERSION:102 '],
  ['a comment before its header', `<!-- a -->\n${header}`],
  ['lines of a server before its header', `Content-Type: application/x-ofx\r\n\r\n${header}`],
])('OFX with %s is read', async (_what, before) => {
  const { detected, rows } = await readFile(`${before}<OFX><STMTTRN><TRNAMT>1<DTPOSTED>20260101</STMTTRN></OFX>`);
  expect([detected.format, rows.map(({ data }) => data.amount)]).toEqual(['ofx', [1]]);
});

test('tags may be small, and have attributes', async () => {
  const { rows } = await readFile(
    '<ofx xmlns="x"><stmttrn><trnamt>1</trnamt><dtposted>20260101</dtposted></stmttrn></ofx>',
  );
  expect(rows.map(({ data }) => data.amount)).toEqual([1]);
});

const investments = (transactions: string): string =>
  `${header}<OFX><INVSTMTRS><CURDEF>USD<INVACCTFROM><BROKERID>b.com<ACCTID>77</INVACCTFROM>` +
  `<INVTRANLIST>${transactions}` +
  '</INVTRANLIST><INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>1</SECID><UNITS>5</INVPOS></POSSTOCK></INVPOSLIST>' +
  '<INVBAL><AVAILCASH>200.50<MARGINBALANCE>-50</INVBAL></INVSTMTRS><SECLIST><STOCKINFO><SECINFO><SECID><UNIQUEID>1' +
  '<UNIQUEIDTYPE>CUSIP</SECID><SECNAME>Acme Inc<TICKER>ACME</SECINFO></STOCKINFO></SECLIST></OFX>';
const traded =
  '<INVTRAN><FITID>f1<DTTRADE>20260105120000<DTSETTLE>20260107</INVTRAN><SECID><UNIQUEID>1<UNIQUEIDTYPE>CUSIP</SECID>';

test.each<[string, string, Record<string, unknown>]>([
  [
    'BUYSTOCK',
    `<INVBUY>${traded}<UNITS>100<UNITPRICE>50.25<COMMISSION>25<TOTAL>-5050.00<SUBACCTSEC>CASH</INVBUY><BUYTYPE>BUY`,
    { amount: -5050, units: 100, unit_price: 50.25, commission: 25, total: -5050, order_type: 'BUY' },
  ],
  ['BUYMF', `<INVBUY>${traded}<UNITS>1<TOTAL>50</INVBUY>`, { amount: -50, total: 50 }],
  ['SELLSTOCK', `<INVSELL>${traded}<UNITS>-100<TOTAL>5000<TAXES>3</INVSELL><SELLTYPE>SELL`, { amount: 5000, taxes: 3 }],
  ['SELLOPT', `<INVSELL>${traded}<TOTAL>1.5</INVSELL>`, { amount: 1.5 }],
  ['REINVEST', `${traded}<INCOMETYPE>DIV<TOTAL>-12.34<UNITS>0.5`, { amount: 0, total: -12.34, income_type: 'DIV' }],
  ['INCOME', `${traded}<INCOMETYPE>INTEREST<TOTAL>12.34<WITHHOLDING>1.2`, { amount: 12.34, withholding: 1.2 }],
  ['INVEXPENSE', `${traded}<TOTAL>-9.99`, { amount: -9.99 }],
  [
    'MARGININTEREST',
    '<INVTRAN><FITID>f1<DTTRADE>20260105<DTSETTLE>20260107</INVTRAN><TOTAL>-1',
    { amount: -1, security_id: null },
  ],
  ['RETOFCAP', `${traded}<TOTAL>7`, { amount: 7 }],
  ['TRANSFER', `${traded}<UNITS>3<TFERACTION>IN`, { amount: 0, units: 3 }],
  ['SPLIT', `${traded}<OLDUNITS>1<NEWUNITS>2<FRACCASH>0.25`, { amount: 0.25 }],
  ['JRNLSEC', `${traded}<UNITS>3`, { amount: 0 }],
])(
  'a transaction of investments (%s) has its kind, its security and the change of cash',
  async (kind, values, data) => {
    const { rows, rejected, detected } = await readFile(investments(`<${kind}>${values}</${kind}>`), {}, 7);
    expect(rejected).toEqual([]);
    const security = {
      security_id: '1',
      security_name: 'Acme Inc',
      security_ticker: 'ACME',
      security_id_type: 'CUSIP',
    };
    expect(rows).toMatchObject([
      {
        data: {
          transaction_kind: kind,
          account_id: '77',
          bank_id: 'b.com',
          date_posted: '2026-01-05',
          settlement_date: '2026-01-07',
          transaction_id: 'f1',
          ...('security_id' in data ? {} : security),
          ...data,
        },
      },
    ]);
    expect(detected.statements).toMatchObject([
      {
        account_id: '77',
        balances: [
          { type: 'available_cash', amount: 200.5 },
          { type: 'margin', amount: -50 },
        ],
      },
    ]);
  },
);

test('cash of an account of investments is a transaction like that of a bank', async () => {
  const { rows } = await readFile(
    investments(
      '<INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260105<TRNAMT>100<FITID>f2<NAME>Deposit</STMTTRN>' +
        '<SUBACCTFUND>CASH' +
        `</INVBANKTRAN><BUYSTOCK><INVBUY>${traded}<TOTAL>-1</INVBUY></BUYSTOCK>`,
    ),
  );
  expect(rows.map(({ data }) => [data.transaction_kind, data.amount, data.name])).toEqual([
    ['INVBANKTRAN', 100, 'Deposit'],
    ['BUYSTOCK', -1, null],
  ]);
});

test('a transaction of investments without its total is rejected', async () => {
  const { rejected } = await readFile(investments(`<BUYSTOCK><INVBUY>${traded}</INVBUY></BUYSTOCK>`));
  expect(rejected).toMatchObject([{ code: 'missing_amount', message: expect.stringContaining('TOTAL') as string }]);
});

const status = (code: string, severity: string, message = ''): string =>
  `<STATUS><CODE>${code}<SEVERITY>${severity}${message === '' ? '' : `<MESSAGE>${message}`}</STATUS>`;

test.each<[string, string, RegExp]>([
  ['the sign-on', `<SONRS>${status('15500', 'ERROR', 'Signon invalid')}</SONRS>`, /15500 Signon invalid/],
  ['the sign-on, without text', `<SONRS>${status('15502', 'ERROR')}</SONRS>`, /15502/],
  [
    'the sign-on, beside an empty statement',
    `<SONRS>${status('2000', 'ERROR', 'x')}</SONRS><STMTRS></STMTRS>`,
    /2000 x/,
  ],
  [
    'the request',
    `<SONRS>${status('0', 'INFO')}</SONRS><STMTTRNRS>${status('2003', 'ERROR', 'No account')}</STMTTRNRS>`,
    /2003/,
  ],
  ['the sign-on, in small letters', `<sonrs>${status('15500', 'Error', 'no').toLowerCase()}</sonrs>`, /15500 no/],
])('an error of the bank in %s fails the file with its code and text', async (_what, body, message) => {
  await expect(readFile(`${header}<OFX>${body}</OFX>`)).rejects.toMatchObject({
    code: 'bank_error',
    message: expect.stringMatching(message) as string,
    recognised: { format: 'ofx' },
  });
});

test('an error for one account leaves the statements of the others', async () => {
  const { rows, detected } = await readFile(
    `${header}<OFX><STMTTRNRS>${status('2003', 'ERROR', 'Closed')}</STMTTRNRS><STMTRS><CURDEF>EUR<STMTTRN><TRNAMT>1` +
      `<DTPOSTED>20260101` +
      '</STMTTRN></STMTRS></OFX>',
  );
  expect(rows).toHaveLength(1);
  expect(detected.warnings).toMatchObject([
    { code: 'bank_error', message: expect.stringContaining('2003 Closed') as string },
  ]);
});

test.each([
  ['an empty list', sgml('')],
  ['no list', `${header}<OFX><SONRS>${status('0', 'INFO')}</SONRS><CCSTMTRS><CURDEF>EUR</CCSTMTRS></OFX>`],
  ['a warning of the bank', `${header}<OFX><SONRS>${status('3001', 'WARN', 'x')}</SONRS><STMTRS></STMTRS></OFX>`],
])('a statement with %s has no rows', async (_what, text) => {
  const { rows, detected } = await readFile(text);
  expect(rows).toEqual([]);
  expect(detected.warnings?.map(({ code }) => code)).toEqual(['no_transactions']);
  expect(detected.statements).toHaveLength(1);
});

test('transactions that are not posted yet are named', async () => {
  const { rows, detected } = await readFile(
    sgml('<STMTTRN><TRNAMT>1<DTPOSTED>20260101</STMTTRN>').replace(
      '<LEDGERBAL>',
      '<BANKTRANLISTP><STMTTRNP><DTTRAN>20260102<TRNAMT>-7<NAME>Hotel</STMTTRNP></BANKTRANLISTP><LEDGERBAL>',
    ),
  );
  expect(rows).toHaveLength(1);
  expect(detected.warnings).toMatchObject([
    { code: 'pending_transactions', message: expect.stringContaining('-7 Hotel') as string },
  ]);
});

const anyTag = fc.constantFrom(
  ...['<STMTTRN>', '</STMTTRN>', '<BUYSTOCK>', '</BUYSTOCK>', '<INVBANKTRAN>', '<TRNAMT>1', '<TOTAL>2', '<FITID>1'],
  ...['<DTPOSTED>20260101', '<DTTRADE>20260101', '<STMTRS>', '</STMTRS>', '<STATUS>', '</STATUS>', '<SECINFO>', '<!--'],
  ...['<CODE>5', '<SEVERITY>ERROR', '<![CDATA[', ']]>', '&', 'x', '<'],
);

test('any tags give rows, rejected rows or a reason, and the same in pieces of any size', async () => {
  const outcome = async (text: string, pieceBytes: number): Promise<unknown> => {
    try {
      const { rows, rejected } = await readFile(text, {}, pieceBytes);
      for (const { data } of rows) expect(Number.isFinite(Number(data.amount))).toBe(true);
      return { rows, rejected };
    } catch (error) {
      if (error instanceof FileUnreadableError) return error.code;
      throw error;
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(anyTag, { maxLength: 30 }), fc.integer({ min: 1, max: 50 }), async (tags, pieceBytes) => {
      const text = `${header}<OFX>${tags.join('')}`;
      expect(await outcome(text, pieceBytes)).toEqual(await outcome(text, 65_536));
    }),
    { numRuns: 300 },
  );
});
