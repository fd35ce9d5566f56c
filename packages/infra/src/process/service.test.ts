import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';

const infra = JSON.stringify(path.join(__dirname, '..', '..', 'dist'));

/** Starts a service whose start runs this code. */
function run(start: string, options = '{}'): { child: ChildProcess; lines: AsyncIterator<string> } {
  const script = `
    const { createLogger, runService } = require(${infra});
    const say = (msg) => console.log(JSON.stringify({ msg }));
    const start = async (service) => { ${start}; say('ready'); };
    void runService(createLogger('test', 'info'), start, ${options});
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = readline.createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  return { child, lines };
}

async function said(lines: AsyncIterator<string>, wanted: string): Promise<void> {
  for (;;) {
    const line = await lines.next();
    if (line.done) throw new Error(`the process ended without ${wanted}`);
    if ((JSON.parse(line.value) as { msg: string }).msg === wanted) return;
  }
}

const hang = 'new Promise(() => undefined)';

test('invalid settings end a process with 1 and one log line that names each of them', () => {
  const script = `
    const { ConfigError, readSettingsOrExit } = require(${infra});
    readSettingsOrExit('test', () => {
      throw new ConfigError('Invalid settings:\\n  PORT must be integer\\n  HOST is required');
    });`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  expect({ status, stderr, line: JSON.parse(stdout) as unknown }).toMatchObject({
    status: 1,
    stderr: '',
    line: {
      level: 'fatal',
      app: 'test',
      reason: 'Invalid settings:\n  PORT must be integer\n  HOST is required',
      msg: 'could not start',
    },
  });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s runs the steps of the shutdown, last registered first, and exits 0',
  async (signal) => {
    const { child, lines } = run(
      `service.onShutdown('first', async () => say('first')); service.onShutdown('second', async () => say('second'))`,
    );
    await said(lines, 'ready');
    child.kill(signal);
    await said(lines, 'second');
    await said(lines, 'first');
    await said(lines, 'stopped');
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);

test('a process that is asked to stop while it starts exits with 0, though its start fails', async () => {
  const { child, lines } = run(
    `say('starting');
     await new Promise((_, reject) => service.onShutdown('pool', async () => reject(new Error('closed'))))`,
  );
  await said(lines, 'starting');
  child.kill('SIGTERM');
  await said(lines, 'stopped');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  'a later signal, %s, ends a process that is stopping at once',
  async (signal) => {
    const { child, lines } = run(`service.onShutdown('endless', () => { say('closing'); return ${hang}; })`);
    await said(lines, 'ready');
    child.kill('SIGTERM');
    await said(lines, 'closing');
    const again = setInterval(() => child.kill(signal), 100);
    const ended = await once(child, 'exit');
    clearInterval(again);
    expect(ended).toEqual([1, null]);
  },
  8_000,
);

test('a signal that arrives twice, from a terminal and from a program in it, ends nothing early', async () => {
  const { child, lines } = run(`service.onShutdown('step', () => new Promise((resolve) => {
    process.on('SIGINT', () => setImmediate(resolve));
    process.kill(process.pid, 'SIGINT');
  }))`);
  await said(lines, 'ready');
  child.kill('SIGINT');
  await said(lines, 'stopped');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a process signals that it is stopping before its shutdown begins', async () => {
  const { child, lines } = run(
    `service.stopping.addEventListener('abort', () => say('draining'));
     service.onShutdown('step', async () => say('closing'))`,
    '{ drainMs: 100 }',
  );
  await said(lines, 'ready');
  child.kill('SIGTERM');
  await said(lines, 'draining');
  await said(lines, 'closing');
  expect(await once(child, 'exit')).toEqual([0, null]);
});
