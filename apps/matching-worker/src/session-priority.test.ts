import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { transformSync } from '@swc/core';

const file = path.join(__dirname, 'session-priority.ts');

/** What the kernel calls a session and its priority, such as `/autogroup-27 nice 10`. */
const sessionOfThis = (): string | null => {
  try {
    return fs.readFileSync('/proc/self/autogroup', 'utf8');
  } catch {
    return null;
  }
};

const before = sessionOfThis();
const whereThereAreSessions = before === null ? it.skip : it;

/** Runs it in a process of its own, of nobody where that may be chosen, and gives the priority of its session after that. */
async function lowered({ leads }: { leads: boolean }): Promise<number> {
  const { code } = transformSync(fs.readFileSync(file, 'utf8'), {
    jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  const program = `${code}
    const running = setInterval(() => undefined, 1_000);
    exports.lowerSession().then(() => {
      clearInterval(running);
      process.stdout.write(require('node:fs').readFileSync('/proc/self/autogroup', 'utf8'));
    });`;
  const isRoot = process.getuid?.() === 0;
  const child = spawn(process.execPath, ['-e', program], {
    detached: leads,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(isRoot && { uid: 65_534 }),
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return Number(/nice (-?\d+)/.exec(output)?.[1]);
}

describe('the session of a worker', () => {
  whereThereAreSessions('is lowered where the worker leads it, also when many start at once, of which the kernel takes one at a time', async () => {
    const priorities = await Promise.all(Array.from({ length: 4 }, () => lowered({ leads: true })));
    expect(priorities).toEqual(Array(4).fill(5));
  });

  whereThereAreSessions('is left as it is where another process leads it', async () => {
    expect(await lowered({ leads: false })).toBe(Number(/nice (-?\d+)/.exec(before ?? '')?.[1]));
    expect(sessionOfThis()).toBe(before);
  });
});
