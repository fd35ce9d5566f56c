import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@tieout/infra';
import type { CheckRequest } from '../kernel/ports';
import { childProcessEvaluator } from './evaluation';

const folder = mkdtempSync(path.join(tmpdir(), 'tieout-evaluators-'));
const infra = JSON.stringify(path.join(__dirname, '..', '..', '..', 'infra', 'dist', 'process', 'serve-child.js'));
const opened: { close(): Promise<void> }[] = [];

afterAll(async () => {
  await Promise.all(opened.map((one) => one.close()));
  rmSync(folder, { recursive: true });
});

/** An evaluator whose first processes end by a signal when they get a request. */
function dying(times: number, signal: NodeJS.Signals) {
  const file = path.join(folder, `child-${opened.length}.js`);
  const deaths = JSON.stringify(`${file}.deaths`);
  writeFileSync(
    file,
    `const fs = require('node:fs');
     require(${infra}).serveChild({ check: async () => {
       const count = fs.existsSync(${deaths}) ? fs.readFileSync(${deaths}).length : 0;
       if (count >= ${times}) return [];
       fs.appendFileSync(${deaths}, '.');
       process.kill(process.pid, ${JSON.stringify(signal)});
       await new Promise(() => setInterval(() => {}, 1000));
     } });`,
  );
  const evaluator = childProcessEvaluator({ file, size: 1, heapMb: 64, logger: createLogger('test', 'silent') });
  opened.push(evaluator);
  return evaluator;
}

const request = {} as CheckRequest;

test('a request is repeated in another process when its process is killed', async () => {
  expect(await dying(2, 'SIGKILL').check(request)).toEqual([]);
});

test('a request whose processes are killed every time is to be sent again, and blames no expression', async () => {
  await expect(dying(99, 'SIGKILL').check(request)).rejects.toMatchObject({
    code: 'service_unavailable',
    retryAfterSeconds: 1,
  });
});

test('a request that fills the memory of its process is not repeated', async () => {
  await expect(dying(1, 'SIGABRT').check(request)).rejects.toMatchObject({ code: 'expression_memory' });
});
