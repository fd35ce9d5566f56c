import { readFile } from '../../testing/files';

const table = (...lines: string[]): string => `${['Datum;Text;Betrag', ...lines].join('\n')}\n`;
const rows = ['06.01.2026;A;-12,50', '15.01.2026;B;5,00'];

test.each<[string, string[]]>([
  ['Anfangssaldo;;100,00 EUR', ['Anfangssaldo;;100,00 EUR', 'Endsaldo;;92,50 EUR']],
  ['a closing balance', ['Closing balance;;92,50']],
  ['a balance behind an empty date', [';Closing balance;92,50']],
  ['a total behind an empty date', [';Total;-7,50']],
  ['a total in capitals', ['TOTAL GENERAL:;;-7,50']],
  ['an old and a new balance', ['Alter Saldo vom 01.01.2026;;100,00', 'Neuer Saldo;;92,50']],
  ['Kontostand', ['Kontostand am 31.01.2026;;92,50']],
  ['Saldo final', [';;', 'Saldo final;;92,50']],
  ['a sum without a label', [';;-7,50']],
  ['sentences', ['Disclaimer: no warranty;;', 'Generated on 5 February by the bank;;']],
  ['sentences without delimiters', ['End of report', 'Generated on 2026-02-05 by Bank']],
  ['a page', ['Seite 1 von 2']],
  ['a total and a note', ['Summe;;-7,50', 'Alle Angaben ohne Gewähr']],
])('rows below a table prove no types, and are told: %s', async (_what, below) => {
  const { detected } = await readFile(table(...rows, ...below));
  expect(detected.types).toEqual({ Datum: 'date', Text: 'string', Betrag: 'amount' });
  expect(detected.warnings?.map(({ code }) => code)).toEqual(['totals']);
});

test.each<[string, string]>([
  ['two columns', 'Text;Betrag\nA;-12,50\nB;5,00\nSumme;-7,50\n'],
  ['two columns, in capitals', 'Text;Betrag\nA;-12,50\nB;5,00\nTOTAL GENERAL:;-7,50\n'],
  ['an opening balance above the rows', table(';Opening balance;100,00', ...rows)],
  ['a balance on either side', table(';Opening balance;100,00', ...rows, ';Closing balance;92,50')],
])('a total in another place is told: %s', async (_what, content) => {
  const { detected } = await readFile(content);
  expect(detected.warnings?.map(({ code }) => code)).toEqual(['totals']);
});

test.each<[string, string]>([
  ['a name that begins like a label', table(...rows, '16.01.2026;Total Energies;3,00')],
  ['a label in a full row', table(...rows, '16.01.2026;Total;3,00')],
  ['a column that is seldom filled', table(...rows, '16.01.2026;;3,00')],
  ['a shop', 'Text;Betrag\nA;-12,50\nB;5,00\nBalance Shoes;7,50\n'],
  ['names alone', 'name;note\nAnna Maria;x\nBert Meier;\n'],
  ['rows of one cell', 'name;city;note\nAnna Maria;;\nBert Meier;;x\nCarl Otto;;\n'],
])('a row like the others is no total: %s', async (_what, content) => {
  const { detected } = await readFile(content);
  expect(detected.warnings?.map(({ code }) => code)).not.toContain('totals');
});
