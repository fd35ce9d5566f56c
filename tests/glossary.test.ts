import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { isTestCode } from './support/architecture/layout';
import { loadFiles, root } from './support/architecture/load';

const glossary = fs.readFileSync(path.join(root, 'docs/reference/glossary.md'), 'utf8');

const [words = '', replacements = ''] = glossary.split('\n## Not used\n');

/** The words that a list explains: those before the colons. */
const listed = (list: string): string[] => [...list.matchAll(/^- (.+?): /gm)].map(([, word]) => String(word));

const production = loadFiles()
  .filter((file) => !isTestCode(file.path))
  .map((file) => ({ file: file.path, text: fs.readFileSync(path.join(root, file.path), 'utf8') }));

/** The identifiers of a text, without those with underscores, which are names of the wire. */
function identifiersOf(text: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !node.text.includes('_')) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest));
  return found;
}

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');

test('the code uses every word of the glossary', () => {
  expect(listed(words).length).toBeGreaterThan(20);
  const sources = production.map(({ text }) => text.toLowerCase().replace(/[\s_-]/g, '')).join('\n');
  expect(listed(words).filter((word) => !sources.includes(word.replace(/\s/g, '')))).toEqual([]);
});

test('no identifier of the service uses a word that the glossary replaces', () => {
  const replaced = listed(replacements).flatMap((cell) => cell.split(', '));
  expect(replaced).toEqual(expect.arrayContaining(['turn', 'lane', 'patience', 'most']));
  // "At most" is plain English inside a name; a bound begins with max or min.
  const bounds = ['most', 'longest', 'fewest', 'least'];
  const isReplaced = (word: string, index: number): boolean =>
    replaced.includes(word.replace(/s$/, '')) && !(bounds.includes(word) && index > 0);
  const found = production.flatMap(({ file, text }) =>
    [...identifiersOf(text)].filter((name) => wordsOf(name).some(isReplaced)).map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('an exported type name means one thing', () => {
  const homes = new Map<string, Set<string>>();
  for (const { path: file } of loadFiles().filter((each) => !/\.test\.ts$/.test(each.path))) {
    const text = fs.readFileSync(path.join(root, file), 'utf8');
    for (const [, name = ''] of text.matchAll(/^export (?:interface|type|class|abstract class) (\w+)/gm)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file));
    }
  }
  expect([...homes].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual([]);
});
