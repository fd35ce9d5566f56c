import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createLogger, currentContext, withContext } from '../kernel/logger';
import { createChildPool, type ChildPool } from './child-pool';
import { ChildDiedError } from './child-process';

const logger = createLogger('test', 'silent');
const folder = mkdtempSync(path.join(tmpdir(), 'tieout-child-pool-'));
const pools: ChildPool[] = [];

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()));
  rmSync(folder, { recursive: true });
});

/** A pool whose children run this code before they serve. */
function pool(
  before: string,
  options: {
    size?: number;
    timeoutMs?: number;
    checkEveryMs?: number;
    fair?: { maxWaiting: number };
    heapGrowthPercent?: number;
  } = {},
): ChildPool {
  const file = path.join(folder, `child-${pools.length}.js`);
  const infra = JSON.stringify(path.join(__dirname, '..', '..', 'dist', 'process', 'serve-child.js'));
  writeFileSync(
    file,
    `const fs = require('node:fs'); ${before}
     require(${infra}).serveChild({
       pid: async () => process.pid,
       die: async (signal) => {
         process.kill(process.pid, signal);
         await new Promise(() => setInterval(() => {}, 1000));
       },
       flags: async () => process.execArgv,
       exit: async (code) => process.exit(code),
       endless: async () => { for (;;) {} },
       fill: async () => { for (const kept = [];;) kept.push(new Array(100_000).fill(kept.length)); },
       fail: async (message) => { throw new Error(message); },
     });`,
  );
  const made = createChildPool({ file, size: 1, ...options, heapMb: 64, logger });
  pools.push(made);
  return made;
}

test('a call whose process is killed fails with the signal, and the next call gets a new process', async () => {
  const children = pool('');
  const first = await children.call<number>('pid', null);
  await expect(children.call('die', 'SIGKILL')).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect(await children.call<number>('pid', null)).not.toBe(first);
});

test('a process that dies with its call is replaced at once, and a ready one is used before it', async () => {
  const children = pool('', { size: 2 });
  const [first, second] = await Promise.all([children.call<number>('pid', null), children.call<number>('pid', null)]);
  const [lost, kept] = await Promise.all([
    children.call('die', 'SIGKILL').catch((error: unknown) => error),
    children.call<number>('pid', null),
  ]);
  expect([lost, [first, second].includes(kept)]).toEqual([expect.any(ChildDiedError), true]);
  expect(children.usage()).toMatchObject({ idle: 2, busy: 0 });
  expect(await children.call<number>('pid', null)).toBe(kept);
});

test('however many processes die while calls wait, the pool stays within its size', async () => {
  const children = pool('', { size: 2 });
  const calls = Array.from({ length: 6 }, (_, i) =>
    children.call(i < 3 ? 'die' : 'pid', 'SIGKILL').catch((error: unknown) => error),
  );
  await Promise.all(calls);
  expect(children.usage()).toMatchObject({ idle: 2, busy: 0 });
});

test('the log names the call that a process died of, whichever call started the process', async () => {
  const lines: object[] = [];
  const warn = jest
    .spyOn(logger, 'warn')
    .mockImplementation((fields: unknown) => void lines.push({ ...currentContext(), ...(fields as object) }));
  const children = pool('');
  const callOf = (tenantId: string, method: string): Promise<unknown> =>
    withContext({ tenantId, requestId: `of ${tenantId}` }, () => children.call(method, null));
  await callOf('a', 'pid');
  await expect(callOf('b', 'fill')).rejects.toMatchObject({ signal: 'SIGABRT' });
  // Its output may arrive after its exit.
  while (!JSON.stringify(lines).includes('FATAL ERROR')) await setTimeout(5);
  warn.mockRestore();
  expect(lines).toContainEqual({ tenantId: 'b', requestId: 'of b', method: 'fill', reason: 'out_of_memory' });
  expect(new Set(lines.map((line) => (line as { tenantId?: string }).tenantId))).toEqual(new Set(['b']));
});

test('a call whose process ends before it is ready fails, and the next call starts another one', async () => {
  const marker = JSON.stringify(path.join(folder, 'started'));
  const children = pool(
    `if (!fs.existsSync(${marker})) {
       fs.writeFileSync(${marker}, '');
       process.kill(process.pid, 'SIGKILL');
       for (;;) {}
     }`,
  );
  await expect(children.call('pid', null)).rejects.toBeInstanceOf(ChildDiedError);
  expect(typeof (await children.call('pid', null))).toBe('number');
});

test('a hung process is ended, and its call fails as when a process dies', async () => {
  const children = pool('', { checkEveryMs: 500 });
  await expect(children.call('die', 'SIGSTOP')).rejects.toMatchObject({ signal: 'SIGKILL' });
  expect(typeof (await children.call('pid', null))).toBe('number');
});

test('the lag of a process that computes without a pause shows before it can report', async () => {
  const children = pool('', { checkEveryMs: 500 });
  await children.call('pid', null);
  const lagOf = (): number => children.usage().reports[0]?.lagSeconds ?? 0;
  const enough = new AbortController();
  const ended = children.call('endless', null, enough.signal).catch((error: unknown) => error);
  while (lagOf() < 2) await setTimeout(20);
  enough.abort();
  await ended;
});

test('a call that finds the database unavailable fails as retryable', async () => {
  const children = pool('');
  await expect(children.call('fail', 'timeout exceeded when trying to connect')).rejects.toMatchObject({
    code: 'service_unavailable',
  });
});

test('calls that wait are answered when the process before them ends', async () => {
  const children = pool('');
  const outcomes = await Promise.allSettled([
    children.call('exit', 3),
    children.call('exit', 4),
    children.call('pid', null),
  ]);
  expect(outcomes.map((o) => (o.status === 'rejected' ? (o.reason as ChildDiedError).code : 'answered'))).toEqual([
    3,
    4,
    'answered',
  ]);
});

