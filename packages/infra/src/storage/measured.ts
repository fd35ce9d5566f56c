import { createHash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { AppError } from '../kernel/errors';
import type { StoredObject } from './storage';

/** Passes bytes on, and knows how many there were and their digest. */
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

  /** To be asked once, after the last byte. */
  result(): StoredObject {
    return { sizeBytes: this.sizeBytes, sha256: this.hash.digest() };
  }
}
