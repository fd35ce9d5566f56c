import { readFile } from '../testing/files';

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

test('declarations and unknown entities stay as they are', async () => {
  const { rows } = await readFile(
    `<!DOCTYPE x [<!ENTITY a "aaaa">]>\n${header}`.replace(/^.*\n/, '') +
      '<OFX><STMTTRN><TRNAMT>1<MEMO>&a;&lt;</STMTTRN>',
  );
  expect(rows[0]?.data.memo).toBe('&a;<');
});
