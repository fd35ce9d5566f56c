/** A seeded source of choices: the same seed gives the same cases, anywhere. */
export interface Random {
  /** 0 <= x < 1. */
  next(): number;
  /** 0 .. bound - 1. */
  below(bound: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  /** Picks by weight. */
  weighted<T>(choices: readonly (readonly [weight: number, choice: T])[]): T;
  /** Between `least` and `most` items. */
  list<T>(least: number, most: number, make: (index: number) => T): T[];
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty for cases that are run once. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (choices) => at(choices, below(choices.length)),
    weighted: (choices) => {
      let rest = next() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, choice] of choices) {
        rest -= weight;
        if (rest < 0) return choice;
      }
      return at(choices, choices.length - 1)[1];
    },
    list: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, (_, index) => make(index)),
  };
}

function at<T>(choices: readonly T[], index: number): T {
  if (index >= choices.length || index < 0) throw new RangeError('nothing to choose from');
  return choices[index] as T;
}
