import fs from 'node:fs';
import { childrenOf, read } from '../memory.mjs';

/** Clock ticks a second, as Linux tells them to programs. */
const ticksPerSecond = 100;

/** Returns the CPU ticks of a process, including those of its ended children. */
function ownTicks(pid) {
  const stat = read(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may hold blanks.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks || 0), 0);
}

const ticksOf = (pid) => childrenOf(pid).reduce((sum, child) => sum + ticksOf(child), ownTicks(pid));

/**
 * CPU time of processes with all that they have started, and of this program, which sends the requests.
 *
 * @param {{ name: string, pid: number }[]} roots
 * @returns {() => { name: string, seconds: number }[]} Seconds since this call; where the system does not tell (not
 *   Linux), this program's only.
 */
export function cpuSince(roots) {
  const known = roots.filter(({ pid }) => fs.existsSync(`/proc/${pid}/stat`));
  const before = known.map(({ pid }) => ticksOf(pid));
  const own = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(own);
    const services = known.map(({ name, pid }, i) => ({ name, seconds: (ticksOf(pid) - before[i]) / ticksPerSecond }));
    return [...services, { name: 'generator', seconds: (user + system) / 1e6 }];
  };
}
