/** A group of rows with values in binary format, valid until the next group is read. */
export interface BinaryRows {
  readonly count: number;
  readonly bytes: Buffer;
  /** Gives the offset of a field in `bytes`. */
  start(row: number, field: number): number;
  /** Gives the length of a field; -1 for null. */
  length(row: number, field: number): number;
}

/** Types of messages: PostgreSQL manual, "Message Formats". */
const type = {
  dataRow: 0x44,
  portalSuspended: 0x73,
  parseComplete: 0x31,
  bindComplete: 0x32,
  notice: 0x4e,
  notification: 0x41,
  parameterStatus: 0x53,
} as const;
/** Messages that may precede the rows, or arrive at any time. */
const skipped = new Set<number>([
  type.parseComplete,
  type.bindComplete,
  type.notice,
  type.notification,
  type.parameterStatus,
]);
/** The type of a message and its length, which includes itself. */
const headBytes = 5;
const fieldCountBytes = 2;

/** Finds the fields of rows in the bytes of a connection: each row is one message, which may be cut off. */
export class RowMessages implements BinaryRows {
  count = 0;
  bytes: Buffer = Buffer.alloc(0);
  /** The number of portions that ended in the bytes taken last. */
  portions = 0;
  /** True when the rows have ended. */
  ended = false;
  /** The bytes after the last whole row, including the message that ended the rows. */
  rest: Buffer = Buffer.alloc(0);
  private starts = new Int32Array(1024);
  private lengths = new Int32Array(1024);
  /** Memory in which a message that was cut off is joined. */
  private joined: Buffer = Buffer.alloc(0);
  /** The number of bytes without which no message can be complete. */
  private neededBytes = headBytes;

  constructor(private readonly fields: number) {}

  start(row: number, field: number): number {
    return this.starts[row * this.fields + field] as number;
  }

  length(row: number, field: number): number {
    return this.lengths[row * this.fields + field] as number;
  }

  /** Parses a chunk. @returns true when it completed at least one row */
  take(chunk: Buffer): boolean {
    this.count = 0;
    this.portions = 0;
    this.bytes = this.rest.length === 0 ? chunk : this.join(chunk);
    this.rest = this.bytes;
    if (this.bytes.length < this.neededBytes) return false;
    this.rest = this.bytes.subarray(this.takeMessages(this.bytes));
    return this.count > 0;
  }

  /** Appends the chunk to the rest, always in the same memory: the previous rows are no longer needed. */
  private join(chunk: Buffer): Buffer {
    const { rest, joined } = this;
    const length = rest.length + chunk.length;
    if (joined.length < length) this.joined = Buffer.allocUnsafe(2 * length);
    // A message that spans several chunks stays in place.
    const inPlace = rest.buffer === this.joined.buffer && rest.byteOffset === this.joined.byteOffset;
    if (!inPlace) this.joined.set(rest);
    this.joined.set(chunk, rest.length);
    return this.joined.subarray(0, length);
  }

  /** Parses whole messages. @returns the offset of the first message that is cut off or follows the rows */
  private takeMessages(bytes: Buffer): number {
    let at = 0;
    while (!this.ended) {
      this.neededBytes = headBytes;
      if (at + headBytes > bytes.length) break;
      const end = at + 1 + int32(bytes, at + 1);
      if (end > bytes.length) {
        this.neededBytes = end - at;
        break;
      }
      const kind = bytes[at] as number;
      if (kind === type.dataRow) this.takeRow(bytes, at + headBytes);
      else if (kind === type.portalSuspended) this.portions++;
      else if (!skipped.has(kind)) {
        this.ended = true;
        break;
      }
      at = end;
    }
    return at;
  }

  private takeRow(bytes: Buffer, from: number): void {
    this.reserve();
    let at = from + fieldCountBytes;
    let cell = this.count * this.fields;
    for (let field = 0; field < this.fields; field++, cell++) {
      const length = int32(bytes, at);
      at += 4;
      this.starts[cell] = at;
      this.lengths[cell] = length;
      if (length > 0) at += length;
    }
    this.count++;
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

function int32(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}
