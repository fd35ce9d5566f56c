import fs from 'node:fs';
import path from 'node:path';
import type { Manifest } from './manifests';
import { parseFile, type ParsedFile } from './parse';

export const root = path.resolve(__dirname, '../../..');

const roots = ['packages', 'apps', 'tests', 'bench', 'scripts'];
const skipped = new Set(['node_modules', 'dist', 'generated', 'coverage']);

function* sourceFiles(folder: string): Generator<string> {
  const absolute = path.join(root, folder);
  if (!fs.existsSync(absolute)) return;
  for (const entry of fs.readdirSync(absolute, { withFileTypes: true })) {
    const file = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) yield* sourceFiles(file);
    } else if (/\.(tsx?|mts|mjs|js|cjs)$/.test(entry.name) && !entry.name.endsWith('.d.ts')) yield file;
  }
}

/** Every source file of the checkout, generated code apart. */
export function readFiles(): { path: string; text: string }[] {
  const top = fs.readdirSync(root).filter((name) => /\.(ts|mjs)$/.test(name));
  return [...top, ...roots.flatMap((folder) => [...sourceFiles(folder)])].map((file) => ({
    path: file,
    text: fs.readFileSync(path.join(root, file), 'utf8'),
  }));
}

export const loadFiles = (): ParsedFile[] => readFiles().map(({ path: file, text }) => parseFile(file, text));

/** The manifests of the root and of all workspaces. */
export function loadManifests(): Manifest[] {
  const workspaces = ['packages', 'apps'].flatMap((folder) =>
    fs.readdirSync(path.join(root, folder)).map((name) => `${folder}/${name}`),
  );
  return ['.', ...workspaces]
    .filter((workspace) => fs.existsSync(path.join(root, workspace, 'package.json')))
    .map((workspace) => {
      const json = JSON.parse(fs.readFileSync(path.join(root, workspace, 'package.json'), 'utf8')) as {
        name: string;
        dependencies?: object;
        devDependencies?: object;
      };
      return {
        workspace,
        name: json.name,
        dependencies: Object.keys(json.dependencies ?? {}),
        devDependencies: Object.keys(json.devDependencies ?? {}),
      };
    });
}
