import { bytesSource, readFile, readFrom } from '../../testing/files';
import { plainRows, workbookOf } from '../../testing/workbook';

const table = (...lines: string[]): string => `${['Datum;Text;Betrag', ...lines].join('\n')}\n`;
const rows = ['06.01.2026;A;-12,50', '15.01.2026;B;5,00'];

const footers: [string, string[]][] = [
  ['Anfangssaldo;;100,00 EUR', ['Anfangssaldo;;100,00 EUR', 'Endsaldo;;92,50 EUR']],
  ['a closing balance', ['Closing balance;;92,50']],
  ['a balance behind an empty date', [';Closing balance;92,50']],
  ['a total of sums', ['Soma total:;;-7,50']],
  ['a number of records', ['Records: 2']],
  ['a total for an account', ['Total for Girokonto;;-7,50']],
  ['a balance behind its date, without amount', ['31.01.2026;Endsaldo;']],
  ['a total behind an empty date', [';Total;-7,50']],
  ['a total in capitals', ['TOTAL GENERAL:;;-7,50']],
  ['a total in its own cell', ['Total: -7,50 EUR']],
  ['debits and credits', ['Summe Soll;;-12,50', 'Summe Haben;;5,00']],
  ['an old and a new balance', ['Alter Saldo vom 01.01.2026;;100,00', 'Neuer Saldo;;92,50']],
  ['Kontostand', ['Kontostand am 31.01.2026;;92,50']],
  ['Saldo final', [';;', 'Saldo final;;92,50']],
  ['a count', ['Anzahl Buchungen: 2', '', 'Gesamt;;-7,50']],
  ['a line and a total', ['-----;-----;-----', 'Total;;-7,50', '=====;=====;=====']],
  ['a sum without a label', [';;-7,50']],
  ...['Summa', 'Insgesamt', 'Ukupno', 'C/F', '小計', 'Sve skupa', 'Net movement', 'Σ'].map(
    (label): [string, string[]] => [`a sum called ${label}`, [`;${label};-7,50`]],
  ),
  ['a sum below a subtotal', [';Mellansumma;-7,50', ';Allt;-7,50']],
  ['sentences', ['Disclaimer: no warranty;;', 'Generated on 5 February by the bank;;']],
  ['sentences without delimiters', ['End of report', 'Generated on 2026-02-05 by Bank']],
  ['a sentence with a delimiter', ['Generated on 5 February; 2026']],
  ['stars', ['*** end of report ***']],
  ['what a database says', ['(2 rows affected)']],
  ['a page', ['Seite 1 von 2']],
  ['a total and a note', ['Summe;;-7,50', 'Alle Angaben ohne Gewähr']],
  ['a note of several lines', ['Hinweis: ohne Gewähr', 'Musterbank AG', 'Berlin']],
];

test.each(footers)('clear totals and notes below a table are left out, and told: %s', async (_what, below) => {
  const { detected, rows: read, warnings } = await readFile(table(...rows, ...below));
  expect(detected.types).toEqual({ Datum: 'date', Text: 'string', Betrag: 'amount' });
  expect(detected.dateFormats).toEqual({ Datum: 'DD.MM.YYYY' });
  expect(read.map(({ line }) => line)).toEqual([2, 3]);
  expect(warnings).toMatchObject([{ code: 'footer_skipped' }]);
  const last = below.findLastIndex((line) => /[^-=;]/.test(line));
  expect(warnings[0]?.message).toMatch(new RegExp(`^Lines? .*\\b${4 + last} below `, 's'));
});

test.each(footers)('footer=false keeps all rows below a table: %s', async (_what, below) => {
  const { rows: read, warnings } = await readFile(table(...rows, ...below), { footer: false });
  expect(read).toHaveLength(2 + below.filter((line) => /[^-=;]/.test(line)).length);
  expect(warnings).toEqual([]);
});

test.each<[string, string]>([
  ['a label whose sum is another', 'Text;Betrag\nA;-12,50\nB;5,00\nSumme;-8,50\n'],
  ['a row without amount', table(...rows, '16.01.2026;Total Energies;')],
  [
    'a label beside a missing date of value',
    'B;V;T;A\n1.1.2026;2.1.2026;A;1,5\n1.1.2026;2.1.2026;B;2,5\n3.1.2026;;Total;9,5\n',
  ],
  ['a name', 'Name;Ort;Betrag\nA;B;1,00\nC;D;2,00\nCarl Otto;;\n'],
  ['a long name', 'Name;Ort;Betrag\nA;B;1,00\nC;D;2,00\nRest of the open items of last year;;\n'],
  ['an amount without the date of the others', table(...rows, ';Sve skupa;8,00')],
  ['whole numbers without the date of the others', 'D;N;T\n1.1.2026;1;a\n2.1.2026;2;b\n;3;c\n'],
])('a doubtful row at the end stays, is told, and footer=true leaves it out: %s', async (_what, content) => {
  const { rows: read, warnings } = await readFile(content);
  expect(read).toHaveLength(3);
  expect(warnings.map(({ code }) => code)).toEqual(['totals']);
  const again = await readFile(content, { footer: true });
  expect([again.rows.length, again.warnings.map(({ code }) => code)]).toEqual([2, ['footer_skipped']]);
});

