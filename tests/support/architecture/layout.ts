import { builtinModules } from 'node:module';
import path from 'node:path';

/** Folder of the workspace that a file belongs to (`packages/domain`); `.` for everything else. */
export function workspaceOf(file: string): string {
  return /^(?:packages|apps)\/[^/]+/.exec(file)?.[0] ?? '.';
}

/** Files that never run in production. */
export function isTestCode(file: string): boolean {
  return (
    /\.test\.ts$/.test(file) ||
    /^(tests|bench|packages\/testing|packages\/engine\/fuzz)\//.test(file) ||
    /^(apps|packages)\/[^/]+\/testing\//.test(file)
  );
}

/** Files that may read the environment: config modules, and what is not part of the service. */
export function mayReadEnvironment(file: string): boolean {
  const ofTests = /\.test\.ts$/.test(file) || /^(tests|bench|scripts|packages\/testing)\//.test(file);
  return ofTests || isConfigModule(file) || /^[^/]+\.config\.(ts|mjs)$/.test(file);
}

export function isConfigModule(file: string): boolean {
  return /(^|\/)([a-z-]+-)?config\.ts$/.test(file) || /\/config\/[^/]+\.ts$/.test(file);
}

const builtins = new Set(builtinModules);

export type Target =
  | { kind: 'builtin'; name: string }
  | { kind: 'package'; name: string; subpath: string }
  | { kind: 'file'; path: string };

/** Resolves a specifier: a module of Node, a package, or a path relative to the checkout (no extension). */
export function targetOf(file: string, specifier: string): Target {
  if (specifier.startsWith('.')) return { kind: 'file', path: path.posix.join(path.posix.dirname(file), specifier) };
  if (specifier.startsWith('node:')) return { kind: 'builtin', name: specifier.slice('node:'.length) };
  const parts = specifier.split('/');
  const name = parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  if (builtins.has(name)) return { kind: 'builtin', name: specifier };
  return { kind: 'package', name, subpath: specifier.slice(name.length + 1) };
}

/** The known file that an import path without extension names. */
export function resolveFile(target: string, known: ReadonlySet<string>): string | undefined {
  return [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find((candidate) => known.has(candidate));
}

const ours = '@tieout/';

/** Returns the folder of the workspace with this package name; undefined for packages of others. */
export function ownWorkspace(packageName: string): string | undefined {
  return packageName.startsWith(ours) ? `packages/${packageName.slice(ours.length)}` : undefined;
}
