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
