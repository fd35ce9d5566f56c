import fs from 'node:fs';
import path from 'node:path';
import { findCycles } from './support/architecture/cycles';
import { isTestCode } from './support/architecture/layout';
import { loadFiles, loadManifests, root } from './support/architecture/load';
import { checkManifests, neededUnnamed, type Manifest } from './support/architecture/manifests';
import { parseFile } from './support/architecture/parse';
import { checkFiles, type Violation } from './support/architecture/rules';
import { sortedCasts } from './support/architecture/sorted-casts';

const lines = (violations: readonly Violation[]): string[] =>
  violations.map(({ rule, where, message }) => `${rule}: ${where}: ${message}`);

describe('the checkout', () => {
  const files = loadFiles();
  const manifests = loadManifests();

  test('the check sees all workspaces', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(manifests.map((m) => m.workspace).sort()).toEqual(
      expect.arrayContaining([
        '.',
        'apps/api',
        'apps/dashboard',
        'packages/domain',
        'packages/engine',
        'packages/infra',
        'packages/testing',
      ]),
    );
  });

  test('every import keeps the dependency rules', () => {
    expect(lines(checkFiles(files))).toEqual([]);
  });

  test('no file of the service imports itself through others', () => {
    expect(findCycles(files.filter((file) => !isTestCode(file.path)))).toEqual([]);
  });

  test('no statement sorts rows by the text of a column that an index has in order', () => {
    const service = files.filter(({ path: file }) => /^(packages|apps)\//.test(file) && !isTestCode(file));
    const found = service.flatMap(({ path: file }) =>
      sortedCasts(fs.readFileSync(path.join(root, file), 'utf8')).map((order) => `${file}: ${order}`),
    );
    expect(found).toEqual([]);
  });

  test('every workspace declares what it imports and imports what it declares', () => {
    expect(lines(checkManifests(files, manifests))).toEqual([]);
  });

  test('every exception for an unnamed dependency is still one', () => {
    const stale = Object.entries(neededUnnamed).flatMap(([workspace, names]) => {
      const manifest = manifests.find((m) => m.workspace === workspace);
      const declared = new Set([...(manifest?.dependencies ?? []), ...(manifest?.devDependencies ?? [])]);
      return Object.keys(names)
        .filter((name) => !declared.has(name))
        .map((name) => `${workspace}: ${name}`);
    });
    expect(stale).toEqual([]);
  });
});

