import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * A job has time; requests that are served on the same machine have not. This gives it a third of the share of processors that others have. With 10, a
 * tenth, a job hardly moves on a machine that is full; with 0 requests wait for it.
 */
export const niceness = 5;

const sessionFile = '/proc/self/autogroup';

/** The kernel takes one change in a tenth of a second from all who are not privileged, and says EAGAIN to the others. */
const ATTEMPTS = 20;
const delayMs = () => 100 + Math.random() * 200;

/** Lowers this process, unless it is lower already, or the system does not allow it: rules for calls may forbid this one as a whole. */
export function lowerProcess(): void {
  try {
    if (os.getPriority() < niceness) os.setPriority(niceness);
  } catch {
    // The work is the same, only its pace beside others is not.
  }
}

/**
 * Linux may share processors among sessions first, so that priorities count within one only (autogroup in sched(7)): a process that leads
 * a session of its own lowers that, too. Elsewhere nothing is changed, nor where the system has no such thing or does not allow it: the work is
 * the same, only its pace beside others is not.
 */
export async function lowerSession(): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      if (leadsSession() && sessionNiceness() < niceness) fs.writeFileSync(sessionFile, String(niceness));
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

/** Of a text such as `/autogroup-27 nice 10`. */
const sessionNiceness = (): number => Number(/nice (-?\d+)/.exec(fs.readFileSync(sessionFile, 'utf8'))?.[1]);
