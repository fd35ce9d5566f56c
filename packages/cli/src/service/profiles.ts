import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
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

/** Keeps a profile in a file that only its owner reads. Another process sees the old file or the new one. */
export async function writeProfile(file: string, name: string, profile: Profile): Promise<void> {
  const profiles = { ...(await readProfiles(file)), [name]: profile };
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}.new`;
  await writeFile(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: readable });
  await chmod(next, readable);
  await rename(next, file);
}
