import { grown, type JsonObject } from '@tieout/engine';

const chunkBytes = 8 << 20;
/** A place counts one chunk as this much, so that it is an exact number. */
const chunkSpan = 2 ** 32;
const initialCapacity = 4_096;

/** The values of records as JSON texts beside the heap: records as objects take several times their bytes. */
export class PackedRecords {
  length = 0;
  bytes = 0;
  private chunks: Buffer[] = [];
  private used = 0;
  private places = new Float64Array(initialCapacity);
  private lengths = new Uint32Array(initialCapacity);

  add(value: JsonObject): void {
    const text = JSON.stringify(value);
    // A character takes three bytes at most.
    let chunk = this.chunks.at(-1);
    if (chunk === undefined || this.used + text.length * 3 > chunk.length) {
      chunk = Buffer.allocUnsafeSlow(Math.max(chunkBytes, text.length * 3));
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
    this.places = grown(this.places, new Float64Array(capacity));
    this.lengths = grown(this.lengths, new Uint32Array(capacity));
  }
}
