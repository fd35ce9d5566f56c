import { startChild } from './child.mjs';
import { writeBodies } from './workload.mjs';

/** DuckDB in its own process, with the bodies of one size in files. */
export async function startDuckDb({ size, directory, cleanup }) {
  const files = writeBodies(size, directory);
  const child = startChild('duckdb', { heapMb: 256 });
  cleanup.add(() => child.stop());
  return {
    /** Loads the files, then joins: seconds of each and of both. */
    async run() {
      const load = await child.call('load', files);
      const join = await child.call('join');
      return { load: load.seconds, join: join.seconds, both: load.seconds + join.seconds };
    },
    counts: () => child.call('counts'),
    version: () => child.call('version'),
    peakMiB: child.peakMiB,
    stop: child.stop,
  };
}

/** @param {{ pairs: number, kept: number }} product @param {{ pairs: number, kept: number }} reference */
export function assertSameCounts(product, reference) {
  if (product.pairs === reference.pairs && product.kept === reference.kept) return;
  throw new Error(
    `The product finds ${product.pairs} pairs and keeps ${product.kept}, ` +
      `DuckDB ${reference.pairs} and ${reference.kept}`,
  );
}
