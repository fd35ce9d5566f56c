import fs from 'node:fs';
import { constants } from 'node:os';

/**
 * Linux may share processors among sessions first, so that priorities count within one only (autogroup(7) in sched(7)): a process that leads
 * a session of its own lowers that, too. Elsewhere nothing is changed, nor where the system has no such thing or does not allow it: the work is
 * the same, only its pace beside others is not.
 */
export function lowerSession(): void {
  try {
    const stat = fs.readFileSync('/proc/self/stat', 'utf8');
    // Behind the name of the program, in parentheses: state, parent, group, session.
    const session = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
    if (session === process.pid) fs.writeFileSync('/proc/self/autogroup', String(constants.priority.PRIORITY_BELOW_NORMAL));
  } catch {
    // As it was.
  }
}
