import { readFileSync } from 'node:fs';

/** What Linux calls a tick, in whatever it tells to programs. */
const msPerTick = 10;

/** Time on processors since this call, in ms, of a process that may have ended. NaN where the system does not tell (not Linux). */
export function processorTime(pid: number | undefined): () => number {
  const before = ticksOf(pid);
  return () => (ticksOf(pid) - before) * msPerTick;
}

function ticksOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in parentheses, may hold blanks.
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13);
    return Number(user) + Number(system);
  } catch {
    return NaN;
  }
}
