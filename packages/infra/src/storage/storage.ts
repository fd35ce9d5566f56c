import type { Readable } from 'node:stream';

export interface StoredObject {
  sizeBytes: number;
  sha256: Buffer;
}

export interface PutOptions {
  /** A source that gives more ends the put with `body_too_large`. */
  maxBytes?: number;
}

/** Where uploads are kept, by key. Keys are paths of letters, digits, `-` and `/`. */
export interface Storage {
  /** Stores all that the source gives, or nothing: when the source fails, nothing is left. @throws AppError body_too_large */
  put(key: string, source: Readable, options?: PutOptions): Promise<StoredObject>;
  /** The bytes from `start` (0 when absent) up to, without, `end` (the end of the object when absent). @throws ObjectMissingError */
  open(key: string, start?: number, end?: number): Promise<Readable>;
  /** Removes the object, and what a put that was killed has left of it. An unknown key is no failure. */
  delete(key: string): Promise<void>;
  /** Gives back what the storage holds of the process. */
  close(): void;
}

/** There is nothing under the key. */
export class ObjectMissingError extends Error {
  constructor(key: string, cause?: unknown) {
    super(`the storage holds nothing under ${key}`, { cause });
  }
}
