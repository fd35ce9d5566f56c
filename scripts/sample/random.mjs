/**
 * Random choices that are the same on every machine: the "mulberry32" generator (Tommy Ettinger, public domain), in
 * 32-bit integers only.
 */
export function seededRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const between = (low, high) => low + (next() % (high - low + 1));
  return {
    /** A whole number from low to high, both included. */
    between,
    /** True in `percent` of a hundred cases. */
    chance: (percent) => next() % 1000 < percent * 10,
    pick: (list) => list[next() % list.length],
    shuffle(list) {
      const copy = [...list];
      for (let index = copy.length - 1; index > 0; index--) {
        const other = between(0, index);
        [copy[index], copy[other]] = [copy[other], copy[index]];
      }
      return copy;
    },
  };
}