describe('the checker', () => {
  test('finds a statement that sorts rows by the text of an id', () => {
    const statement = (order: string): string => '`select id::text as id from records order by ' + order + ' limit 1`';
    expect(['dataset_id, id desc', 'records.id', 'dataset_id'].map((order) => sortedCasts(statement(order)))).toEqual([
      ['order by dataset_id, id desc limit 1'],
      [],
      [],
    ]);
  });

  /** The rules that a file with this text would break. */
  const broken = (path: string, text: string): string[] => checkFiles([parseFile(path, text)]).map(({ rule }) => rule);

  test.each([
    ['an app imports the engine', 'apps/api/src/a.ts', `import { x } from '@tieout/engine';`, 'layers'],
    ['an app imports another app', 'apps/api/src/a.ts', `export * from '@tieout/dashboard';`, 'layers'],
    [
      'an app reaches another app by path',
      'apps/api/src/a.ts',
      `import { x } from '../../dashboard/src/app';`,
      'layers',
    ],
    ['the engine imports infra', 'packages/engine/src/a.ts', `import { x } from '@tieout/infra';`, 'layers'],
    [
      'the engine imports a type of infra',
      'packages/engine/src/a.ts',
      `import type { X } from '@tieout/infra';`,
      'layers',
    ],
    ['formats import infra', 'packages/formats/src/a.ts', `import { x } from '@tieout/infra';`, 'layers'],
    ['an app imports formats', 'apps/api/src/a.ts', `import { x } from '@tieout/formats';`, 'layers'],
    ['infra imports domain', 'packages/infra/src/a.ts', `const d = await import('@tieout/domain');`, 'layers'],
    [
      'infra imports the engine inside a type',
      'packages/infra/src/a.ts',
      `type X = import('@tieout/engine').X;`,
      'layers',
    ],
    ['domain imports an app', 'packages/domain/src/a.ts', `import { x } from '../../../apps/api/src/a';`, 'layers'],
    [
      'a package is reached past its index',
      'apps/api/src/a.ts',
      `import { x } from '@tieout/domain/dist/records';`,
      'package index',
    ],
    ['production code uses test tools', 'apps/api/src/a.ts', `import { x } from '@tieout/testing';`, 'test tools'],
    [
      'a feature reaches into another',
      'packages/domain/src/data/records/a.ts',
      `import { x } from '../datasets/fields';`,
      'feature index',
    ],
    [
      'a nested file reaches into another feature',
      'packages/domain/src/data/records/deep/a.ts',
      `import { x } from '../../datasets/fields';`,
      'feature index',
    ],
    [
      'a lower group of domain imports a higher one',
      'packages/domain/src/data/records/a.ts',
      `import { x } from '../../results/matches';`,
      'folder order',
    ],
    [
      'a lower group of domain imports a type of a higher one',
      'packages/domain/src/kernel/a.ts',
      `import type { X } from '../rules/evaluation';`,
      'folder order',
    ],
    [
      'matching imports the upper part of billing',
      'packages/domain/src/matching/jobs/a.ts',
      `import type { X } from '../../billing/usage';`,
      'folder order',
    ],
    [
      'a lower folder of matching imports a type of a higher one',
      'packages/domain/src/matching/plan/a.ts',
      `import type { X } from '../batch/batch';`,
      'folder order',
    ],
    [
      'a group of domain imports the index of the package',
      'packages/domain/src/operations/a.ts',
      `import { x } from '..';`,
      'folder order',
    ],
    ['an app imports Prisma', 'apps/api/src/a.ts', `import { PrismaClient } from '@prisma/client';`, 'homes'],
    ['an app takes Prisma from infra', 'apps/api/src/a.ts', `import { Prisma } from '@tieout/infra';`, 'homes'],
    ['domain imports bullmq', 'packages/domain/src/a.ts', `import { Queue } from 'bullmq';`, 'homes'],
    [
      'infra imports bullmq outside its queue folder',
      'packages/infra/src/a.ts',
      `import { Queue } from 'bullmq';`,
      'homes',
    ],
    [
      'the queue reaches into the wire protocol of the database',
      'packages/infra/src/queue/a.ts',
      `import { socketOf } from '../db/wire/driver';`,
      'wire protocol',
    ],
    [
      'the engine imports jsonata outside expression',
      'packages/engine/src/rule-set/a.ts',
      `import jsonata from 'jsonata';`,
      'homes',
    ],
    [
      'a lower folder of the engine imports a type of a higher one',
      'packages/engine/src/pairs/a.ts',
      `import type { X } from '../rule-set/compile';`,
      'folder order',
    ],
    ['domain counts past the catalog', 'packages/domain/src/a.ts', `import { Counter } from 'prom-client';`, 'homes'],
    ['a worker imports express', 'apps/ingest-worker/src/a.ts', `import express = require('express');`, 'homes'],
    ['the engine reads a file', 'packages/engine/src/a.ts', `import fs from 'node:fs';`, 'pure engine'],
    [
      'the engine loads a module of Node without prefix',
      'packages/engine/src/a.ts',
      `const c = require('crypto');`,
      'pure engine',
    ],
    ['the engine reads the clock', 'packages/engine/src/a.ts', `export const now = () => Date.now();`, 'pure engine'],
    [
      'the engine makes the current date',
      'packages/engine/src/a.ts',
      `export const now = () => new Date();`,
      'pure engine',
    ],
    ['the engine throws dice', 'packages/engine/src/a.ts', `export const r = [Math.random];`, 'pure engine'],
    [
      'the engine takes random bytes',
      'packages/engine/src/a.ts',
      `export const id = crypto.randomUUID();`,
      'pure engine',
    ],
    ['the engine knows its process', 'packages/engine/src/a.ts', `process.exit(1);`, 'pure engine'],
    ['domain sends requests past the guard', 'packages/domain/src/a.ts', `import axios from 'axios';`, 'homes'],
    ['the environment is read', 'packages/domain/src/a.ts', `const url = process.env.URL;`, 'environment'],
    ['the environment is read by index', 'packages/domain/src/a.ts', `const url = process['env'];`, 'environment'],
    ['the environment is taken out of process', 'packages/domain/src/a.ts', `const { env } = process;`, 'environment'],
    ['the environment is imported', 'apps/api/src/a.ts', `import { env } from 'node:process';`, 'environment'],
  ])('notices that %s', (_title, path, text, rule) => {
    expect(broken(path, text)).toEqual([rule]);
  });

  test.each([
    [
      'an app imports domain and infra',
      'apps/api/src/a.ts',
      `import { x } from '@tieout/domain'; import { y } from '@tieout/infra';`,
    ],
    [
      'domain imports engine, formats, infra and its own files',
      'packages/domain/src/data/records/a.ts',
      `import '@tieout/engine'; import '@tieout/formats';
       import { Prisma } from '@tieout/infra'; import { x } from './b';`,
    ],
    [
      'a feature uses another through its index',
      'packages/domain/src/data/records/a.ts',
      `import { x } from '../datasets'; import { y } from '../../kernel/scope';`,
    ],
    [
      'matching imports the ledger of billing, which lies below it',
      'packages/domain/src/matching/jobs/a.ts',
      `import { x } from '../../billing/ledger';`,
    ],
    ['a test uses test tools', 'apps/api/src/a.int.test.ts', `import { x } from '@tieout/testing';`],
    [
      'a config module reads the environment',
      'apps/api/src/config.ts',
      `export const read = (env = process.env) => env;`,
    ],
    [
      'the engine computes with given dates',
      'packages/engine/src/a.ts',
      `const d = new Date(0); const m = Math.max(1, 2); const u = Date.UTC(2026, 1);`,
    ],
    ['a name hides a global', 'packages/engine/src/a.ts', `export function run(process: () => void) { process(); }`],
    [
      'a member is called like a global',
      'packages/engine/src/a.ts',
      `export const f = (job: { process(): void }) => job.process(); interface P { process: 1 }`,
    ],
    [
      'a comment and a string mention what is forbidden',
      'packages/engine/src/a.ts',
      `// import fs from 'node:fs'\nexport const s = "import fs from 'node:fs'; process.env";`,
    ],
  ])('accepts that %s', (_title, path, text) => {
    expect(broken(path, text)).toEqual([]);
  });

  test('a violation names its file and line', () => {
    expect(
      lines(checkFiles([parseFile('packages/domain/src/a.ts', `const a = 1;\n\nimport { Queue } from 'bullmq';`)])),
    ).toEqual([
      'homes: packages/domain/src/a.ts:3: bullmq is imported in packages/infra/src/queue and apps/dashboard only',
    ]);
  });

  describe('cycles', () => {
    const parse = (sources: Record<string, string>) =>
      Object.entries(sources).map(([path, text]) => parseFile(path, text));

    test('finds files that load each other, also through an index and another package', () => {
      const files = parse({
        'packages/infra/src/index.ts': `export * from './a';`,
        'packages/infra/src/a.ts': `import { b } from '@tieout/domain';`,
        'packages/domain/src/index.ts': `export { b } from './feature';`,
        'packages/domain/src/feature/index.ts': `import { a } from '@tieout/infra';`,
        'packages/domain/src/alone.ts': `import { a } from '@tieout/infra';`,
      });
      expect(findCycles(files)).toEqual([
        [
          'packages/domain/src/feature/index.ts',
          'packages/domain/src/index.ts',
          'packages/infra/src/a.ts',
          'packages/infra/src/index.ts',
        ],
      ]);
    });

    test('finds a file that imports itself', () => {
      expect(findCycles(parse({ 'apps/api/src/a.ts': `import { a } from './a';` }))).toEqual([['apps/api/src/a.ts']]);
    });

    test('counts imports of types', () => {
      const files = parse({
        'apps/api/src/a.ts': `import type { B } from './b';\nimport { type C } from './b';`,
        'apps/api/src/b.ts': `import { a } from './a';`,
      });
      expect(findCycles(files)).toEqual([['apps/api/src/a.ts', 'apps/api/src/b.ts']]);
    });
  });

  describe('manifests', () => {
    const manifest = (workspace: string, dependencies: string[], devDependencies: string[] = []): Manifest => ({
      workspace,
      name: workspace === '.' ? 'tieout-repository' : `@tieout/${workspace.split('/')[1]}`,
      dependencies,
      devDependencies,
    });
    const check = (path: string, text: string, manifests: Manifest[]) =>
      lines(checkManifests([parseFile(path, text)], manifests));

    test('finds an import that the workspace does not declare, also when the root does', () => {
      expect(
        check('apps/api/src/a.ts', `import axios from 'axios';`, [manifest('.', []), manifest('apps/api', [])]),
      ).toEqual(['declared: apps/api/src/a.ts:1: axios is not in apps/api/package.json']);
      expect(
        check('apps/api/src/a.ts', `import axios from 'axios/lib/core';`, [
          manifest('.', [], ['axios']),
          manifest('apps/api', []),
        ]),
      ).toContain('declared: apps/api/src/a.ts:1: axios is not in apps/api/package.json');
    });

    test('finds a dependency that nothing imports', () => {
      expect(check('apps/api/src/a.ts', `import 'helmet';`, [manifest('apps/api', ['helmet', 'express'])])).toEqual([
        'used: apps/api/package.json: nothing in apps/api imports express',
      ]);
    });

    test('lets a test import what the root declares for development', () => {
      expect(
        check('apps/api/src/a.test.ts', `import 'supertest';`, [
          manifest('.', [], ['supertest']),
          manifest('apps/api', []),
        ]),
      ).toEqual([]);
    });
  });
});
