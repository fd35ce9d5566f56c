import { performance } from 'node:perf_hooks';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const geometricMean = (values) =>
  Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);

/** Runs work and returns its value and how long it took. */
export async function timed(work) {
  const startedAt = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - startedAt) / 1000 };
}

/** Processes of the service live long: what is measured has been optimised, as theirs is. */
const warmUpMs = 2_000;

/** Runs the work until it is warm and returns what it gave last. */
export async function warmUp(run, ms = warmUpMs) {
  for (const startedAt = performance.now(); ;) {
    const value = await run();
    if (performance.now() - startedAt >= ms) return value;
  }
}

/**
 * Alternates measurements, so that noise of the machine affects all alike, and returns the median of each. The order
 * reverses from round to round.
 *
 * @param {number} rounds
 * @param {Record<string, () => Promise<Record<string, number>>>} measurements Each returns named figures.
 * @returns {Promise<Record<string, Record<string, number>>>}
 */
export async function alternate(rounds, measurements) {
  const names = Object.keys(measurements);
  const seen = new Map(names.map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) seen.get(name).push(await measurements[name]());
  }
  return Object.fromEntries([...seen].map(([name, figures]) => [name, mediansOf(figures)]));
}

function mediansOf(figures) {
  return Object.fromEntries(Object.keys(figures[0]).map((key) => [key, median(figures.map((figure) => figure[key]))]));
}
