import { grown, type JsonObject } from '@tieout/engine';

const chunkBytes = 8 << 20;
/** Positions per chunk: a position is chunk × chunkSpan + offset, which stays an exact number. */
const chunkSpan = 2 ** 32;
const initialCapacity = 4_096;
/** Memory that nothing was written to takes no room, and copies take time. */
export const growth = 4;
/** Bytes of packed values, after which only what the rule set reads is kept of a record. */
const maxShownBytes = 160 << 20;

/** Forms of the text of a record: ASCII, which is decoded faster; an object with all its keys. */
const form = { ascii: 1, object: 2 } as const;

const shared = (bytes: number): SharedArrayBuffer => new SharedArrayBuffer(bytes);

/** The keys to keep of each record: first those that the rule set reads, then those that are shown. */
export interface PackedKeys {
  read: readonly string[];
  shown: readonly string[];
}

const sharedFields = ['keys', 'length', 'bytes', 'used', 'places', 'readBytes', 'restBytes', 'forms'] as const;

/** The values of records for another thread. */
export type SharedRecords = Pick<PackedRecords, (typeof sharedFields)[number]> & { chunks: SharedArrayBuffer[] };

/**
 * The values of records as JSON texts beside the heap: records as objects take several times their bytes. A record is
 * two lists, of what the rule set reads and of the rest, so that comparing reads no more than it needs.
 */
export class PackedRecords {
  length = 0;
  bytes = 0;
  used = 0;
  places: Float64Array = new Float64Array(shared(initialCapacity * 8));
  readBytes: Uint32Array = new Uint32Array(shared(initialCapacity * 4));
  restBytes: Uint32Array = new Uint32Array(shared(initialCapacity * 4));
  forms: Uint8Array = new Uint8Array(shared(initialCapacity));
  private chunks: Buffer[] = [];
  private readonly rest: readonly string[];
  /** The place of each shown key among the keys that are read and then the rest. */
  private readonly order: readonly number[];

  /** @param keys the keys that are kept; null: all */
  constructor(readonly keys: PackedKeys | null) {
    const { read, shown } = keys ?? { read: [], shown: [] };
    this.rest = shown.filter((key) => !read.includes(key));
    const stored = [...read, ...this.rest];
    this.order = shown.map((key) => stored.indexOf(key));
  }

  /** The same records for another thread. */
  share(): SharedRecords {
    const own = Object.fromEntries(sharedFields.map((name) => [name, this[name]]));
    const chunks = this.chunks.map(({ buffer }) => buffer as SharedArrayBuffer);
    return { ...(own as Omit<SharedRecords, 'chunks'>), chunks };
  }

  static of({ chunks, ...columns }: SharedRecords): PackedRecords {
    const own = { ...columns, chunks: chunks.map((chunk) => Buffer.from(chunk)) };
    return Object.assign(new PackedRecords(columns.keys), own);
  }

  add(value: JsonObject): void {
    const { keys, rest } = this;
    if (keys === null) return this.addWhole(value);
    this.put(listOf(value, keys.read), this.bytes < maxShownBytes ? listOf(value, rest) : '', 0);
  }

  /** Adds a record with all its keys. */
  addWhole(value: JsonObject): void {
    this.put(JSON.stringify(value), '', form.object);
  }

  /** Returns what the rule set reads of a record. */
  readAt(record: number): JsonObject {
    const { keys } = this;
    const list = this.firstAt(record);
    return keys === null || this.has(record, form.object)
      ? (list as JsonObject)
      : valueOf(keys.read, list as unknown[]);
  }

  /** Returns what is kept of a record. */
  valueAt(record: number): JsonObject {
    const { keys } = this;
    if (keys === null || this.restBytes[record] === 0) return this.readAt(record);
    const from = (this.places[record] as number) + (this.readBytes[record] as number);
    const rest = this.textAt(record, from, this.restBytes[record] as number);
    const stored = [...(this.firstAt(record) as unknown[]), ...(JSON.parse(rest) as unknown[])];
    return valueOf(
      keys.shown,
      this.order.map((at) => stored[at]),
    );
  }

  private firstAt(record: number): unknown {
    return JSON.parse(this.textAt(record, this.places[record] as number, this.readBytes[record] as number));
  }

  private has(record: number, bit: number): boolean {
    return ((this.forms[record] as number) & bit) !== 0;
  }

  private textAt(record: number, place: number, length: number): string {
    const from = place % chunkSpan;
    const chunk = this.chunks[Math.floor(place / chunkSpan)] as Buffer;
    return chunk.toString(this.has(record, form.ascii) ? 'latin1' : 'utf8', from, from + length);
  }

  private put(read: string, rest: string, own: number): void {
    // A character takes three bytes at most.
    const room = (read.length + rest.length) * 3;
    let chunk = this.chunks.at(-1);
    if (chunk === undefined || this.used + room > chunk.length) {
      chunk = Buffer.from(shared(Math.max(chunkBytes, room)));
      this.chunks.push(chunk);
      this.used = 0;
    }
    if (this.length === this.places.length) this.grow();
    const record = this.length++;
    const written = chunk.write(read + rest, this.used);
    const isAscii = written === read.length + rest.length;
    const first = isAscii ? read.length : Buffer.byteLength(read);
    this.places[record] = (this.chunks.length - 1) * chunkSpan + this.used;
    this.readBytes[record] = first;
    this.restBytes[record] = written - first;
    this.forms[record] = own | (isAscii ? form.ascii : 0);
    this.used += written;
    this.bytes += written;
  }

  private grow(): void {
    const capacity = this.places.length * growth;
    this.places = grown(this.places, new Float64Array(shared(capacity * 8)));
    this.readBytes = grown(this.readBytes, new Uint32Array(shared(capacity * 4)));
    this.restBytes = grown(this.restBytes, new Uint32Array(shared(capacity * 4)));
    this.forms = grown(this.forms, new Uint8Array(shared(capacity)));
  }
}

/** Writes values in the order of their keys: an absent one as an empty list, a list or an object inside of one. */
function listOf(value: JsonObject, keys: readonly string[]): string {
  const list: unknown[] = [];
  for (const key of keys) {
    const own = Object.hasOwn(value, key) ? value[key] : undefined;
    if (own === undefined) list.push([]);
    else list.push(typeof own === 'object' && own !== null ? [own] : own);
  }
  return JSON.stringify(list);
}

function valueOf(keys: readonly string[], list: readonly unknown[]): JsonObject {
  const value: JsonObject = {};
  for (let at = 0; at < keys.length; at++) {
    const own = list[at];
    if (!Array.isArray(own)) value[keys[at] as string] = own;
    else if (own.length > 0) value[keys[at] as string] = own[0] as JsonObject[string];
  }
  return value;
}
