/** Random choices that a seed makes repeatable. */
export interface RoundRandom {
  /** Whole number from `low` to `high`, both included. */
  int(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** Picks `count` different items, in random order. */
  sample<T>(from: readonly T[], count: number): T[];
  /** Returns an independent generator: its draws do not change those of this one. */
  fork(label: string): RoundRandom;
}

/** SplitMix32: every seed gives a full period, and neighbouring seeds have nothing in common. */
export function seeded(seed: number): RoundRandom {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
  const int = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    int,
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]): T => from[int(0, from.length - 1)] as T,
    sample: <T>(from: readonly T[], count: number): T[] => {
      const left = [...from];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(int(0, left.length - 1), 1)[0] as T,
      );
    },
    fork: (label) =>
      seeded(
        Math.imul(seed + 1, 0x9e3779b1) ^
          [...label].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), 0x811c9dc5),
      ),
  };
}
