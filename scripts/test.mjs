import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { install, requireNode } from './lib/install.mjs';
import { runMain, stopRequested } from '../tools/main.mjs';
import { inRoot, root } from '../tools/paths.mjs';
import { startTestServer } from './lib/test-database.mjs';
import { startTestRedis } from '../tools/redis.mjs';

const say = (line) => console.log(line);

/** Runs Jest once; its progress goes to the terminal, its result to a file. */
async function jest(args, env, outputFile, stopping) {
  if (stopping.aborted) return 1;
  const cli = inRoot('node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--json', `--outputFile=${outputFile}`, '--passWithNoTests'];
  return new Promise((resolve, reject) => {
    // With --json Jest writes the same JSON to stdout as to the file; people read its stderr.
    // Its workers take over the size of the young generation, which saves most collections.
    const child = spawn(process.execPath, ['--max-semi-space-size=64', cli, ...options, ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    stopping.addEventListener('abort', () => child.kill(stopping.reason));
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

async function openRedis() {
  const given = process.env.TEST_REDIS_URL;
  return given ? { url: given, stop: async () => undefined } : await startTestRedis();
}

/**
 * Counts the results in a file of Jest. A suite that could not run has no tests to count, so it counts as one
 * failure; so does a run without a result.
 */
function tally(file) {
  if (!fs.existsSync(file)) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(fs.readFileSync(file, 'utf8'));
  return {
    passed: result.numPassedTests,
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
}

const summaryLine = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Selects the kinds of the command, unless the caller has; those that touch a queue are wanted on Redis too. */
function jestArguments(args, onRedis) {
  const given = args.filter((arg) => arg !== '--long');
  const kinds = args.includes('--long') ? ['long', 'long-cases'] : ['unit', 'integration', 'e2e'];
  const isSelected = given.some((arg) => arg.startsWith('--selectProjects'));
  const more = onRedis ? { integration: ['integration-redis'], long: ['long-redis', 'long-cluster'] } : {};
  return [...given, ...(isSelected ? [] : ['--selectProjects', ...kinds])].flatMap((arg) => [
    arg,
    ...(more[arg] ?? []),
  ]);
}

/** Runs tests with the queue in PostgreSQL, and the queue tests also on Redis, where there is one. */
async function runAll(args, stopping) {
  const results = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-results-'));
  const file = path.join(results, 'result.json');
  const opened = [];
  try {
    const database = await startTestServer(say);
    opened.push(database);
    const redis = await openRedis();
    if (redis) opened.push(redis);
    else say('\nNo redis-server found and TEST_REDIS_URL is not set: no test is repeated with the queue in Redis.');
    const env = { TEST_DATABASE_URL: database.url, QUEUE_BACKEND: 'postgres', TEST_REDIS_URL: redis?.url ?? '' };
    const code = await jest(jestArguments(args, Boolean(redis)), env, file, stopping);
    return { counts: tally(file), ok: code === 0 };
  } finally {
    for (const resource of opened.reverse()) await resource.stop();
    fs.rmSync(results, { recursive: true, force: true });
  }
}

await runMain(async () => {
  requireNode();
  await install(say);
  await build(say);
  const stopping = new AbortController();
  void stopRequested().then((signal) => stopping.abort(signal));
  const { counts, ok } = await runAll(process.argv.slice(2), stopping.signal);
  if (stopping.signal.aborted) say(`Stopped by ${stopping.signal.reason}.`);
  if (!ok || stopping.signal.aborted || counts.failed > 0 || counts.passed + counts.failed === 0) process.exitCode = 1;
  say(`\n${summaryLine(counts)}`);
});
