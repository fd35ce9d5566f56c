import type { PoolClient } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

/** `PGCOPY\n\xff\r\n\0`, flags, length of the extension: COPY's binary format, PostgreSQL manual, "Binary Format". */
export const binaryHeader = Buffer.from('5047434f50590aff0d0a000000000000000000', 'hex');

/** What is read ahead while the consumer is at work: the server goes on meanwhile. */
const readAheadBytes = 4 << 20;

/** Some rows of a COPY in binary format. Valid until the next group is asked for. */
export interface BinaryRows {
  readonly count: number;
  readonly bytes: Buffer;
  /** Where a field begins in `bytes`. */
  start(row: number, field: number): number;
  /** Its length; -1 for null. */
  length(row: number, field: number): number;
}

/**
 * Streams `copy (…) to stdout` in binary format, in groups of whole rows, at the pace of the consumer. `fields` is
 * the number of columns. The client must not be used for anything else until the iteration ends.
 */
export async function* copyOutBinary(client: PoolClient, query: string, fields: number): AsyncGenerator<BinaryRows, void, void> {
  const stream = client.query(copyTo(`copy (${query}) to stdout (format binary)`, { highWaterMark: readAheadBytes }));
  const rows = new RowScanner(fields);
  let complete = false;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) if (rows.scan(chunk)) yield rows;
    complete = true;
  } finally {
    // Leaving early would leave the connection in the middle of a COPY.
    if (!complete) stream.destroy();
  }
}

/** Finds the fields of the rows in a stream of chunks; a row that is cut off waits for the rest of it. */
export class RowScanner implements BinaryRows {
  count = 0;
  bytes: Buffer = Buffer.alloc(0);
  private starts = new Int32Array(1024);
  private lengths = new Int32Array(1024);
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  /** There is nothing to find before so many bytes are there. */
  private neededBytes = binaryHeader.length;
  private headerRead = false;

  constructor(private readonly fields: number) {}

  start(row: number, field: number): number {
    return this.starts[row * this.fields + field] as number;
  }

  length(row: number, field: number): number {
    return this.lengths[row * this.fields + field] as number;
  }

  /** True when there is at least one row. */
  scan(chunk: Buffer): boolean {
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    if (this.waitingBytes < this.neededBytes) return false;
    const bytes = this.waiting.length === 1 ? chunk : Buffer.concat(this.waiting, this.waitingBytes);
    let at = 0;
    if (!this.headerRead) {
      this.headerRead = true;
      at = binaryHeader.length;
    }
    this.count = 0;
    this.neededBytes = 0;
    for (let end = this.scanRow(bytes, at); end !== -1; end = this.scanRow(bytes, at)) {
      at = end;
      this.count++;
    }
    this.bytes = bytes;
    this.waiting = at === bytes.length ? [] : [bytes.subarray(at)];
    this.waitingBytes = bytes.length - at;
    return this.count > 0;
  }

  /** The end of the row that begins here; -1 when the row is not complete, or no row at all but the end of the data. */
  private scanRow(bytes: Buffer, from: number): number {
    let at = from + 2;
    // The trailer is -1 in place of a number of fields; nothing follows it.
    if (at > bytes.length || (bytes[from] as number) === 0xff) return -1;
    this.reserve();
    for (let field = 0; field < this.fields; field++) {
      at += 4;
      if (at > bytes.length) return -1;
      const length =
        ((bytes[at - 4] as number) << 24) | ((bytes[at - 3] as number) << 16) | ((bytes[at - 2] as number) << 8) | (bytes[at - 1] as number);
      const cell = this.count * this.fields + field;
      this.starts[cell] = at;
      this.lengths[cell] = length;
      if (length > 0) at += length;
      if (at > bytes.length) {
        this.neededBytes = at - from;
        return -1;
      }
    }
    return at;
  }

  private reserve(): void {
    if ((this.count + 1) * this.fields <= this.starts.length) return;
    const enlarge = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(from.length * 2 + this.fields);
      to.set(from);
      return to;
    };
    this.starts = enlarge(this.starts);
    this.lengths = enlarge(this.lengths);
  }
}
