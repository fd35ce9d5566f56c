import { readFile } from '../../testing/files';

test.each<[string, string]>([
  ['program code', "const a = require('fs');\nfunction f(x, y) {\n  return x + y;\n}\nmodule.exports = { f, a };\n"],
  ['program code', 'import os, sys\ndef f(a, b):\n    return a + b\n\nif x:\n    print(f(1, 2))\n'],
  ['program code', 'a { color: red; }\nb { color: blue; margin: 0; }\n.c { padding: 1px; }\n'],
  ['program code', 'public class A {\n  private int x = 1;\n  public int get() { return x; }\n}\n'],
  ['a program', '<?php\n$a = 1;\necho $a, "b";\n'],
  ['a patch', '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n-a\n+b\n'],
  ['a list of web addresses', 'https://example.com/a?x=1&y=2\nhttps://example.com/b\n'],
  ['share no columns', 'First we went home; then we ate; it was good.\nLater it rained; nobody cared; we slept.\n'],
  ['share no columns', 'a: 1\nb:\n  - c\n  - d\n'],
  ['share no columns', 'Invoice 123\nAcme GmbH, Berlin\nTotal: 12,50 EUR\n'],
  ['share no columns', 'Invoice 123\nAcme GmbH\nTotal: 12.50 EUR\n'],
  ['share no columns', 'Rechnung 2026-1\nKunde: Meier, Hans\nSumme: 100,00 EUR\nBitte bis 01.02.2026 zahlen.\n'],
  ['share no columns', 'Dear customer\nyour invoice of 12,50 EUR\nis due on 01.02.2026\nAcme GmbH\n'],
  ['share no columns', '12,50 Miete\n13,75 Strom\n'],
  ['share no columns', 'Hallo Hans,\nhier die 12,50 EUR für März.\nGruß, Eva\n'],
  ['share no columns', 'Corner Shop\n123 Main St, Springfield\nMilk 1.29\nBread 2.49\nTotal 3.78\n'],
  [
    'fixed positions',
    'ACME GMBH           BERLIN    0000012550EUR20260101\nBETA AG             PARIS     0000099950EUR20260102\n',
  ],
  ['fixed positions', '2026010112345678900000012550EUR0001\n2026010212345678900000099950EUR0002\n'],
])('text that is no table is refused by name: %s', async (name, content) => {
  await expect(readFile(content)).rejects.toMatchObject({
    code: 'not_a_table',
    message: expect.stringContaining(name) as string,
  });
});

test.each([
  'id;code;\n1;a {b};\n2;c {d};\n',
  'name,note\nx,"{\n}"\ny,"{\n}"\n',
  'url,n\nhttps://a.de/x,1\nhttps://a.de/y,2\n',
  'if;class\n1;a\n2;b\n',
])('a table with signs of code is a table: %j', async (content) => {
  expect((await readFile(content)).rows).toHaveLength(2);
});

test.each([
  'name, city\nAcme, Berlin\nBeta\nGamma, Rom\n',
  'date, text, amount\n2026-01-01, Acme, 12.50\n2026-01-02, Beta, 13.50\n2026-01-03, C, 1.00\n',
  'IBAN\nDE02120300000000202051\nMT84MALT011000012345MTLCAST001S\nFR7630006000011234567890189\n',
  'hash\n9f86d081884c7d659a2feaa0c55ad015\ne3b0c44298fc1c149afbf4c8996fb924\n60303ae22b998861bce3b28f33eec1be\n',
])('tables and lists that look like other texts are read: %j', async (content) => {
  expect((await readFile(content)).rows).toHaveLength(3);
});

test.each(['\u0001', '\u0002', '\u001f'])('a control character between cells is the delimiter: %j', async (mark) => {
  const rows = Array.from({ length: 300 }, (_, at) => ['2026-01-13', `text ${at}`, '1.50'].join(mark));
  const { detected, rows: read } = await readFile([['date', 'text', 'amount'].join(mark), ...rows].join('\n'));
  expect([detected.delimiter, detected.headers, read.length]).toEqual([mark, ['date', 'text', 'amount'], 300]);
});

test('one text on each line, without a name, is read and doubted', async () => {
  const { rows, warnings } = await readFile('Roses are red\nViolets are blue\nSugar is sweet\n');
  expect(rows).toHaveLength(2);
  expect(warnings.map(({ code }) => code)).toEqual(['reading_uncertain']);
});

test('lines of stars are drawn lines', async () => {
  const { rows, detected } = await readFile(
    'Date,Narration,Amount\n********,**********,******\n13/04/2026,A,5.00\n14/04/2026,B,6.00\n****,****,****\n',
  );
  expect([rows.length, detected.types]).toEqual([2, { Date: 'date', Narration: 'string', Amount: 'amount' }]);
});
