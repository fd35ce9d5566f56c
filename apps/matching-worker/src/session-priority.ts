import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** A third of what other sessions have. With a tenth, at 10, a job hardly moves on a machine that is full; with as much, requests wait for it. */
const SESSION_NICENESS = 5;

/** The kernel takes one change in a tenth of a second from all who are not privileged, and says EAGAIN to the others. */
const ATTEMPTS = 20;
const delayMs = () => 100 + Math.random() * 200;

/**
 * Linux may share processors among sessions first, so that priorities count within one only (autogroup in sched(7)): a process that leads
 * a session of its own lowers that, too. Elsewhere nothing is changed, nor where the system has no such thing or does not allow it: the work is
 * the same, only its pace beside others is not.
 */
export async function lowerSession(): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      if (leadsSession()) fs.writeFileSync('/proc/self/autogroup', String(SESSION_NICENESS));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await delay(delayMs(), undefined, { ref: false });
    }
  }
}

function leadsSession(): boolean {
  const stat = fs.readFileSync('/proc/self/stat', 'utf8');
  // Behind the name of the program, in parentheses: state, parent, group, session.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]) === process.pid;
}
