import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../failure';

export const outFormats = ['csv', 'xlsx', 'json'] as const;
export type OutFormat = (typeof outFormats)[number];

/** The format of a file that is written: the one that is asked for, else the one that its ending names. */
export function formatOfFile(file: string, given: string | undefined): OutFormat {
  const wanted = given ?? path.extname(file).slice(1).toLowerCase();
  const format = outFormats.find((one) => one === wanted);
  if (format === undefined)
    throw new CommandError(`${file}: its ending says no format: use .csv, .xlsx or .json, or add --format`);
  return format;
}

/** Writes a file; where that fails, the file and the reason are named. */
export async function writeOutFile(
  file: string,
  chunks: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  try {
    await pipeline(chunks, createWriteStream(file));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new CommandError(`${file}: cannot be written (${code})`);
  }
}
