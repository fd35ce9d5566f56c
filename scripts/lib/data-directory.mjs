import fs from 'node:fs';
import path from 'node:path';
import { takeLock } from './lock-file.mjs';
import { isAlive, processIdentity, signalGroup } from '../../tools/processes.mjs';
import { jsonFile } from './settings.mjs';
import { waitFor } from '../../tools/wait.mjs';

function ensureWritable(directory) {
  try {
    fs.mkdirSync(directory, { recursive: true });
    fs.accessSync(directory, fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new Error(`DATA_DIR ${directory} cannot be written (${error.code}). Set DATA_DIR to another directory.`, {
      cause: error,
    });
  }
}

/**
 * Takes the data directory for this process: two launchers over the same data would start everything twice. A lock
 * whose holder is gone (killed, rebooted) is taken over.
 *
 * @returns {() => void} Gives it back.
 */
export function lockDataDirectory(directory) {
  ensureWritable(directory);
  const lock = takeLock(path.join(directory, 'lock.json'));
  if (lock.release) return lock.release;
  if (lock.holder === undefined) throw new Error(`Another start is taking ${directory} at this moment. Try again.`);
  throw new Error(
    `Tieout already runs over ${directory} (process ${lock.holder}). Stop it first, or set another DATA_DIR.`,
  );
}

/**
 * Keeps which child processes run, so that the next start finds those that a killed launcher left behind. A file that
 * cannot be written, as on a full disk, is reported once and written with the next change: the processes go on.
 */
export function childRegister(directory) {
  const place = path.join(directory, 'children.json');
  const file = jsonFile(place);
  const children = new Map();
  let written = true;
  const save = () => {
    try {
      file.write([...children.values()]);
      written = true;
    } catch (error) {
      if (written) console.error(`${place} cannot be written: ${error.message}`);
      written = false;
    }
  };
  return {
    add(pid) {
      children.set(pid, { pid, identity: processIdentity(pid) });
      save();
    },
    remove(pid) {
      children.delete(pid);
      save();
    },
    clear: () => file.remove(),
    /** Waits until the children of the last launcher have ended by themselves, and ends those that do not. */
    async endLeftovers(say) {
      const left = (file.read() ?? []).filter(
        ({ pid, identity }) => identity !== null && processIdentity(pid) === identity,
      );
      if (left.length === 0) return;
      say(`Waiting for ${left.length} process${left.length === 1 ? '' : 'es'} of the last start to end …`);
      for (const { pid } of left) signalGroup(pid, 'SIGTERM');
      const ended = () => left.every(({ pid, identity }) => processIdentity(pid) !== identity);
      if (await waitFor(ended, { timeoutMs: 10_000 })) return;
      for (const { pid } of left.filter(({ pid }) => isAlive(pid))) signalGroup(pid, 'SIGKILL');
      await waitFor(ended, { timeoutMs: 3_000 });
    },
  };
}
