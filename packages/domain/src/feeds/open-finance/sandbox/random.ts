import { createHash } from 'node:crypto';

/** A random generator whose results depend on its name only. */
export interface Dice {
  /** Returns an integer, both ends included. */
  int(from: number, to: number): number;
  pick<T>(of: readonly T[]): T;
}

/** Computes FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** Creates a Mulberry32 generator, seeded with the name. */
export function dice(...name: (string | number)[]): Dice {
  let state = hashOf(name.join('/'));
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const int = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return { int, pick: (of) => of[int(0, of.length - 1)] as (typeof of)[number] };
}

/** Derives a UUID from the name (version 8: made of a hash). */
export function idOf(...name: (string | number)[]): string {
  const bytes = createHash('sha256').update(name.join('/')).digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes.readUInt8(6) & 15);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 63);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Derives decimal digits from the name. */
export function digitsOf(count: number, ...name: (string | number)[]): string {
  const chance = dice(...name);
  return Array.from({ length: count }, () => chance.int(0, 9)).join('');
}
