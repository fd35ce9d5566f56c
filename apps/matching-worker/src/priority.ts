import fs from 'node:fs';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * Gives jobs a third of the processor share of other processes, so that requests on the same machine go first. With 10
 * (a tenth of the share) a job hardly moves on a busy machine; with 0 requests wait for jobs.
 */
export const niceness = 5;

const sessionFile = '/proc/self/autogroup';

/** The kernel accepts one change per 0.1 s from all unprivileged processes together, and answers EAGAIN to others. */
const maxAttempts = 20;
const retryDelayMs = () => 100 + Math.random() * 200;

/** Lowers the priority of this process, unless it is lower already or the system forbids it (seccomp may). */
export function lowerProcess(): void {
  try {
    if (os.getPriority() < niceness) os.setPriority(niceness);
  } catch {
    // Without the lower priority the work is the same; only requests beside it are slower.
  }
}

/**
 * Lowers the session that this process leads. With autogroup (sched(7)) Linux shares processors among sessions first,
 * and the priority of a process counts within its session only. Without autogroup, or as no leader of a session, this
 * changes nothing.
 */
export async function lowerSession(): Promise<void> {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    try {
      if (leadsSession() && sessionNiceness() < niceness) fs.writeFileSync(sessionFile, String(niceness));
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      await delay(retryDelayMs(), undefined, { ref: false });
    }
  }
}

function leadsSession(): boolean {
  const stat = fs.readFileSync('/proc/self/stat', 'utf8');
  // After the name of the program, in parentheses: state, parent, group, session.
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]) === process.pid;
}

/** Parses a text such as `/autogroup-27 nice 10`. */
const sessionNiceness = (): number => Number(/nice (-?\d+)/.exec(fs.readFileSync(sessionFile, 'utf8'))?.[1]);
