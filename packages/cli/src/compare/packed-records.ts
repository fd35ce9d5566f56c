import { grown, type JsonObject } from '@tieout/engine';

const chunkBytes = 8 << 20;
/** Positions per chunk: a position is chunk × chunkSpan + offset, which stays an exact number. */
const chunkSpan = 2 ** 32;
const initialCapacity = 4_096;
/** Memory that nothing was written to takes no room, and copies take time. */
export const growth = 4;
/** Bytes of packed values, after which only what the rule set reads is kept of a record. */
const maxShownBytes = 160 << 20;

/** The byte before each value: the length of a short text of Latin-1, or what follows. */
const tag = { maxShort: 249, absent: 250, number: 251, latin: 252, wide: 253, json: 254, whole: 255 } as const;
const lengthBytes = 4;
const maxLatinCode = 255;

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/** The keys to keep of each record: first those that the rule set reads, then those that are shown. */
export interface PackedKeys {
  read: readonly string[];
  shown: readonly string[];
}

/** The values of records for another thread. */
export type SharedRecords = Pick<PackedRecords, 'keys' | 'length' | 'places'> & { chunks: SharedArrayBuffer[] };

/**
 * The values of records as bytes beside the heap: records as objects take several times their bytes, and JSON several
 * times the time. What the rule set reads of a record comes first, so that comparing reads no more than it needs.
 */
export class PackedRecords {
  length = 0;
  places: Float64Array = new Float64Array(shared(initialCapacity * 8));
  private chunks: Buffer[] = [];
  /** The chunk that is written, the place of the open record in it, and its end. */
  private chunk: Buffer = Buffer.alloc(0);
  private start = 0;
  private used = 0;
  private bytes = 0;
  private readonly rest: readonly string[];

  /** @param keys the keys that are kept; null: all */
  constructor(readonly keys: PackedKeys | null) {
    const { read, shown } = keys ?? { read: [], shown: [] };
    this.rest = shown.filter((key) => !read.includes(key));
  }

  /** The same records for another thread. */
  share(): SharedRecords {
    const { keys, length, places, chunks } = this;
    return { keys, length, places, chunks: chunks.map(({ buffer }) => buffer as SharedArrayBuffer) };
  }

  static of({ chunks, ...columns }: SharedRecords): PackedRecords {
    const own = { ...columns, chunks: chunks.map((chunk) => Buffer.from(chunk)) };
    return Object.assign(new PackedRecords(columns.keys), own);
  }

  add(value: JsonObject): void {
    const { keys, rest } = this;
    if (keys === null) return this.addWhole(value);
    this.begin();
    this.putValues(value, keys.read);
    this.putValues(this.bytes < maxShownBytes ? value : {}, rest);
    this.end();
  }

  /** Adds a record with all its keys. */
  addWhole(value: JsonObject): void {
    this.begin();
    this.putTag(tag.whole);
    this.putText(JSON.stringify(value));
    this.end();
  }

  /** Returns what the rule set reads of a record. */
  readAt(record: number): JsonObject {
    const at = this.readerAt(record);
    if (at.isWhole()) return JSON.parse(at.text()) as JsonObject;
    const value: JsonObject = {};
    at.take(this.keys?.read ?? [], value);
    return value;
  }

  /** Returns what is kept of a record. */
  valueAt(record: number): JsonObject {
    const at = this.readerAt(record);
    if (at.isWhole()) return JSON.parse(at.text()) as JsonObject;
    const { read, shown } = this.keys ?? { read: [], shown: [] };
    const stored: JsonObject = {};
    at.take(read, stored);
    at.take(this.rest, stored);
    const value: JsonObject = {};
    for (const key of shown) if (Object.hasOwn(stored, key)) value[key] = stored[key];
    return value;
  }

  private readerAt(record: number): ValueReader {
    const place = this.places[record] as number;
    return new ValueReader(this.chunks[Math.floor(place / chunkSpan)] as Buffer, place % chunkSpan);
  }

