import type { Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { bytesPerId } from './directory';
import { stageSides, type Stage } from './staging';

/** The best pair of a record that has no pair of at least Tpossible. */
export interface NearestPair {
  score: number;
  /** Values of the matchers in `valueSteps` of the engine; null where they are not known. */
  values: Uint16Array | null;
}

/** Two ids, the score, the number of values. */
const headBytes = 2 * bytesPerId + 8 + 1;

/** Collects the best pairs of the records of one side, and stages them as one row. */
export class NearestBlock {
  private bytes = Buffer.alloc(0);
  private at = 0;
  private rows = 0;

  /** Adds a pair; an id is 16 bytes from a place on. */
  add(own: [Uint8Array, number], partner: [Uint8Array, number], { score, values }: NearestPair): void {
    const count = values?.length ?? 0;
    this.reserve(headBytes + 2 * count);
    for (const [ids, from] of [own, partner]) {
      for (let i = 0; i < bytesPerId; i++) this.bytes[this.at + i] = ids[from + i] as number;
      this.at += bytesPerId;
    }
    this.at = this.bytes.writeDoubleLE(score, this.at);
    this.at = this.bytes.writeUInt8(count, this.at);
    for (let i = 0; i < count; i++) this.at = this.bytes.writeUInt16LE(values?.[i] as number, this.at);
    this.rows++;
  }

  async write(client: PoolClient, stage: Stage, { side, batchNo }: { side: Side; batchNo: number }): Promise<void> {
    const { rows, bytes, at } = this;
    if (rows === 0) return;
    const own = { side: stageSides.nearest[side], run: batchNo, block: 0 };
    await stage.add(client, { ...own, rows, bytes: bytes.subarray(0, at) });
  }

  private reserve(bytes: number): void {
    if (this.at + bytes <= this.bytes.length) return;
    const larger = Buffer.alloc(Math.max(2 * this.bytes.length, this.at + bytes, 4_096));
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

/** Visits the pairs of a staged row. @param visit gets the places of both ids in the bytes */
export function eachNearest(
  bytes: Buffer,
  rows: number,
  visit: (own: number, partner: number, pair: NearestPair) => void,
): void {
  for (let row = 0, at = 0; row < rows; row++) {
    const values = at + headBytes;
    const count = bytes.readUInt8(values - 1);
    visit(at, at + bytesPerId, {
      score: bytes.readDoubleLE(at + 2 * bytesPerId),
      values: count === 0 ? null : Uint16Array.from({ length: count }, (_, i) => bytes.readUInt16LE(values + 2 * i)),
    });
    at = values + 2 * count;
  }
}
