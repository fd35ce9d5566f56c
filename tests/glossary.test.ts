import fs from 'node:fs';
import path from 'node:path';
import { isTestCode } from './support/architecture/layout';
import { loadFiles, root } from './support/architecture/load';

const glossary = fs.readFileSync(path.join(root, 'docs/reference/glossary.md'), 'utf8');

/** The first cells of the rows of a table, found by the first cell of its header. */
function firstCells(header: string): string[] {
  const table = glossary.split('\n\n').find((block) => block.startsWith(`| ${header} |`)) ?? '';
  return [...table.matchAll(/^\| ([^|]+?) \|/gm)].map(([, cell]) => String(cell)).slice(1);
}

const sources = loadFiles()
  .filter((file) => !isTestCode(file.path))
  .map((file) => fs.readFileSync(path.join(root, file.path), 'utf8'))
  .join('\n')
  .toLowerCase();

test('the code uses every word of the glossary', () => {
  const words = firstCells('Word');
  expect(words.length).toBeGreaterThan(20);
  const compact = sources.replace(/[\s_-]/g, '');
  expect(words.filter((word) => !compact.includes(word.replace(/\s/g, '')))).toEqual([]);
});
