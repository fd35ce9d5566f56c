import { spawn, spawnSync, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { transformSync } from '@swc/core';
import { niceness } from './priority';

const sessionFile = '/proc/self/autogroup';
const nobody = 65_534;

const { code } = transformSync(fs.readFileSync(path.join(__dirname, 'priority.ts'), 'utf8'), {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
});

/** What the kernel says of the session of this process, such as `/autogroup-27 nice 0`; nothing where it may not be changed. */
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
/** Elsewhere there are no such sessions, or this one is low already. */
const whereItMayBeLowered = nicenessIn(before) < niceness ? it : it.skip;
const runsAsNobody = spawnSync(process.execPath, ['-e', ''], { uid: nobody, cwd: '/' }).status === 0;

/** What a program prints that runs in a process of its own. */
async function printed(program: string, options: SpawnOptions = {}): Promise<string> {
  const child = spawn(process.execPath, ['-e', program], {
    cwd: '/',
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return output;
}

/** Runs it in a process of its own, of nobody where that is possible, whose session may be at some niceness before, and gives what the kernel says of its session then. */
async function afterwards({ leads, sessionAt }: { leads: boolean; sessionAt?: number }): Promise<string> {
  const program = `const fs = require('node:fs');
    const set = () => { try { fs.writeFileSync('${sessionFile}', '${String(sessionAt)}'); } catch (error) { if (error.code === 'EAGAIN') set(); else throw error; } };
    ${sessionAt === undefined ? '' : 'set();'}
    const running = setInterval(() => undefined, 1_000);
    (function () { ${code} })();
    exports.lowerSession().then(() => {
      clearInterval(running);
      process.stdout.write(fs.readFileSync('${sessionFile}', 'utf8'));
    });`;
  return printed(program, { detached: leads, ...(runsAsNobody && { uid: nobody }) });
}

describe('the session of a worker', () => {
  whereItMayBeLowered(
    'is lowered where the worker leads it, also when many start at once, of which the kernel takes one at a time',
    async () => {
      const sessions = await Promise.all(Array.from({ length: 4 }, () => afterwards({ leads: true })));
      expect(sessions.map(nicenessIn)).toEqual(Array(4).fill(niceness));
    },
  );

  whereItMayBeLowered('is not raised where it is lower already', async () => {
    expect(nicenessIn(await afterwards({ leads: true, sessionAt: 15 }))).toBe(15);
  });

  whereItMayBeLowered('is left as it is where another process leads it', async () => {
    expect(await afterwards({ leads: false })).toBe(before);
  });
});

/** Runs it in a process of its own after `before`, and gives its priority then. */
async function priorityAfterwards(before: string): Promise<number> {
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
    expect(await priorityAfterwards('')).toBe(Math.max(own, niceness));
  });

  it('is not raised where it is lower already', async () => {
    expect(await priorityAfterwards('os.setPriority(15)')).toBe(Math.max(own, 15));
  });

  it('runs as it is where the system forbids to change that', async () => {
    expect(await priorityAfterwards(`os.setPriority = () => { throw new Error('EPERM'); }`)).toBe(own);
  });
});