test('a call that takes too long ends with evaluation_timeout; the start of a process does not count', async () => {
  const children = pool('const until = Date.now() + 700; while (Date.now() < until);', { timeoutMs: 500 });
  expect(typeof (await children.call('pid', null))).toBe('number');
  await expect(children.call('endless', null)).rejects.toMatchObject({ code: 'evaluation_timeout' });
  expect(typeof (await children.call('pid', null))).toBe('number');
});

(existsSync('/proc/self/stat') ? test : test.skip)(
  'a call whose process does not run, which is not a fault of its expressions, fails as retryable',
  async () => {
    const children = pool('', { timeoutMs: 500 });
    await expect(children.call('die', 'SIGSTOP')).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(typeof (await children.call('pid', null))).toBe('number');
  },
);

test('an error of a call keeps its message and stack, and its process lives', async () => {
  const children = pool('');
  const before = await children.call<number>('pid', null);
  await expect(children.call('fail', 'no such thing')).rejects.toMatchObject({
    message: 'no such thing',
    stack: expect.stringContaining('child-') as string,
  });
  expect(await children.call<number>('pid', null)).toBe(before);
});

const as = <T>(tenantId: string, work: () => Promise<T>): Promise<T> => withContext({ tenantId }, work);

test('an aborted call fails with the reason and ends its process, and the next one gets another', async () => {
  const children = pool('');
  const before = await children.call<number>('pid', null);
  const ending = new AbortController();
  const endless = children.call('endless', null, ending.signal);
  ending.abort(new Error('needed elsewhere'));
  await expect(endless).rejects.toThrow('needed elsewhere');
  expect(await children.call<number>('pid', null)).not.toBe(before);
});

test('the runtime of a child gets the size of its heap, and its growth between collections', async () => {
  const flags = await pool('', { heapGrowthPercent: 100 }).call<string[]>('flags', null);
  expect(flags).toEqual(expect.arrayContaining(['--max-old-space-size=64', '--heap-growing-percent=100']));
});

test('a tenant whose calls never end does not delay another one', async () => {
  const children = pool('', { size: 2, timeoutMs: 5_000, fair: { maxWaiting: 10 } });
  const ended: string[] = [];
  const note = (who: string) => (): void => void ended.push(who);
  const stuck = Array.from({ length: 3 }, () => as('stuck', () => children.call('endless', null)).catch(note('stuck')));
  const others = Array.from({ length: 2 }, () => as('other', () => children.call('pid', null)).then(note('other')));
  await Promise.all([...stuck, ...others]);
  expect(ended).toEqual(['other', 'other', 'stuck', 'stuck', 'stuck']);
});

test('two tenants whose calls never end delay another one by their running calls only', async () => {
  const children = pool('', { size: 2, timeoutMs: 5_000, fair: { maxWaiting: 10 } });
  const ended: string[] = [];
  const endless = ['one', 'two', 'one', 'two'].map((tenant) =>
    as(tenant, () => children.call('endless', null)).catch(() => void ended.push(tenant)),
  );
  const other = as('other', () => children.call('pid', null)).then(() => void ended.push('other'));
  await Promise.all([...endless, other]);
  expect(ended.indexOf('other')).toBeLessThanOrEqual(2);
});

test('calls beyond the maximum of waiting ones are refused, for that tenant only', async () => {
  const children = pool('', { size: 2, fair: { maxWaiting: 1 } });
  const calls = ['first', 'first', 'first', 'second'].map((tenant) =>
    as(tenant, () => children.call<number>('pid', null)),
  );
  const outcomes = await Promise.allSettled(calls);
  expect(outcomes.map((o) => (o.status === 'rejected' ? (o.reason as { code: string }).code : 'answered'))).toEqual([
    'answered',
    'answered',
    'service_unavailable',
    'answered',
  ]);
});

test('a process that ends without closing its pool leaves no child behind, not even a computing one', async () => {
  const infra = JSON.stringify(path.join(__dirname, '..', '..', 'dist'));
  const child = path.join(folder, 'computing.js');
  writeFileSync(
    child,
    `require(${infra}).serveChild({
       compute: async () => { require('node:fs').writeSync(1, 'computing'); for (;;) {} },
     });`,
  );
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `const { createChildPool } = require(${infra});
       createChildPool({ file: ${JSON.stringify(child)}, size: 1, heapMb: 64, logger: console }).call('compute', null);
       process.stdin.once('data', () => process.exit(1))`,
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  await once(parent.stdout, 'data');
  const ended = once(parent, 'exit');
  // The child holds the other end of the pipe: it closes with the child.
  const gone = once(parent.stdout, 'close');
  parent.stdin.write('end');
  await gone;
  expect(await ended).toEqual([1, null]);
});

test('a child that is still starting when its parent is killed ends without output', async () => {
  const infra = JSON.stringify(path.join(__dirname, '..', '..', 'dist', 'index.js'));
  const child = path.join(folder, 'starting.js');
  writeFileSync(
    child,
    `const { serveChild, createLogger } = require(${infra});
     const parent = process.ppid;
     require('node:fs').writeSync(1, 'starting');
     while (process.ppid === parent);
     serveChild({}, { logger: createLogger('child', 'fatal') });`,
  );
  const parent = spawn(
    process.execPath,
    [
      '-e',
      `const { createChildPool } = require(${infra});
       createChildPool({ file: ${JSON.stringify(child)}, size: 1, heapMb: 64, prestart: true, logger: console })`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let said = '';
  for await (const text of parent.stdout.setEncoding('utf8')) {
    said += text as string;
    parent.kill('SIGKILL');
  }
  expect(said).toBe('starting');
});
