import fs from 'node:fs';
import { inRoot } from '../../tools/paths.mjs';
import { processIdentity } from '../../tools/processes.mjs';
import { waitFor } from '../../tools/wait.mjs';

const readLock = (file) => {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

/**
 * Takes a lock file for this process. A lock whose holder is gone (killed, rebooted) is taken over.
 *
 * @returns {{ release: () => void } | { holder: number | undefined }} Holder: the process that has it, unknown while
 *   another one is taking it.
 */
export function takeLock(file) {
  const mine = { pid: process.pid, identity: processIdentity(process.pid) };
  for (let attempt = 0; attempt < 3; attempt++) {
    try {
      fs.writeFileSync(file, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
      return {
        release: () => {
          if (readLock(file)?.identity === mine.identity) fs.rmSync(file, { force: true });
        },
      };
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readLock(file);
    if (holder && processIdentity(holder.pid) === holder.identity) return { holder: holder.pid };
    fs.rmSync(file, { force: true });
  }
  return { holder: undefined };
}

const checkoutTimeoutMs = 15 * 60_000;

/** Runs an installation or a build while no other command does either here: two at once would disturb each other. */
export async function withCheckoutLock(say, work, lockFile = inRoot('.preparing.json')) {
  let reported = false;
  const release = await waitFor(
    () => {
      const lock = takeLock(lockFile);
      if (!lock.release && !reported)
        say(
          `Waiting for ${lock.holder ? `process ${lock.holder}` : 'another process'}, which installs or builds here …`,
        );
      reported = true;
      return lock.release;
    },
    { timeoutMs: checkoutTimeoutMs, intervalMs: 200 },
  );
  if (!release) throw new Error(`Another command still installs or builds here. If none does, remove ${lockFile}.`);
  try {
    return await work();
  } finally {
    release();
  }
}
