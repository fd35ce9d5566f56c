import { chmod, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError, isMissing, unreadable } from '../failure';

/** An address of the service and a key for it. */
export interface Profile {
  url: string;
  key: string;
  /** The tenant to act for, with the platform key. */
  tenant?: string;
}

const readable = 0o600;

/** Reads the profiles; none where the file is missing. */
export async function readProfiles(file: string): Promise<Record<string, Profile>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return {};
    throw unreadable(file, error);
  }
  try {
    return JSON.parse(text) as Record<string, Profile>;
  } catch {
    throw new CommandError(`${file}: is damaged; remove it and run tieout login again`);
  }
}

/**
 * Keeps a profile in a file that only its owner reads. Another process sees the old file or the new one, and waits for
 * this one before it changes the file.
 */
export async function writeProfile(file: string, name: string, profile: Profile): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unlock = await lock(`${file}.lock`);
  try {
    const profiles = { ...(await readProfiles(file)), [name]: profile };
    const next = `${file}.new`;
    await writeFile(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: readable });
    await chmod(next, readable);
    await rename(next, file);
  } finally {
    await unlock();
  }
}

const retryMs = 20;
/** A change takes milliseconds: the process that holds an older lock has ended without removing it. */
const staleMs = 5_000;

/** Creates a lock file, once no other process has it. Returns what removes it. */
async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      await (await open(file, 'wx')).close();
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const held = await stat(file).catch(() => null);
    if (held !== null && Date.now() - held.mtimeMs > staleMs) await rm(file, { force: true });
    else await sleep(retryMs);
  }
}
