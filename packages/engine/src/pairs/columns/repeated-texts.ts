/** Longer texts repeat less. */
const maxRepeatedLength = 128;
const maxTexts = 1 << 15;

/** Texts after which it is decided whether looking them up is worth while, and how many of them have to be known. */
const trialTexts = 1 << 13;
const minHits = trialTexts / 8;

/** Powers of two; half of them at most are taken. */
const initialSlots = 1 << 10;
const maxProbes = 8;

/**
 * The first rows of texts: what an expression makes of a text is the same for each row.
 *
 * A hash table with open addressing, which takes two thirds of a Map's time for texts that were just parsed: those of a block are hashed
 * before any is looked up, and a slot's hash tells nearly always, without a text from elsewhere in memory, that it holds another one. Texts
 * made to collide find no place and count as new.
 */
export class RepeatedTexts {
  /** By slot; 0 where it is free. */
  private hashes = new Int32Array(initialSlots);
  private rows = new Int32Array(initialSlots);
  private texts = new Array<string>(initialSlots).fill('');
  private size = 0;
  /** Of the texts of a block; 0 for what is not looked up. */
  private readonly asked: Int32Array;
  private lookups = 0;
  private hits = 0;
  private gaveUp = false;

  /** Up to `most` texts are looked up at a time. */
  constructor(most: number) {
    this.asked = new Int32Array(most);
  }

  isWorthwhile(): boolean {
    if (this.lookups >= trialTexts) {
      this.gaveUp = this.hits < minHits;
      this.lookups = 0;
      this.hits = 0;
      if (this.gaveUp) this.empty();
    }
    return !this.gaveUp;
  }

  /** Puts into `found`, for the first `count` values, the row that had the text before, or the value's own: that of the first is `row`. */
  find(values: readonly unknown[], count: number, row: number, found: Int32Array): void {
    const { asked } = this;
    for (let index = 0; index < count; index++) {
      const value = values[index];
      asked[index] = 0;
      if (typeof value !== 'string') continue;
      this.lookups++;
      if (value.length <= maxRepeatedLength) asked[index] = hashOf(value);
    }
    for (let index = 0; index < count; index++) {
      const hash = asked[index] as number;
      found[index] = hash === 0 ? row + index : this.rowOf(values[index] as string, hash, row + index);
    }
  }

  clear(): void {
    this.empty();
    this.lookups = 0;
    this.hits = 0;
    this.gaveUp = false;
  }

  private rowOf(text: string, hash: number, row: number): number {
    const { hashes } = this;
    const mask = hashes.length - 1;
    for (let probe = 0; probe < maxProbes; probe++) {
      const slot = (hash + probe) & mask;
      const taken = hashes[slot];
      if (taken === 0) {
        this.put(slot, text, hash, row);
        return row;
      }
      if (taken === hash && this.texts[slot] === text) {
        this.hits++;
        return this.rows[slot] as number;
      }
    }
    return row;
  }

  private put(slot: number, text: string, hash: number, row: number): void {
    if (this.size >= maxTexts) return;
    this.hashes[slot] = hash;
    this.rows[slot] = row;
    this.texts[slot] = text;
    this.size++;
    if (2 * this.size >= this.hashes.length && this.size < maxTexts) this.grow();
  }

  private grow(): void {
    const { hashes, rows, texts } = this;
    this.allot(2 * hashes.length);
    for (const [slot, hash] of hashes.entries())
      if (hash !== 0) this.rowOf(texts[slot] as string, hash, rows[slot] as number);
  }

  private empty(): void {
    if (this.size > 0) this.allot(initialSlots);
  }

  private allot(slots: number): void {
    this.hashes = new Int32Array(slots);
    this.rows = new Int32Array(slots);
    this.texts = new Array<string>(slots).fill('');
    this.size = 0;
  }
}

/** Fowler, Noll and Vo's hash (FNV-1a), of UTF-16 units; never 0. */
export function hashOf(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return hash === 0 ? 1 : hash;
}
