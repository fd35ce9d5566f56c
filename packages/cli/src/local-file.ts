import { createReadStream, createWriteStream, rmSync } from 'node:fs';
import { mkdtemp, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, unreadable } from './failure';

/** A file that can be read again and again. */
export interface LocalFile {
  path: string;
  /** File name as the user gave it. */
  name: string;
  /** Identifies the file, whatever path leads to it. */
  identity: string;
}

/** The argument that stands for the standard input. */
export const standardInput = '-';
export const inputName = 'standard input';

/** Opens a file; of a pipe, which can be read only once, it makes a copy that ends with the process. */
export async function localFile(given: string, input: Readable): Promise<LocalFile> {
  if (given === standardInput) return copyOf(input, inputName);
  const found = await stat(given).catch((error: unknown) => {
    throw unreadable(given, error);
  });
  if (found.isDirectory()) throw unreadable(given, { code: 'EISDIR' });
  if (!found.isFile()) return copyOf(createReadStream(given), given);
  return { path: given, name: given, identity: `${found.dev} ${found.ino}` };
}

async function copyOf(stream: Readable, name: string): Promise<LocalFile> {
  const room = tmpdir();
  try {
    const folder = await mkdtemp(path.join(room, 'tieout-'));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const copy = path.join(folder, 'input');
    await pipeline(stream, createWriteStream(copy, { mode: 0o600 }));
    return { path: copy, name, identity: copy };
  } catch (error) {
    const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
    if (syscall === 'read') throw unreadable(name, error);
    const reason = `its copy in ${room} cannot be written (${code})`;
    throw new CommandError(`${name}: ${reason}: make room there, or name another folder by TMPDIR`);
  }
}
