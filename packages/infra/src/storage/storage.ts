import { createHash } from 'node:crypto';
import { Transform, type Readable, type TransformCallback } from 'node:stream';
import { AppError } from '../kernel/errors';

export interface StoredObject {
  sizeBytes: number;
  sha256: Buffer;
}

interface PutOptions {
  /** A longer source ends the put with `body_too_large`. */
  maxBytes?: number;
}

/** Keeps uploads by key. Keys are paths of letters, digits, `-` and `/`. */
export interface Storage {
  /** Stores the whole source, or nothing when the source fails. @throws AppError body_too_large */
  put(key: string, source: Readable, options?: PutOptions): Promise<StoredObject>;
  /** Reads from `start` (default: 0) up to, but not including, `end` (default: the end). @throws ObjectMissingError */
  open(key: string, start?: number, end?: number): Promise<Readable>;
  /** Removes the object and the remains of a killed put. An unknown key is not a failure. */
  delete(key: string): Promise<void>;
  /** Removes every object whose key begins with a directory and a slash, and the remains of killed puts below it. */
  deleteAll(directory: string): Promise<void>;
  /** Releases the resources of the process. */
  close(): void;
}

/** The storage has no object under the key. */
export class ObjectMissingError extends Error {
  constructor(key: string, cause?: unknown) {
    super(`the storage holds nothing under ${key}`, { cause });
  }
}

/** Passes bytes on and measures their number and digest. */
export class Measured extends Transform {
  private readonly hash = createHash('sha256');
  private sizeBytes = 0;

  constructor(private readonly maxBytes: number) {
    super();
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.sizeBytes += chunk.length;
    if (this.sizeBytes > this.maxBytes)
      return done(new AppError('body_too_large', `The file is larger than ${this.maxBytes} bytes`));
    this.hash.update(chunk);
    done(null, chunk);
  }

  /** To be called once, after the last byte. */
  result(): StoredObject {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest() };
  }
}
