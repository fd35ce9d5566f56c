const initialCapacity = 4096;

/**
 * What planning keeps of one side: some 60 bytes a record, never the records themselves.
 * Rows are numbered by `seq` in the order of arrival.
 */
export class SideColumns {
  length = 0;
  bucket = new Float64Array(initialCapacity);
  day = new Int32Array(initialCapacity);
  units = new Float64Array(initialCapacity);
  scale = new Uint8Array(initialCapacity);
  bytes = new Int32Array(initialCapacity);
  /** 1 = takes part in pairs. */
  included = new Uint8Array(initialCapacity);

  /** Returns the seq of the new row. */
  add(row: { bucket: number; day: number; units: number; scale: number; bytes: number; included: boolean }): number {
    if (this.length === this.bucket.length) this.grow();
    const seq = this.length++;
    this.bucket[seq] = row.bucket;
    this.day[seq] = row.day;
    this.units[seq] = row.units;
    this.scale[seq] = row.scale;
    this.bytes[seq] = row.bytes;
    this.included[seq] = row.included ? 1 : 0;
    return seq;
  }

  /** Seqs of the included rows by (bucket, day, seq). */
  order(): Uint32Array {
    const { bucket, day } = this;
    let count = 0;
    for (let seq = 0; seq < this.length; seq++) count += this.included[seq] as number;
    const order = new Uint32Array(count);
    for (let seq = 0, i = 0; seq < this.length; seq++) if (this.included[seq] === 1) order[i++] = seq;
    return order.sort((a, b) => {
      const byBucket = (bucket[a] as number) - (bucket[b] as number);
      if (byBucket !== 0) return byBucket;
      const byDay = (day[a] as number) - (day[b] as number);
      return byDay !== 0 ? byDay : a - b;
    });
  }

  private grow(): void {
    const capacity = this.bucket.length * 2;
    const enlarge = <T extends Float64Array | Int32Array | Uint8Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    this.bucket = enlarge(this.bucket, new Float64Array(capacity));
    this.day = enlarge(this.day, new Int32Array(capacity));
    this.units = enlarge(this.units, new Float64Array(capacity));
    this.scale = enlarge(this.scale, new Uint8Array(capacity));
    this.bytes = enlarge(this.bytes, new Int32Array(capacity));
    this.included = enlarge(this.included, new Uint8Array(capacity));
  }
}

/** Records that blocking could not place, by reason. */
export interface UnblockedCount {
  count: number;
  reasons: Record<string, number>;
}

export function countUnblocked(into: UnblockedCount, reason: string, by = 1): void {
  into.count += by;
  into.reasons[reason] = (into.reasons[reason] ?? 0) + by;
}
