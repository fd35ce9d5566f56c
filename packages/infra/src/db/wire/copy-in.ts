import { once } from 'node:events';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { asOwner } from '../tenant-role';

const chunkBytes = 1 << 18;
/** `PGCOPY\n\xff\r\n\0`, flags, length of the extension: COPY's binary format, PostgreSQL manual, "Binary Format". */
const header = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex');
const trailer = Buffer.from([0xff, 0xff]);
/** UTF-8 takes at most this many bytes for a unit of a JavaScript string. */
const bytesPerUnit = 3;
const jsonbVersion = 1;

/** Opens `copy <target> from stdin` in binary format. The client must not be used for anything else until `end`. */
export function copyIn(client: PoolClient, target: string): BinaryCopyWriter {
  return new BinaryCopyWriter(client, target);
}

/**
 * Writes rows field by field: `beginRow`, its fields, `endRow`. Values are bytes as PostgreSQL's own `…send` functions
 * give them, so that the server has neither escapes to undo nor digits to read.
 */
export class BinaryCopyWriter {
  private readonly stream;
  private failure: Error | undefined;
  private buffer: Buffer = Buffer.allocUnsafe(chunkBytes);
  /** Those that have been sent, to be filled again: memory outside of the heap that comes and goes makes the collector run. */
  private readonly spare: Buffer[] = [];
  private at: number;

  constructor(client: PoolClient, target: string) {
    this.stream = client.query(copyFrom(asOwner(client, `copy ${target} from stdin (format binary)`)));
    this.stream.on('error', (error: Error) => (this.failure = error));
    this.at = header.copy(this.buffer);
  }

  beginRow(fields: number): void {
    this.room(2);
    this.at = this.buffer.writeInt16BE(fields, this.at);
  }

  /** Resolves once the connection can take more. */
  endRow(): Promise<void> | void {
    if (this.at >= chunkBytes - 4096) return this.flush();
  }

  int2(value: number): void {
    this.field(2);
    this.at = this.buffer.writeInt16BE(value, this.at);
  }

  int4(value: number): void {
    this.field(4);
    this.at = this.buffer.writeInt32BE(value, this.at);
  }

  /** A safe integer. */
  int8(value: number): void {
    this.field(8);
    this.at = this.buffer.writeInt32BE(Math.floor(value / 4294967296), this.at);
    this.at = this.buffer.writeUInt32BE(value - Math.floor(value / 4294967296) * 4294967296, this.at);
  }

  float8(value: number): void {
    this.field(8);
    this.at = this.buffer.writeDoubleBE(value, this.at);
  }

  /** bytea, or a uuid by its 16 bytes. */
  bytes(source: Uint8Array, from = 0, to = source.length): void {
    this.field(to - from);
    if (to - from <= smallCopy) for (let i = from; i < to; i++) this.buffer[this.at++] = source[i] as number;
    else {
      this.buffer.set(source.subarray(from, to), this.at);
      this.at += to - from;
    }
  }

  null(): void {
    this.room(4);
    this.at = this.buffer.writeInt32BE(-1, this.at);
  }

  text(value: string): void {
    this.string(value, 0);
  }

  /** JSON text. */
  jsonb(text: string): void {
    this.string(text, 1);
  }

  /** Resolves when the server has taken all rows. */
  async end(): Promise<void> {
    if (this.failure) throw this.failure;
    const finished = once(this.stream, 'finish');
    this.stream.write(this.buffer.subarray(0, this.at));
    this.stream.end(trailer);
    await finished;
  }

  private string(value: string, prefix: 0 | 1): void {
    this.room(4 + prefix + value.length * bytesPerUnit);
    const lengthAt = this.at;
    this.at += 4;
    if (prefix === 1) this.buffer[this.at++] = jsonbVersion;
    this.at += this.buffer.write(value, this.at, 'utf8');
    this.buffer.writeInt32BE(this.at - lengthAt - 4, lengthAt);
  }

  private field(length: number): void {
    this.room(4 + length);
    this.at = this.buffer.writeInt32BE(length, this.at);
  }

  private room(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }

  private async flush(): Promise<void> {
    if (this.failure) throw this.failure;
    const { buffer, at } = this;
    // The stream keeps what it was given until it is sent; of a chunk as large as this it says so once the socket has none of it left.
    this.buffer = this.spare.pop() ?? Buffer.allocUnsafe(chunkBytes);
    this.at = 0;
    const sent = (): void => void (buffer.length === chunkBytes && this.spare.push(buffer));
    if (!this.stream.write(buffer.subarray(0, at), sent)) await once(this.stream, 'drain');
  }
}

/** Below this a loop beats the call that copies. */
const smallCopy = 32;
