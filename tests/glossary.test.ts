import fs from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { isTestCode } from './support/architecture/layout';
import { readFiles, root } from './support/architecture/load';

const glossary = fs.readFileSync(path.join(root, 'docs/reference/glossary.md'), 'utf8');

const [words = '', replacements = ''] = glossary.split('\n## Not used\n');

/** The words that a list explains: those before the colons. */
const listed = (list: string): string[] => [...list.matchAll(/^- (.+?): /gm)].map(([, word]) => String(word));

const files = readFiles();
const production = files.filter((file) => !isTestCode(file.path));

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
  const hasReplaced = (name: string): boolean => wordsOf(name).some(isReplaced);
  // A name in a comment or a text is none of the code, which only parsing shows.
  const found = production
    .filter(({ text }) => [...new Set(text.match(/[A-Za-z_$][\w$]*/g))].some(hasReplaced))
    .flatMap(({ path: file, text }) => [...identifiersOf(text)].filter(hasReplaced).map((name) => `${file}: ${name}`));
  expect(found).toEqual([]);
});

test('an exported type name means one thing', () => {
  const homes = new Map<string, Set<string>>();
  for (const { path: file, text } of files.filter((each) => !/\.test\.ts$/.test(each.path))) {
    for (const [, name = ''] of text.matchAll(/^export (?:interface|type|class|abstract class) (\w+)/gm)) {
      homes.set(name, (homes.get(name) ?? new Set()).add(file));
    }
  }
  expect([...homes].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual([]);
});
