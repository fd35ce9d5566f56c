import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { OpenedFile } from './upload';

/** Opens a file of the local file system. */
export async function openFile(path: string): Promise<OpenedFile> {
  const { size } = await stat(path);
  return { name: basename(path), sizeBytes: size, bytes: createReadStream(path) };
}
