/** @jest-config-loader esbuild-register */
import { availableParallelism } from 'node:os';
import type { Config } from 'jest';

type Project = NonNullable<Exclude<NonNullable<Config['projects']>[number], string>>;

const propertySeed = '<rootDir>/tests/support/property-seed.ts';

/** Packages without a build that Jest can require. */
const esModules = '(openid-client|oauth4webapi|jose)';

const compiled = (syntax: 'typescript' | 'ecmascript'): [string, Record<string, unknown>] => [
  '@swc/jest',
  {
    jsc: { target: 'es2023', parser: { syntax }, keepClassNames: true },
    module: { type: 'commonjs' },
    sourceMaps: 'inline',
  },
];

const shared: Project = {
  // One id for all projects: they share the cache of compiled sources.
  id: 'tieout',
  rootDir: __dirname,
  roots: ['packages', 'apps', 'tests', 'scripts'].map((folder) => `<rootDir>/${folder}`),
  testEnvironment: '<rootDir>/scripts/lib/test-environment.mjs',
  testRunner: '<rootDir>/scripts/lib/test-runner.mjs',
  setupFilesAfterEnv: [propertySeed],
  transform: { '^.+\\.ts$': compiled('typescript'), [`/node_modules/${esModules}/.+\\.js$`]: compiled('ecmascript') },
  transformIgnorePatterns: [`/node_modules/(?!${esModules}/)`],
  moduleNameMapper: { '^@tieout/([^/]+)$': '<rootDir>/packages/$1/src' },
  modulePathIgnorePatterns: ['<rootDir>/.data/'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
};

const notUnit = ['\\.(int|e2e|long)\\.test\\.ts$'];

const integration: Project = {
  ...shared,
  displayName: 'integration',
  testMatch: ['<rootDir>/{packages,apps,tests,scripts}/**/*.int.test.ts'],
};

const e2e: Project = {
  ...shared,
  displayName: 'e2e',
  testMatch: ['<rootDir>/tests/**/*.e2e.test.ts'],
};

const long: Project = {
  ...shared,
  displayName: 'long',
  testMatch: ['<rootDir>/{packages,apps,tests,scripts}/**/*.long.test.ts'],
};

/** Unit tests that draw random cases: a part of them in `npm test` (`packages/engine/fuzz/config.ts`), all in these. */
const drawingCases: Project = {
  ...long,
  displayName: 'long-cases',
  testMatch: [
    'fuzz/fuzz',
    'src/blocking/blocking',
    'src/candidates/listed-candidates',
    'src/composition/oracle',
    'src/composition/properties',
    'src/composition/search/search',
    'src/expression/functions/text',
    'src/expression/references',
    'src/expression/regex/properties',
    'src/pairs/batch',
    'src/pairs/columns/column-filler',
    'src/pairs/nearest-pairs',
    'src/scoring/comparison',
  ].map((name) => `<rootDir>/packages/engine/${name}.test.ts`),
  setupFilesAfterEnv: [propertySeed, '<rootDir>/tests/support/all-cases.ts'],
};

/** Tests of queues themselves. */
const queueTests = ['packages/infra/src/{queue,fairness}/*'];

/** Tests of what consumes or shows a queue. Code that only enqueues shares one producer. */
const queueWorkTests = [
  'apps/dashboard/src/*',
  'packages/domain/src/data/files/sweep',
  'packages/domain/src/data/records/{group-commit,process,sweep}',
  'packages/domain/src/operations/permits',
  'packages/domain/src/matching/{batch/recut,composition/composition,stage/clean-up}',
  'packages/domain/src/matching/jobs/{fairness,matching-jobs,recovery}',
  'packages/domain/src/webhooks/fairness',
];

const intTest = (name: string): string => `<rootDir>/${name}.int.test.ts`;

/** Tests that depend on the queue, with it in Redis. The fault suite covers there what other long tests do. */
const onRedis: Project[] = [
  {
    ...integration,
    displayName: 'integration-redis',
    testMatch: queueTests.map(intTest),
  },
  {
    ...long,
    displayName: 'long-redis',
    testMatch: [
      '<rootDir>/tests/{faults/faults,rolling,seen,webhook-stores}.long.test.ts',
      '<rootDir>/packages/infra/src/queue/*.long.test.ts',
      ...queueWorkTests.map(intTest),
    ],
  },
].map((project) => ({ ...project, setupFilesAfterEnv: [propertySeed, '<rootDir>/tests/support/queue-on-redis.ts'] }));

/** Tests that show queues in a Redis Cluster to behave alike. Each file starts its own one. */
const onCluster: Project = {
  ...long,
  displayName: 'long-cluster',
  testMatch: [
    'packages/infra/src/queue/{consumer,depth,remove-where}',
    'packages/domain/src/matching/jobs/matching-jobs',
    'apps/dashboard/src/*',
  ].map(intTest),
  setupFilesAfterEnv: [propertySeed, '<rootDir>/tests/support/queue-on-cluster.ts'],
};

/**
 * Four kinds of test, told apart by file name:
 * - `*.test.ts` beside the source: no database, no network;
 * - `*.int.test.ts` beside the source: real PostgreSQL and a real queue;
 * - `tests/*.e2e.test.ts`: the built processes on the main paths, driven over HTTP;
 * - `*.long.test.ts`: processes that are killed, cut off or loaded, for minutes, and each screen of the console in a
 *   browser: `npm run test:long`.
 * All but the first need what `npm test` or `node scripts/test-server.mjs` provides. Where TEST_REDIS_URL names a
 * Redis, those of them that touch a queue run on it as well.
 */
const config: Config = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/{packages,apps,tests,scripts}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/dist/', ...notUnit],
    },
    integration,
    e2e,
    long,
    drawingCases,
    ...(process.env.TEST_REDIS_URL ? [...onRedis, onCluster] : []),
  ],
  // Jest takes these from the top level only, for every project.
  testTimeout: 600_000,
  testSequencer: '<rootDir>/scripts/lib/test-order.mjs',
  // Much of the time a test waits for a database, a queue or another process.
  maxWorkers: Math.ceil(1.5 * availableParallelism()),
  // The heap counts with its garbage, and a new worker loads all modules again, which takes 2 s of CPU. The worker
  // that has run many files holds 120 MB after a collection.
  workerIdleMemoryLimit: '1500MB',
};

export default config;
