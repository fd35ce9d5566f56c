/** Some rows, their values in binary format. Valid until the next group is asked for. */
export interface BinaryRows {
  readonly count: number;
  readonly bytes: Buffer;
  /** Where a field begins in `bytes`. */
  start(row: number, field: number): number;
  /** Its length; -1 for null. */
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
/** These come before the rows, or at any time. */
const passedOver = new Set<number>([
  type.parseComplete,
  type.bindComplete,
  type.notice,
  type.notification,
  type.parameterStatus,
]);
/** Of a message: its type and its length, which counts itself. */
const headBytes = 5;
const fieldCountBytes = 2;

/**
 * Finds the fields of the rows in what a connection reads while a query sends them: each row is a message of its own. A
 * message that is cut off waits for the rest of it.
 */
export class RowMessages implements BinaryRows {
  count = 0;
  bytes: Buffer = Buffer.alloc(0);
  /** Portions of rows that have come to their end in what was taken last. */
  portions = 0;
  /** Whether the rows have ended. */
  ended = false;
  /** What has been read and is no row, or no whole one; with the message that has ended the rows. */
  rest: Buffer = Buffer.alloc(0);
  private starts = new Int32Array(1024);
  private lengths = new Int32Array(1024);
  /** Where a message that is cut off meets the rest of it. */
  private joined: Buffer = Buffer.alloc(0);
  /** There is nothing to find before so many bytes are there. */
  private neededBytes = headBytes;

  constructor(private readonly fields: number) {}

  start(row: number, field: number): number {
    return this.starts[row * this.fields + field] as number;
  }

  length(row: number, field: number): number {
    return this.lengths[row * this.fields + field] as number;
  }

  /** True when there is at least one row. */
  take(chunk: Buffer): boolean {
    this.count = 0;
    this.portions = 0;
    this.bytes = this.rest.length === 0 ? chunk : this.join(chunk);
    this.rest = this.bytes;
    if (this.bytes.length < this.neededBytes) return false;
    this.rest = this.bytes.subarray(this.takeMessages(this.bytes));
    return this.count > 0;
  }

  /** The rest and the chunk behind it, always in the same memory: nobody needs the rows of before any more. */
  private join(chunk: Buffer): Buffer {
    const { rest, joined } = this;
    const length = rest.length + chunk.length;
    if (joined.length < length) this.joined = Buffer.allocUnsafe(2 * length);
    // What waits for several chunks stays where it is.
    const inPlace = rest.buffer === this.joined.buffer && rest.byteOffset === this.joined.byteOffset;
    if (!inPlace) this.joined.set(rest);
    this.joined.set(chunk, rest.length);
    return this.joined.subarray(0, length);
  }

  /** Where the first message begins that is cut off, or follows the rows. */
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
      else if (!passedOver.has(kind)) {
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
