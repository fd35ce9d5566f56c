import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** Runs code in a process with a watchdog of 300 ms; gives the end of the process. */
async function run(code: string, stoppedMs = 0): Promise<{ code: number | null; signal: string | null }> {
  const file = path.join(__dirname, '..', '..', 'dist', 'process', 'watchdog.js');
  const child = spawn(
    process.execPath,
    ['-e', `const dog = require(${JSON.stringify(file)}).createWatchdog(300); ${code}`],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  if (stoppedMs > 0) await stop(child, stoppedMs);
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code: exitCode, signal };
}

test('a process that computes for ever is ended', async () => {
  expect(await run('for (;;) {}')).toEqual({ code: null, signal: 'SIGALRM' });
});

/** Stops the process after its first output. */
async function stop(child: ChildProcess, forMs: number): Promise<void> {
  await once(child.stdout as Readable, 'data');
  child.kill('SIGSTOP');
  await new Promise((resolve) => setTimeout(resolve, forMs));
  child.kill('SIGCONT');
}

test('a process that was stopped from outside for longer than it may compute is left alone', async () => {
  const code = `
    const until = performance.now() + 2500;
    const step = () => performance.now() < until ? setTimeout(step, 10) : process.exit(7);
    process.stdout.write('up', step);`;
  expect(await run(code, 1_500)).toEqual({ code: 7, signal: null });
});

const still = (ms: number): string => `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${ms});`;

test('a process that gets no processor for longer than it may compute is left alone', async () => {
  expect(await run(`${still(900)} process.exit(7)`)).toEqual({ code: 7, signal: null });
});

test('a process that hangs without computing is ended', async () => {
  expect(await run(still(60_000))).toEqual({ code: null, signal: 'SIGALRM' });
});

test('a process that waits is left alone', async () => {
  expect(await run('setTimeout(() => process.exit(7), 1200)')).toEqual({ code: 7, signal: null });
});

test('a process that computes for long and reports progress is left alone', async () => {
  expect(await run('const end = Date.now() + 1200; while (Date.now() < end) dog.alive(); process.exit(7)')).toEqual({
    code: 7,
    signal: null,
  });
});
