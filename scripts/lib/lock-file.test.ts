import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

let directory: string;
const running: ChildProcess[] = [];
beforeEach(() => {
  directory = fs.mkdtempSync(path.join(os.tmpdir(), 'tieout-turn-'));
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  fs.rmSync(directory, { recursive: true });
});

/** A command whose turn lasts until its input ends. */
function command() {
  const script = `
    import { withCheckoutLock } from ${JSON.stringify(path.join(__dirname, 'lock-file.mjs'))};
    import { once } from 'node:events';
    await withCheckoutLock(console.log, async () => {
      console.log('begun');
      await once(process.stdin.resume(), 'end');
    }, ${JSON.stringify(path.join(directory, 'lock.json'))});`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  running.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const says = async (): Promise<string | undefined> => ((await lines.next()) as { value?: string }).value;
  return { child, says };
}

test('a command that installs or builds waits for another one that does, and names it', async () => {
  const first = command();
  expect(await first.says()).toBe('begun');
  const second = command();
  expect(await second.says()).toBe(`Waiting for process ${first.child.pid}, which installs or builds here …`);
  first.child.stdin.end();
  expect(await second.says()).toBe('begun');
  second.child.stdin.end();
  expect(await once(second.child, 'exit')).toEqual([0, null]);
  expect(fs.readdirSync(directory)).toEqual([]);
});

test('the lock of a killed command is released', async () => {
  const first = command();
  expect(await first.says()).toBe('begun');
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  expect(await command().says()).toBe('begun');
});
