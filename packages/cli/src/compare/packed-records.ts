import { grown, type JsonObject } from '@tieout/engine';

const chunkBytes = 8 << 20;
/** A place counts one chunk as this much, so that it is an exact number. */
const chunkSpan = 2 ** 32;
const initialCapacity = 4_096;

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/** The values of records for another thread. */
export interface SharedRecords {
  length: number;
  bytes: number;
  used: number;
  chunks: SharedArrayBuffer[];
  places: Float64Array;
  lengths: Uint32Array;
}

/** The values of records as JSON texts beside the heap: records as objects take several times their bytes. */
export class PackedRecords {
  length = 0;
  bytes = 0;
  private chunks: Buffer[] = [];
  private used = 0;
  private places: Float64Array = new Float64Array(shared(initialCapacity * 8));
  private lengths: Uint32Array = new Uint32Array(shared(initialCapacity * 4));

  /** The same records for another thread. */
  share(): SharedRecords {
    const { length, bytes, used, places, lengths } = this;
    const chunks = this.chunks.map(({ buffer }) => buffer as SharedArrayBuffer);
    return { length, bytes, used, chunks, places, lengths };
  }

  static of({ chunks, ...rest }: SharedRecords): PackedRecords {
    return Object.assign(new PackedRecords(), { ...rest, chunks: chunks.map((chunk) => Buffer.from(chunk)) });
  }

  add(value: JsonObject): void {
    const text = JSON.stringify(value);
    // A character takes three bytes at most.
    let chunk = this.chunks.at(-1);
    if (chunk === undefined || this.used + text.length * 3 > chunk.length) {
      chunk = Buffer.from(shared(Math.max(chunkBytes, text.length * 3)));
      this.chunks.push(chunk);
      this.used = 0;
    }
    const written = chunk.write(text, this.used);
    if (this.length === this.places.length) this.grow();
    this.places[this.length] = (this.chunks.length - 1) * chunkSpan + this.used;
    this.lengths[this.length++] = written;
    this.used += written;
    this.bytes += written;
  }

  textAt(record: number): string {
    const place = this.places[record] as number;
    const from = place % chunkSpan;
    const chunk = this.chunks[Math.floor(place / chunkSpan)] as Buffer;
    return chunk.toString('utf8', from, from + (this.lengths[record] as number));
  }

  valueAt(record: number): JsonObject {
    return JSON.parse(this.textAt(record)) as JsonObject;
  }

  private grow(): void {
    const capacity = this.places.length * 2;
    this.places = grown(this.places, new Float64Array(shared(capacity * 8)));
    this.lengths = grown(this.lengths, new Uint32Array(shared(capacity * 4)));
  }
}
