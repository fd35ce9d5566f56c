import { readFileSync } from 'node:fs';

/** Text of a file about a process, or null: the process may end at any moment, even while it is read. */
function readOfProcess(pid: number | string, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}

/** Returns whether a process runs. A zombie, which has ended but was not waited for, does not. */
export function isAlive(pid: number | string): boolean {
  const status = readOfProcess(pid, 'status');
  return status !== null && !/^State:\s+[ZX]/m.test(status);
}

/** The living child processes of a process. */
export function childrenOf(pid: number): number[] {
  const children = readOfProcess(pid, `task/${pid}/children`) ?? '';
  return children
    .trim()
    .split(' ')
    .filter((child) => child !== '' && isAlive(child))
    .map(Number);
}