  private begin(): void {
    this.start = this.used;
    this.reserve(1);
  }

  private end(): void {
    if (this.length === this.places.length) this.grow();
    this.places[this.length++] = (this.chunks.length - 1) * chunkSpan + this.start;
    this.bytes += this.used - this.start;
  }

  private putValues(value: JsonObject, keys: readonly string[]): void {
    for (const key of keys) {
      const own = value[key];
      if (typeof own === 'string') this.putText(own);
      else if (typeof own === 'number' && Number.isFinite(own)) this.putNumber(own);
      // An inherited member is neither a text nor a number.
      else if (own === undefined || !Object.hasOwn(value, key)) this.putTag(tag.absent);
      else {
        this.putTag(tag.json);
        this.putText(JSON.stringify(own));
      }
    }
  }

  private putTag(kind: number): void {
    this.reserve(1);
    this.chunk[this.used++] = kind;
  }

  private putNumber(number: number): void {
    this.reserve(1 + Float64Array.BYTES_PER_ELEMENT);
    this.chunk[this.used] = tag.number;
    // JSON has no negative zero.
    this.used = this.chunk.writeDoubleLE(number + 0, this.used + 1);
  }

  private putText(text: string): void {
    const { length } = text;
    if (length > tag.maxShort) return this.putLongText(text);
    this.reserve(1 + length);
    const { chunk, used } = this;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > maxLatinCode) return this.putLongText(text);
      chunk[used + 1 + at] = code;
    }
    chunk[used] = length;
    this.used += 1 + length;
  }

  private putLongText(text: string): void {
    this.reserve(1 + lengthBytes + 2 * text.length);
    const { chunk, used } = this;
    const isWide = beyondLatin.test(text);
    chunk[used] = isWide ? tag.wide : tag.latin;
    const from = chunk.writeUInt32LE(text.length, used + 1);
    this.used = from + chunk.write(text, from, isWide ? 'utf16le' : 'latin1');
  }

  /** Makes room for bytes of the open record, which lies in one chunk. */
  private reserve(bytes: number): void {
    if (this.used + bytes <= this.chunk.length) return;
    const open = this.chunk.subarray(this.start, this.used);
    this.chunk = Buffer.from(shared(Math.max(chunkBytes, open.length + bytes)));
    this.chunk.set(open);
    this.chunks.push(this.chunk);
    this.start = 0;
    this.used = open.length;
  }

  private grow(): void {
    this.places = grown(this.places, new Float64Array(shared(this.places.length * growth * 8)));
  }
}

const beyondLatin = /[^\0-\xff]/;

/** Reads the values of a record one after the other. */
class ValueReader {
  constructor(
    private readonly chunk: Buffer,
    private at: number,
  ) {}

  /** Returns whether the record is a text of JSON, which is next then. */
  isWhole(): boolean {
    const isWhole = this.chunk[this.at] === tag.whole;
    if (isWhole) this.at++;
    return isWhole;
  }

  /** Takes a value for each key. */
  take(keys: readonly string[], value: JsonObject): void {
    for (const key of keys) {
      const kind = this.chunk[this.at] as number;
      if (kind === tag.number) {
        value[key] = this.chunk.readDoubleLE(this.at + 1);
        this.at += 1 + Float64Array.BYTES_PER_ELEMENT;
      } else if (kind === tag.absent) this.at++;
      else if (kind === tag.json) {
        this.at++;
        value[key] = JSON.parse(this.text()) as JsonObject[string];
      } else value[key] = this.text();
    }
  }

  text(): string {
    const { chunk } = this;
    const kind = chunk[this.at] as number;
    const isShort = kind <= tag.maxShort;
    const length = isShort ? kind : chunk.readUInt32LE(this.at + 1);
    const from = this.at + 1 + (isShort ? 0 : lengthBytes);
    this.at = from + (kind === tag.wide ? 2 * length : length);
    return chunk.toString(kind === tag.wide ? 'utf16le' : 'latin1', from, this.at);
  }
}
