import { constants, createWriteStream, rmSync, type Stats } from 'node:fs';
import { access, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError, isMissing } from '../failure';

export const outFormats = ['csv', 'xlsx', 'json'] as const;
export type OutFormat = (typeof outFormats)[number];

const standardOutput = '-';

/** The file that is written; null: the standard output, also where it is named. */
export const namedFile = (out: string | undefined): string | null =>
  out === undefined || out === standardOutput ? null : out;

/**
 * Returns the format of an output file: the requested one, or else the one of its file name extension.
 * @throws CommandError where the two contradict each other, or neither names a format
 */
export function formatOfFile(file: string, given: OutFormat | 'table' | undefined): OutFormat {
  const extension = path.extname(file).slice(1).toLowerCase();
  const named = outFormats.find((one) => one === extension);
  if (given === undefined) {
    if (named !== undefined) return named;
    throw new CommandError(`${file}: its extension names no format: use .csv, .xlsx or .json, or add --format`);
  }
  if (given === 'table') throw new CommandError('--out holds no table for people: leave --format table out');
  if (named !== undefined && named !== given)
    throw new CommandError(`${file}: is to be written as ${given}; name a file that ends in .${given}`);
  return given;
}

/** Refuses a file whose folder is missing or not to be written, before the work that the file is to hold. */
export async function refuseUnwritable(file: string): Promise<void> {
  const before = await found(file);
  if (before !== null && !before.isFile()) return;
  try {
    await access(path.dirname(before === null ? file : await realpath(file)), constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

/**
 * Writes a file and gives it its name once it is complete, so that an earlier file stays if writing fails or the
 * process ends. An error names the file and the reason.
 */
export async function writeOutFile(
  file: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  const before = await found(file);
  // Something that is no file, such as a pipe or a terminal, is written as it is.
  if (before !== null && !before.isFile()) return write(file, file, chunks);
  const target = before === null ? file : await realpath(file);
  const next = `${target}.${process.pid}.part`;
  const drop = (): void => rmSync(next, { force: true });
  process.once('exit', drop);
  try {
    await write(file, next, chunks, before?.mode);
    await rename(next, target);
  } finally {
    process.removeListener('exit', drop);
    await rm(next, { force: true });
  }
}

async function write(
  name: string,
  to: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
  mode = 0o666,
): Promise<void> {
  try {
    await pipeline(chunks, createWriteStream(to, { mode }));
  } catch (error) {
    throw unwritable(name, error);
  }
}

async function found(file: string): Promise<Stats | null> {
  try {
    return await stat(file);
  } catch (error) {
    if (isMissing(error)) return null;
    throw unwritable(file, error);
  }
}

function unwritable(file: string, error: unknown): unknown {
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const folder = path.dirname(file);
  const reasons: Record<string, string | undefined> = {
    ENOENT: `there is no folder ${folder}; make it, or name another`,
    EACCES: `you may not write into the folder ${folder}; name another`,
    EROFS: `the folder ${folder} is read-only; name another`,
    EISDIR: 'it is a folder; name a file in it',
  };
  return new CommandError(`${file}: cannot be written (${reasons[code] ?? code})`);
}
