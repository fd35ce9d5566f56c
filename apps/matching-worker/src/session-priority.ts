import fs from 'node:fs';
import { constants } from 'node:os';

/**
 * Linux may share processors among sessions first, so that priorities count within one only (autogroup(7) in sched(7)): a process that leads
 * a session of its own lowers that, too. Elsewhere, and where it is not allowed, nothing is changed.
 *
 * @returns whether it is lowered
 */
export function lowerSession(): boolean {
  try {
    const stat = fs.readFileSync('/proc/self/stat', 'utf8');
    // Behind the name of the program, in parentheses: state, parent, group, session.
    const session = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
    if (session !== process.pid) return false;
    fs.writeFileSync('/proc/self/autogroup', String(constants.priority.PRIORITY_BELOW_NORMAL));
    return true;
  } catch {
    return false;
  }
}
