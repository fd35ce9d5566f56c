import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { build } from './build.mjs';
import { install, requireNode } from './lib/install.mjs';
import { runMain } from './lib/main.mjs';
import { inRoot, root } from './lib/paths.mjs';
import { stopRequested } from './lib/signals.mjs';
import { startTestServer } from './lib/test-database.mjs';
import { startTestRedis } from './lib/test-redis.mjs';
import { summaryLine, tally } from './lib/test-tally.mjs';

const say = (line) => console.log(line);

/** Runs Jest once; its progress goes to the terminal, its result to a file. */
function jest(args, env, outputFile, running) {
  const cli = inRoot('node_modules', 'jest', 'bin', 'jest.js');
  const options = ['--json', `--outputFile=${outputFile}`, '--passWithNoTests'];
  return new Promise((resolve, reject) => {
    // With --json Jest writes the same JSON to stdout as to the file; people read its stderr.
    const child = spawn(process.execPath, [cli, ...options, ...args], { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] });
    running.add(child);
    child.on('error', reject);
    child.on('exit', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

async function openRedis() {
  const given = process.env.TEST_REDIS_URL;
  return given ? { url: given, stop: async () => undefined } : await startTestRedis();
}

/** Where tests touch a queue: the domain and the processes. The API hands its jobs to the same domain. */
const queueTests = '(packages/(infra|domain)|apps/(ingest|matching|webhook)-worker|apps/dashboard)/|tests/(crash|files|items|main-job|webhooks)';

/** Runs everything on the PostgreSQL queue, then what touches a queue again on Redis, where there is one. */
async function runAll(args, running, stopping) {
  const results = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-results-'));
  const files = [];
  const codes = [];
  const opened = [];
  const run = async (title, jestArgs, env) => {
    if (stopping()) return;
    say(`\n${title}`);
    files.push(path.join(results, `${files.length}.json`));
    // The caller's arguments first: --selectProjects would take a path after it for one more project.
    codes.push(await jest([...args, ...jestArgs], env, files.at(-1), running));
  };
  try {
    const database = await startTestServer(say);
    opened.push(database);
    const env = { TEST_DATABASE_URL: database.url, QUEUE_BACKEND: 'postgres', TEST_REDIS_URL: '' };
    await run('Tests with the queue in PostgreSQL', [], env);
    const redis = await openRedis();
    if (redis) {
      opened.push(redis);
      const again = ['--selectProjects', 'integration', 'e2e', ...(args.length === 0 ? ['--testPathPatterns', queueTests] : [])];
      await run('Integration and end-to-end tests with the queue in Redis', again, {
        ...env,
        QUEUE_BACKEND: 'redis',
        TEST_REDIS_URL: redis.url,
      });
    } else {
      say('\nNo redis-server found and TEST_REDIS_URL is not set: the tests were not repeated with the queue in Redis.');
    }
    return { counts: tally(files), ok: codes.every((code) => code === 0) };
  } finally {
    for (const resource of opened.reverse()) await resource.stop();
    fs.rmSync(results, { recursive: true, force: true });
  }
}

await runMain(async () => {
  requireNode();
  install(say);
  await build(say);
  const running = new Set();
  let stopped = null;
  void stopRequested().then((signal) => {
    stopped = signal;
    for (const child of running) child.kill(signal);
  });
  const { counts, ok } = await runAll(process.argv.slice(2), running, () => stopped !== null);
  if (stopped) say(`Stopped by ${stopped}.`);
  if (!ok || stopped || counts.failed > 0 || counts.passed + counts.failed === 0) process.exitCode = 1;
  say(`\n${summaryLine(counts)}`);
});
