import { spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { transformSync } from '@swc/core';
import { niceness } from './priority';

const sessionFile = '/proc/self/autogroup';
const unprivilegedUser = 65_534;

const { code } = transformSync(fs.readFileSync(path.join(__dirname, 'priority.ts'), 'utf8'), {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
});

/** Reads the session of this process, such as `/autogroup-27 nice 0`; '' where it cannot be changed. */
function sessionOfThis(): string {
  try {
    fs.closeSync(fs.openSync(sessionFile, 'r+'));
    return fs.readFileSync(sessionFile, 'utf8');
  } catch {
    return '';
  }
}

const nicenessIn = (session: string): number => Number(/nice (-?\d+)/.exec(session)?.[1]);

const before = sessionOfThis();
/** Skips where there is no autogroup, or the session is low already. */
const whereSessionCanBeLowered = nicenessIn(before) < niceness ? it : it.skip;
const canRunUnprivileged = spawnSync(process.execPath, ['-e', ''], { uid: unprivilegedUser, cwd: '/' }).status === 0;

/** Runs a program in its own process and returns what it prints. */
async function printed(program: string, options: SpawnOptions = {}): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], {
    cwd: '/',
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return output;
}

/** Runs `lowerSession` in its own process, unprivileged where possible, and returns its session afterwards. */
async function sessionAfter({ leads, sessionAt }: { leads: boolean; sessionAt?: number }): Promise<string> {
  const program = `const fs = require('node:fs');
    const set = () => {
      try { fs.writeFileSync('${sessionFile}', '${String(sessionAt)}'); }
      catch (error) { if (error.code === 'EAGAIN') set(); else throw error; }
    };
    ${sessionAt === undefined ? '' : 'set();'}
    const running = setInterval(() => undefined, 1_000);
    (function () { ${code} })();
    exports.lowerSession().then(() => {
      clearInterval(running);
      process.stdout.write(fs.readFileSync('${sessionFile}', 'utf8'));
    });`;
  return printed(program, { detached: leads, ...(canRunUnprivileged && { uid: unprivilegedUser }) });
}

describe('the session of a worker', () => {
  whereSessionCanBeLowered(
    'is lowered where the worker leads it, also when several start at once and the kernel takes one at a time',
    async () => {
      const sessions = await Promise.all(Array.from({ length: 4 }, () => sessionAfter({ leads: true })));
      expect(sessions.map(nicenessIn)).toEqual(Array(4).fill(niceness));
    },
  );

  whereSessionCanBeLowered('is not raised where it is lower already', async () => {
    expect(nicenessIn(await sessionAfter({ leads: true, sessionAt: 15 }))).toBe(15);
  });

  whereSessionCanBeLowered('is left as it is where another process leads it', async () => {
    expect(await sessionAfter({ leads: false })).toBe(before);
  });
});

/** Runs `lowerProcess` in its own process after `before`, and returns its priority. */
async function priorityAfter(before: string): Promise<number> {
  const program = `const os = require('node:os');
    ${before};
    (function () { ${code} })();
    exports.lowerProcess();
    process.stdout.write(String(os.getPriority()));`;
  return Number(await printed(program));
}

describe('a process that compares', () => {
  const own = os.getPriority();

  it('is lowered', async () => {
    expect(await priorityAfter('')).toBe(Math.max(own, niceness));
  });

  it('is not raised where it is lower already', async () => {
    expect(await priorityAfter('os.setPriority(15)')).toBe(Math.max(own, 15));
  });

  it('keeps its priority where the system forbids a change', async () => {
    expect(await priorityAfter(`os.setPriority = () => { throw new Error('EPERM'); }`)).toBe(own);
  });
});
