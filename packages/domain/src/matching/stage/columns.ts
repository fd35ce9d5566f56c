import { gather, grown, type CandidateSide } from '@tieout/engine';
import type { UnblockedCount } from '../jobs/errors';
import { bytesPerId, gatherIds, orderOfIds } from './directory';

const initialCapacity = 4096;

type PlacedRow = Record<'bucket' | 'day' | 'units' | 'scale' | 'weight', number>;

/**
 * Keeps some 50 bytes of each record of one side during planning, never the record itself. Rows are numbered by `seq`
 * in the order of arrival.
 */
export class SideColumns implements CandidateSide {
  length = 0;
  bucket = new Float64Array(initialCapacity);
  day = new Int32Array(initialCapacity);
  /** NaN without an amount. */
  units = new Float64Array(initialCapacity);
  scale = new Uint8Array(initialCapacity);
  /** Weight of the staged value: see `valueWeight`. */
  weight = new Int32Array(initialCapacity);
  /** A value of `recordState`; `candidate` until planning finds that no pair has the record. */
  state = new Uint8Array(initialCapacity);
  ids = new Uint8Array(initialCapacity * bytesPerId);

  /** Rows that the buffers can hold. */
  get capacity(): number {
    return this.bucket.length;
  }

  clear(): void {
    this.length = 0;
  }

  /** Adds a row and returns its seq. The id is the 16 bytes at `idAt`. */
  add(state: number, ids: Uint8Array, idAt: number): number {
    if (this.length === this.bucket.length) this.grow();
    const seq = this.length++;
    this.state[seq] = state;
    this.scale[seq] = 0;
    const at = seq * bytesPerId;
    for (let i = 0; i < bytesPerId; i++) this.ids[at + i] = ids[idAt + i] as number;
    return seq;
  }

  /** Sets the block key, the amount and the weight of a candidate. */
  place(seq: number, row: PlacedRow): void {
    this.bucket[seq] = row.bucket;
    this.day[seq] = row.day;
    this.units[seq] = row.units;
    this.scale[seq] = row.scale;
    this.weight[seq] = row.weight;
  }

  /** Compares two records by their ids. */
  compare(one: number, other: number): number {
    const { ids } = this;
    for (let i = 0; i < bytesPerId; i++) {
      const difference = (ids[one * bytesPerId + i] as number) - (ids[other * bytesPerId + i] as number);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  /** Returns ids and states in the order of the ids. */
  byId(): { ids: Uint8Array; states: Uint8Array } {
    const { length } = this;
    const order = orderOfIds(Buffer.from(this.ids.buffer), length);
    if (order === null)
      return { ids: this.ids.subarray(0, length * bytesPerId), states: this.state.subarray(0, length) };
    return { ids: gatherIds(this.ids, order), states: gather(this.state, order, new Uint8Array(length)) };
  }

  private grow(): void {
    const capacity = this.bucket.length * 2;
    this.bucket = grown(this.bucket, new Float64Array(capacity));
    this.day = grown(this.day, new Int32Array(capacity));
    this.units = grown(this.units, new Float64Array(capacity));
    this.scale = grown(this.scale, new Uint8Array(capacity));
    this.weight = grown(this.weight, new Int32Array(capacity));
    this.state = grown(this.state, new Uint8Array(capacity));
    this.ids = grown(this.ids, new Uint8Array(capacity * bytesPerId));
  }
}

export function countUnblocked(into: UnblockedCount, reason: string, by = 1): void {
  into.count += by;
  into.reasons[reason] = (into.reasons[reason] ?? 0) + by;
}
