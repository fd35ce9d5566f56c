import { takeLock } from './lock-file.mjs';
import { inRoot } from './paths.mjs';
import { waitFor } from './wait.mjs';

const timeoutMs = 15 * 60_000;

/** Installs or builds while no other command does so in this checkout: two at once would take away what the other one reads. */
export async function inTurn(say, work, lockFile = inRoot('.preparing.json')) {
  let told = false;
  const release = await waitFor(
    () => {
      const lock = takeLock(lockFile);
      if (!lock.release && !told)
        say(
          `Waiting for ${lock.holder ? `process ${lock.holder}` : 'another process'}, which installs or builds here …`,
        );
      told = true;
      return lock.release;
    },
    { timeoutMs, intervalMs: 200 },
  );
  if (!release) throw new Error(`Another command still installs or builds here. If none does, remove ${lockFile}.`);
  try {
    return await work();
  } finally {
    release();
  }
}
