import { isTestCode, ownWorkspace, targetOf, workspaceOf } from './layout';
import type { ParsedFile } from './parse';
import type { Violation } from './rules';

export interface Manifest {
  /** `packages/domain`; `.` for the root. */
  workspace: string;
  name: string;
  dependencies: readonly string[];
  devDependencies: readonly string[];
}

/** Dependencies that no source file of the workspace names, each with what needs it. */
export const neededUnnamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'packages/infra': {
    ioredis: 'bullmq loads it for redis:// URLs',
    '@prisma/client': 'the generated client imports it',
  },
  'apps/console': {
    '@types/react': 'types',
    '@types/react-dom': 'types',
  },
  '.': {
    prisma: 'command line: prisma generate',
    typescript: 'command line: tsc',
    '@types/busboy': 'types',
    '@types/express': 'types',
    '@types/jest': 'types',
    '@types/node': 'types',
    '@types/node-forge': 'types',
    '@types/pg': 'types',
    '@types/pg-copy-streams': 'types',
    '@types/supertest': 'types',
    '@types/yauzl': 'types',
    '@types/yazl': 'types',
    '@swc/core': '@swc/jest compiles with it',
    '@swc/jest': 'jest.config.ts names it as a transform',
    'esbuild-register': 'Jest loads jest.config.ts with it',
    esbuild: 'esbuild-register compiles with it',
    '@seriousme/openapi-schema-validator': 'command line: a test runs it over the OpenAPI document',
    eslint: 'command line: eslint',
    jest: 'command line: jest',
    prettier: 'command line: prettier',
  },
};

/** Workspaces that are published as one file: their dependencies are needed only to build it. */
const bundled: readonly string[] = ['packages/cli'];

/**
 * Checks both directions: a workspace declares what it imports, and imports what it declares. Tests may also import the
 * root's development dependencies and packages/testing.
 */
export function checkManifests(files: readonly ParsedFile[], manifests: readonly Manifest[]): Violation[] {
  const root = manifests.find(({ workspace }) => workspace === '.');
  const forTests = new Set([...(root?.devDependencies ?? []), ...(root?.dependencies ?? [])]);
  const imported = new Map(manifests.map(({ workspace }) => [workspace, new Set<string>()]));
  const violations: Violation[] = [];

  for (const file of files) {
    const workspace = workspaceOf(file.path);
    const manifest = manifests.find((m) => m.workspace === workspace);
    if (!manifest) continue;
    for (const { specifier, line } of file.references) {
      const target = targetOf(file.path, specifier);
      // An import that begins with # is one of the package's own, which its package.json resolves.
      if (target.kind !== 'package' || specifier.startsWith('#')) continue;
      imported.get(workspace)?.add(target.name);
      if (isTestCode(file.path) && forTests.has(target.name)) imported.get('.')?.add(target.name);
      const mayUseTools = workspace === '.' || bundled.includes(workspace) || isTestCode(file.path);
      const declared = [...manifest.dependencies, ...(mayUseTools ? manifest.devDependencies : [])];
      const allowed =
        declared.includes(target.name) ||
        target.name === manifest.name ||
        (isTestCode(file.path) && (forTests.has(target.name) || ownWorkspace(target.name) !== undefined)) ||
        (workspace === '.' && ownWorkspace(target.name) !== undefined);
      if (!allowed) {
        violations.push({
          rule: 'declared',
          where: `${file.path}:${line}`,
          message: `${target.name} is not in ${workspace}/package.json`,
        });
      }
    }
  }

  for (const { workspace, dependencies, devDependencies } of manifests) {
    for (const name of [...dependencies, ...devDependencies]) {
      if (imported.get(workspace)?.has(name) || neededUnnamed[workspace]?.[name] !== undefined) continue;
      violations.push({
        rule: 'used',
        where: `${workspace}/package.json`,
        message: `nothing in ${workspace} imports ${name}`,
      });
    }
  }
  return violations;
}
