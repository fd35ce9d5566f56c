import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

/** How a process ends that runs this code with a watchdog of 300 ms. */
async function run(code: string): Promise<{ code: number | null; signal: string | null }> {
  const file = path.join(__dirname, '..', 'dist', 'watchdog.js');
  const child = spawn(process.execPath, ['-e', `const dog = require(${JSON.stringify(file)}).createWatchdog(300); ${code}`], { stdio: 'inherit' });
  const [exitCode, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return { code: exitCode, signal };
}

test('a process that computes for ever is ended', async () => {
  expect(await run('for (;;) {}')).toEqual({ code: null, signal: 'SIGALRM' });
});

test('a process that waits is left alone', async () => {
  expect(await run('setTimeout(() => process.exit(7), 1200)')).toEqual({ code: 7, signal: null });
});

test('a process that computes long and reports its steps is left alone', async () => {
  expect(await run('const end = Date.now() + 1200; while (Date.now() < end) dog.alive(); process.exit(7)')).toEqual({ code: 7, signal: null });
});