test.each<[string, string]>([
  ['an opening balance above the rows', table(';Opening balance;100,00', ...rows)],
  [
    'a dated balance above the rows',
    'D,T,A,B\n1.1.2026,Opening balance,,9.00\n2.1.2026,A,1.00,10.00\n3.1.2026,B,1.00,11.00\n',
  ],
  [
    'balances of days',
    'D;T;A;B\n1.1.2026;A;-1,5;\n1.1.2026;SALDO DO DIA;;8,5\n2.1.2026;B;1,0;\n2.1.2026;SALDO DO DIA;;9,5\n',
  ],
  [
    'spaced letters',
    'D,O,T,A\n1.1.2026,1,A,1.50\n2.1.2026,2,B,2.50\n3.1.2026,1,C,2.50\n4.1.2026,,S A L D O,6.00\n5.1.2026,1,D,9.00\n',
  ],
  ['pages between the rows', table(...rows, 'Seite 1;;', ...rows, ...rows)],
  ['a balance without the date of the others', table(';B/F;100,00', ...rows, ...rows)],
  ['a sum without the date of the others', table(...rows, ';Mellan;-7,50', '16.01.2026;C;1,00', '17.01.2026;D;2,00')],
  ['a dated sum of all rows', table(...rows, ...rows, '31.01.2026;Allt;-15,00')],
  ['a sum of all rows in a table of two columns', 'Text;Betrag\na;1,50\nb;2,50\nc;3,00\nAllt;7,00\n'],
  ['subtotals between the rows', table(...rows, 'Zwischensumme;;-7,50', ...rows, ...rows)],
])('a total in another place stays, and is told: %s', async (_what, content) => {
  const { rows: read, warnings } = await readFile(content);
  expect(read).toHaveLength(content.trim().split('\n').length - 1);
  expect(warnings.map(({ code }) => code)).toEqual(['totals']);
});

test.each<[string, string]>([
  ['a name that begins like a label', table(...rows, '16.01.2026;Total Energies;3,00')],
  ['a label in a full row', table(...rows, '16.01.2026;Total;3,00')],
  ['a column that is seldom filled', table(...rows, '16.01.2026;;3,00')],
  ['a shop', 'Text;Betrag\nA;-12,50\nB;5,00\nBalance Shoes;7,50\n'],
  ['a sum without the word of the others', 'Kind;Item;Amount\nFood;Bread;100,00\nFood;Milk;50,00\n;Other;150,00\n'],
  ['names alone', 'name;note\nAnna Maria;x\nBert Meier;\n'],
  ['rows of one cell', 'name;city;note\nAnna Maria;;\nBert Meier;;x\nCarl Otto;;\n'],
])('a row like the others is no total: %s', async (_what, content) => {
  const { rows: read, warnings } = await readFile(content);
  expect(read).toHaveLength(content.trim().split('\n').length - 1);
  expect(warnings.filter(({ code }) => code === 'totals' || code === 'footer_skipped')).toEqual([]);
});

test.each(['Total', 'Saldo', 'Opening balance'])(
  'a dated row with an amount in a column that few rows fill stays, whatever it is called: %s',
  async (text) => {
    const debits = Array.from(
      { length: 30 },
      (_, i) => `${String(i + 1).padStart(2, '0')}.01.2026;Shop ${i};${i + 1},50;`,
    );
    const lines = ['Datum;Text;Soll;Haben', ...debits, `31.01.2026;${text};;75,00`];
    const { rows: read } = await readFile(`${lines.join('\n')}\n`);
    expect(read).toHaveLength(31);
  },
);

test('a label behind a sum is one of a total', async () => {
  const { rows: read } = await readFile('Amount;Date;Text\n1,00;01.01.2026;a\n2,00;02.01.2026;b\n3,00;;Total\n');
  expect(read).toHaveLength(2);
});

test('a footer of a workbook is left out', async () => {
  const sheet = plainRows([
    ['Date', 'Text', 'Amount'],
    ['2026-01-06', 'A', -12.5],
    ['2026-01-15', 'B', 5],
    ['Total', null, -7.5],
  ]);
  const { rows: read, warnings } = await readFile(workbookOf({ sheets: [{ name: 'S', rows: sheet }] }));
  expect(read).toHaveLength(2);
  expect(warnings).toMatchObject([{ code: 'footer_skipped', count: 1 }]);
});

test('a footer far behind the sample is left out, from whatever position reading resumes', async () => {
  const many = Array.from({ length: 40_000 }, (_, index) => `06.01.2026;Text number ${index};${index},50`);
  const bytes = Buffer.from(table(...many, 'Total;;1,00', 'Generated on 5 February'));
  const { detected, rows: read, positions, warnings } = await readFile(bytes);
  expect(read).toHaveLength(many.length);
  expect(warnings).toMatchObject([{ code: 'footer_skipped', count: 2 }]);
  expect(positions.length).toBeGreaterThan(2);
  for (const position of positions.slice(0, -1)) {
    const rest = await readFrom(bytesSource(bytes), detected, position);
    expect(rest.rows).toHaveLength(many.length - position.line + 2);
    expect(rest.warnings).toMatchObject([{ code: 'footer_skipped', count: 2 }]);
  }
});
