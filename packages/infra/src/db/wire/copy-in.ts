import { once } from 'node:events';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { asOwner, isUnderRowSecurity } from '../tenant-role';

const chunkBytes = 1 << 18;
/** `PGCOPY\n\xff\r\n\0`, flags, length of the extension: COPY's binary format, PostgreSQL manual, "Binary Format". */
const header = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex');
const trailer = Buffer.from([0xff, 0xff]);
/** The most bytes that UTF-8 takes for a unit of a JavaScript string. */
const maxBytesPerUnit = 3;
const jsonbVersion = 1;

/**
 * Opens `copy <target> from stdin` in binary format for a table that the session has made. The client must not be used
 * for anything else until `end`.
 */
export function copyIn(client: PoolClient, target: string): BinaryCopyWriter {
  return new BinaryCopyWriter(client, { target });
}

/**
 * Opens a COPY into a table of the service, inside a transaction. PostgreSQL refuses COPY to whom row security applies:
 * for such a user the rows go through a temporary table, from where `end` moves them.
 */
export function copyInto(client: PoolClient, table: string, columns: string): BinaryCopyWriter {
  const target = `${table} (${columns})`;
  if (!isUnderRowSecurity(client)) return new BinaryCopyWriter(client, { target });
  const copied = `pg_temp.copied_${table}`;
  return new BinaryCopyWriter(client, {
    before: `create temp table if not exists copied_${table} on commit delete rows
      as select ${columns} from ${table} with no data;`,
    target: `${copied} (${columns})`,
    after: `insert into ${target} select ${columns} from ${copied}; truncate ${copied}`,
  });
}

interface CopyStatements {
  before?: string;
  target: string;
  after?: string;
}

/**
 * Writes rows field by field: `beginRow`, the fields, `endRow`. Values are bytes in the form of PostgreSQL's `…send`
 * functions, so that the server has no escapes to undo and no digits to parse.
 */
export class BinaryCopyWriter {
  private readonly stream;
  private failure: Error | undefined;
  private buffer: Buffer = Buffer.allocUnsafe(chunkBytes);
  /** Sent buffers for reuse: allocating and freeing memory outside of the heap triggers collections. */
  private readonly spare: Buffer[] = [];
  private at: number;

  constructor(
    private readonly client: PoolClient,
    private readonly statements: CopyStatements,
  ) {
    const { before = '', target } = statements;
    this.stream = client.query(copyFrom(asOwner(client, `${before} copy ${target} from stdin (format binary)`)));
    this.stream.on('error', (error: Error) => (this.failure = error));
    this.at = header.copy(this.buffer);
  }

  beginRow(fields: number): void {
    this.ensureRoom(2);
    this.at = this.buffer.writeInt16BE(fields, this.at);
  }

  /** Resolves once the connection accepts more. */
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

  /** Writes a safe integer. */
  int8(value: number): void {
    this.field(8);
    this.at = this.buffer.writeInt32BE(Math.floor(value / 4294967296), this.at);
    this.at = this.buffer.writeUInt32BE(value - Math.floor(value / 4294967296) * 4294967296, this.at);
  }

  float8(value: number): void {
    this.field(8);
    this.at = this.buffer.writeDoubleBE(value, this.at);
  }

  /** Writes a bytea, or a uuid by its 16 bytes. */
  bytes(source: Uint8Array, from = 0, to = source.length): void {
    this.field(to - from);
    if (to - from <= smallCopy) for (let i = from; i < to; i++) this.buffer[this.at++] = source[i] as number;
    else {
      this.buffer.set(source.subarray(from, to), this.at);
      this.at += to - from;
    }
  }

  null(): void {
    this.ensureRoom(4);
    this.at = this.buffer.writeInt32BE(-1, this.at);
  }

  text(value: string): void {
    this.string(value, 0);
  }

  /** Writes JSON text. */
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
    const { after } = this.statements;
    if (after === undefined) return;
    if (this.client.getTransactionStatus() !== 'T') throw new Error('rows of a COPY need a transaction to move in');
    await this.client.query(asOwner(this.client, after));
  }

  private string(value: string, prefix: 0 | 1): void {
    this.ensureRoom(4 + prefix + value.length * maxBytesPerUnit);
    const lengthAt = this.at;
    this.at += 4;
    if (prefix === 1) this.buffer[this.at++] = jsonbVersion;
    this.at += this.buffer.write(value, this.at, 'utf8');
    this.buffer.writeInt32BE(this.at - lengthAt - 4, lengthAt);
  }

  private field(length: number): void {
    this.ensureRoom(4 + length);
    this.at = this.buffer.writeInt32BE(length, this.at);
  }

  private ensureRoom(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + bytes));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }

  private async flush(): Promise<void> {
    if (this.failure) throw this.failure;
    const { buffer, at } = this;
    // The stream keeps a buffer until it is sent, and calls back once the socket has passed on all of a chunk of this
    // size.
    this.buffer = this.spare.pop() ?? Buffer.allocUnsafe(chunkBytes);
    this.at = 0;
    const sent = (): void => void (buffer.length === chunkBytes && this.spare.push(buffer));
    if (!this.stream.write(buffer.subarray(0, at), sent)) await once(this.stream, 'drain');
  }
}

/** Up to this length a loop is faster than a copying call. */
const smallCopy = 32;
