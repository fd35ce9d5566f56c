/** Bound on the length of texts that are looked up; longer ones repeat less. */
const maxRepeatedLength = 128;
const maxTexts = 1 << 15;

/** Number of texts after which to decide whether lookups pay off, and the hits that they need for it. */
const trialTexts = 1 << 13;
const minHits = trialTexts / 8;

/** Initial slots, a power of two; at most half of the slots are used. */
const initialSlots = 1 << 10;
const maxProbes = 8;

/**
 * Finds the row in which each text occurred first, so that its value can be copied instead of evaluated again.
 *
 * A hash table with open addressing, which needs two thirds of a Map's time for texts that were just parsed. It hashes
 * all texts of a block before it looks any up, and a different hash in a slot nearly always shows, without a read from
 * elsewhere in memory, that the slot holds another text. Texts made to collide find no slot and count as new.
 */
export class RepeatedTexts {
  /** Hash in each slot; 0 where it is free. */
  private hashes = new Int32Array(initialSlots);
  private rows = new Int32Array(initialSlots);
  private texts = new Array<string>(initialSlots).fill('');
  private size = 0;
  /** Hashes of the texts of a block; 0 for values that are not looked up. */
  private readonly asked: Int32Array;
  private lookups = 0;
  private hits = 0;
  private gaveUp = false;

  /** @param maxPerLookup max texts of one lookup */
  constructor(maxPerLookup: number) {
    this.asked = new Int32Array(maxPerLookup);
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

  /**
   * Writes into `found`, for the first `count` values, the row that had the text before, or the value's own row;
   * the first value is in `row`.
   */
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

/** Hashes UTF-16 units by Fowler, Noll and Vo's FNV-1a; never 0. */
export function hashOf(text: string): number {
  let hash = text.length;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  return hash === 0 ? 1 : hash;
}
