import fs from 'node:fs';
import { processIdentity } from './processes.mjs';

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
 * @returns {{ release: () => void } | { holder: number | undefined }} Holder: the process that has it, unknown while another one is taking it.
 */
export function takeLock(file) {
  const mine = { pid: process.pid, identity: processIdentity(process.pid) };
  for (let attempt = 0; attempt < 3; attempt += 1) {
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
