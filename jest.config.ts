/** @jest-config-loader esbuild-register */
import type { Config } from 'jest';

type Project = NonNullable<Exclude<NonNullable<Config['projects']>[number], string>>;

const shared: Project = {
  rootDir: __dirname,
  testEnvironment: 'node',
  setupFiles: ['<rootDir>/tests/support/property-seed.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' }, keepClassNames: true },
        module: { type: 'commonjs' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: { '^@tieout/([^/]+)$': '<rootDir>/packages/$1/src' },
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};

const notUnit = ['\\.int\\.test\\.ts$', '\\.e2e\\.test\\.ts$'];

/**
 * Three kinds of test, told apart by file name:
 * - `*.test.ts` beside the source: no database, no network;
 * - `*.int.test.ts` beside the source: real PostgreSQL and a real queue;
 * - `tests/**\/*.e2e.test.ts`: the built processes, driven over HTTP.
 * The last two need what `npm test` or `node scripts/test-server.mjs` provides.
 */
const config: Config = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,apps,tests,scripts}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', ...notUnit],
    },
    {
      ...shared,
      displayName: 'integration',
      testMatch: ['<rootDir>/{packages,apps,tests,scripts}/**/*.int.test.ts'],
    },
    {
      ...shared,
      displayName: 'e2e',
      testMatch: ['<rootDir>/tests/**/*.e2e.test.ts'],
    },
  ],
  // Jest takes this one from the top level only, for every project.
  testTimeout: 60_000,
  // Most of the time a test waits for a database or another process.
  maxWorkers: '100%',
};

export default config;
