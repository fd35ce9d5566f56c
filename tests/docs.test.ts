import fs from 'node:fs';
import path from 'node:path';
import { root } from './support/architecture/load';

const exists = (file: string): boolean => fs.existsSync(path.join(root, file));

function markdownFiles(folder: string): string[] {
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.posix.join(folder, entry.name);
    return entry.isDirectory() ? markdownFiles(file) : file.endsWith('.md') ? [file] : [];
  });
}

const pages = [...markdownFiles('docs'), ...['README.md', 'CONTRIBUTING.md'].filter(exists)];

/** Addresses of links that are not web addresses, without their anchors. */
function links(text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target));
}

/** Paths of the checkout that a text names in code style; those with placeholders or wildcards are left out. */
function namedPaths(text: string): string[] {
  return [...text.matchAll(/`((?:packages|apps|scripts|tests|prisma|docs|bench)\/[^`\s]*)`/g)]
    .map(([, named]) => named as string)
    .filter((named) => !/[*<>…{]/.test(named));
}

describe.each(pages)('%s', (page) => {
  const text = fs.readFileSync(path.join(root, page), 'utf8');

  test('links to existing pages', () => {
    expect(links(text).filter((target) => !exists(path.posix.join(path.posix.dirname(page), target)))).toEqual([]);
  });

  test('names existing files', () => {
    expect(namedPaths(text).filter((named) => !exists(named))).toEqual([]);
  });
});

test('a decision is one file whose title begins with its number', () => {
  const folder = path.join(root, 'docs/explanation/adr');
  const odd = fs
    .readdirSync(folder)
    .filter((file) => !fs.readFileSync(path.join(folder, file), 'utf8').startsWith(`# ${file.slice(0, 4)} `));
  expect(odd).toEqual([]);
});

test('every command that CONTRIBUTING.md names is a script of package.json', () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const text = fs.readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8');
  const named = [...text.matchAll(/`npm (?:run )?([a-z:]+)/g)]
    .map(([, name]) => name as string)
    .filter((name) => name !== 'ci');
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
