import { readFileSync } from 'node:fs';

/** Text of a file about a process, or null: the process may end at any moment, even while it is read. */
function readOfProcess(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** Returns whether a process runs. A zombie, which has ended but was not waited for, does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Only Linux tells of zombies.
  return process.platform !== 'linux' || /^State:\s+[^ZX]/m.test(readOfProcess(pid, 'status') ?? '');
}

/** The living child processes of a process. */
export function childrenOf(pid: number): number[] {
  const children = readOfProcess(pid, `task/${pid}/children`) ?? '';
  return children
    .trim()
    .split(' ')
    .filter((child) => child !== '')
    .map(Number)
    .filter(isAlive);
}
