import { details, entry, ofAccount, part } from '../../testing/camt';
import { readFile } from '../../testing/files';
import type { ReadOptions } from '../types';

const amountsAndCodes = async (content: string, options: ReadOptions = {}) => {
  const { rows, warnings } = await readFile(content, options);
  return [rows.map(({ data }) => data.amount), warnings.map(({ code }) => code)];
};

const camtOf = (...amounts: string[]): string => ofAccount(amounts.map((amount) => entry(amount, 'CRDT')).join(''));

test.each<[string[], ReadOptions, unknown[], string[]]>([
  [['1,234', '12.50'], {}, [1234, 12.5], []],
  [['1,234', '12,50'], {}, [1.234, 12.5], []],
  [['1.234', '12,50'], {}, [1234, 12.5], []],
  [['1,234,567.50', '1,234'], {}, [1234567.5, 1234], []],
  [['1.234', '12.50'], {}, [1.234, 12.5], []],
  [['1,234'], {}, [1.234], ['ambiguous_number']],
  [['1,234'], { decimalSeparator: '.' }, [1234], []],
  [['1,234', '12.50', '13,50'], {}, [1.234, 12.5, 13.5], ['ambiguous_number']],
])('amounts of camt %j with %j are read in the notation of their file', async (texts, options, amounts, codes) => {
  // The balance of the file has no decimals, and proves nothing.
  expect(await amountsAndCodes(camtOf(...texts), options)).toEqual([amounts, codes]);
});

test.each<[string, string | null]>([
  ['<Ccy>EUR</Ccy>', 'EUR'],
  ['', null],
])('an amount of camt without a currency has that of the account, and is told: %j', async (ofHead, currency) => {
  const content = camtOf('5.00').replace('<Ntry><Amt Ccy="EUR">', '<Ntry><Amt>').replace('<Ccy>EUR</Ccy>', ofHead);
  const { rows, warnings } = await readFile(content);
  expect(rows).toMatchObject([{ data: { amount: 5, currency } }]);
  expect(warnings).toMatchObject([{ code: 'currency_missing' }]);
});

test.each<[string, string, string[]]>([
  ['less than was booked', details(part('60', '<Refs><EndToEndId>E1</EndToEndId></Refs>')), ['batch_kept_whole']],
  ['more than was booked', details(part('130')), ['batch_kept_whole']],
  ['as much as was booked', details(part('100')), []],
  [
    'what its charges make up',
    `<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">3</TtlChrgsAndTaxAmt></Chrgs>${details(part('103'))}`,
    [],
  ],
  ['another currency', details(part('110', '', 'USD')), []],
  ['nothing', details('<Refs/>'), []],
])('the only transaction of an entry states %s', async (_what, rest, codes) => {
  const { rows, warnings } = await readFile(ofAccount(entry('100', 'CRDT', rest)));
  expect(rows).toMatchObject([{ data: { amount: 100, details: codes.length > 0 ? [{}] : null } }]);
  expect(warnings.map(({ code }) => code)).toEqual(codes);
});

const line = (amount: string): string => `:61:2601050105C${amount}NTRFNONREF\n:86:x\n`;
const mt940 = (...pages: [string, string, string][]): string =>
  pages
    .map(([number, opening, rest]) => `:20:X\n:25:DE89370400440532013000\n:28C:${number}\n:60${opening}\n${rest}\n-\n`)
    .join('');

test.each<[string, string, string[]]>([
  [
    'whole',
    mt940(
      ['5/1', 'F:C260101EUR1,00', `${line('5,')}:62M:C260105EUR6,00`],
      ['5/2', 'M:C260105EUR6,00', `${line('1,')}:62F:C260105EUR7,00`],
    ),
    [],
  ],
  [
    'without a page between',
    mt940(
      ['5/1', 'F:C260101EUR1,00', `${line('5,')}:62M:C260105EUR6,00`],
      ['5/3', 'M:C260105EUR9,00', `${line('1,')}:62F:C260105EUR10,00`],
    ),
    ['statement_missing'],
  ],
  [
    'without its first page',
    mt940(['5/2', 'M:C260105EUR6,00', `${line('1,')}:62F:C260105EUR7,00`]),
    ['statement_missing'],
  ],
  [
    'without its last page',
    mt940(['5/1', 'F:C260101EUR1,00', `${line('5,')}:62M:C260105EUR6,00`]),
    ['statement_missing'],
  ],
  [
    'without a day',
    mt940(
      ['5', 'F:C260101EUR1,00', `${line('5,')}:62F:C260105EUR6,00`],
      ['7', 'F:C260107EUR9,00', `${line('1,')}:62F:C260107EUR10,00`],
    ),
    ['statement_missing'],
  ],
  [
    'newest first',
    mt940(
      ['6', 'F:C260105EUR6,00', `${line('1,')}:62F:C260106EUR7,00`],
      ['5', 'F:C260101EUR1,00', `${line('5,')}:62F:C260105EUR6,00`],
    ),
    [],
  ],
])('a gap in the statements of an account is told: %s', async (_what, content, codes) => {
  expect((await readFile(content)).warnings.map(({ code }) => code)).toEqual(codes);
});

const ofx = (head: string, rest: string): string =>
  `OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS>${head}<BANKACCTFROM><ACCTID>1</BANKACCTFROM><BANKTRANLIST>` +
  `<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260105<TRNAMT>-5.00<FITID>1${rest}</STMTTRN></BANKTRANLIST></STMTRS></OFX>`;
const mt942 = (head: string): string => `:20:X\n:25:123\n:28C:5\n${head}:13D:2601051200+0100\n${line('5,')}-\n`;

test.each<[string, string, string | null]>([
  ['OFX', ofx('', ''), null],
  ['OFX with that of the account', ofx('<CURDEF>EUR', ''), 'EUR'],
  ['OFX with that of the transaction', ofx('', '<CURRENCY><CURRATE>1<CURSYM>USD</CURRENCY>'), 'USD'],
  ['MT940 without an opening balance', `:20:X\n:25:123\n:28C:5\n${line('5,')}-\n`, null],
  ['MT940', mt940(['5', 'F:C260101EUR1,00', `${line('5,')}:62F:C260105EUR6,00`]), 'EUR'],
  ['MT942', mt942(''), null],
  ['MT942 with a floor limit', mt942(':34F:EUR0,\n'), 'EUR'],
])('a transaction is told if no currency is known of it: %s', async (_what, content, currency) => {
  const { rows, warnings } = await readFile(content);
  expect(rows).toMatchObject([{ data: { currency } }]);
  const told = warnings.filter(({ code }) => code === 'currency_missing');
  expect(told.map(({ message }) => /currencyKeyLeft/.test(message))).toEqual(currency === null ? [true] : []);
});

test.each<[string, unknown, string[]]>([
  ['C260101EUR1,00', 1234, []],
  ['C260101EUR1', 1.234, ['ambiguous_number']],
])(
  'an amount of MT940 with a point is read in the notation of its file: balance %s',
  async (opening, amount, codes) => {
    expect(await amountsAndCodes(mt940(['5', `F:${opening}`, line('1.234')]))).toEqual([
      [amount],
      [...codes, 'closing_balance_missing'],
    ]);
  },
);
