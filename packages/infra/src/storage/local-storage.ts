import { open, mkdir, rename, rm, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Measured, ObjectMissingError, type Storage } from './storage';

/**
 * Keeps objects as files in a directory that only this user may read: they are uploads of tenants. A file has another
 * name until all of it is on the disk.
 */
export function localStorage(directory: string): Storage {
  const fileOf = (key: string): string => path.join(directory, ...key.split('/'));
  const partOf = (key: string): string => `${fileOf(key)}.part`;
  return {
    put: async (key, source, { maxBytes = Infinity } = {}) => {
      const part = partOf(key);
      await mkdir(path.dirname(part), { recursive: true, mode: 0o700 });
      const measured = new Measured(maxBytes);
      const file = await open(part, 'w', 0o600);
      try {
        // Flushed: a file that was confirmed exists after a power cut.
        await pipeline(source, measured, file.createWriteStream({ flush: true }));
        await rename(part, fileOf(key));
        await flushDirectory(path.dirname(part));
        return measured.result();
      } catch (error) {
        await remove(part);
        throw error;
      } finally {
        await file.close();
      }
    },
    open: async (key, start = 0, end = Infinity) => {
      const file = await openExisting(key, fileOf(key));
      if (end > start) return file.createReadStream({ start, end: end - 1 });
      await file.close();
      return Readable.from([]);
    },
    delete: async (key) => {
      await remove(partOf(key));
      await remove(fileOf(key));
    },
    deleteAll: (below) => rm(fileOf(below), { recursive: true, force: true }),
    close: () => undefined,
  };
}

/** Uses `unlink`: `rm` takes a file that may not be removed for a directory, and reports that instead. */
async function remove(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function openExisting(key: string, file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? new ObjectMissingError(key, error) : error;
  }
}

async function flushDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
