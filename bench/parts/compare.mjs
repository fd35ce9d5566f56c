import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { sizeText } from '../command-line.mjs';
import { startDuckDb } from '../duckdb.mjs';
import { alternate, warmUp } from '../measure.mjs';
import { peakMiB } from '../memory.mjs';
import { duration, share } from '../report.mjs';
import { ruleSet } from '../rule-sets.mjs';
import { writeBodies } from '../workload.mjs';
import { inRoot } from '../../tools/paths.mjs';

const program = inRoot('packages', 'cli', 'bin', 'tieout.mjs');
/** Below, the start of a program takes longer than its work. */
const smallestMeasured = 100_000;
const smallestWithGoal = 1_000_000;
const memoryPollMs = 100;

/** (n) `tieout compare` from start to end, against DuckDB loading and joining the same files. */
export async function benchCompare(context) {
  for (const size of context.sizes.filter((one) => one >= smallestMeasured)) await benchSize(context, size);
}

async function benchSize({ directory, cleanup, rounds, report }, size) {
  report.announce(`(n) ${sizeText(size)} a side`);
  const files = writeBodies(size, directory);
  const rules = path.join(directory, 'compare-rules.json');
  fs.writeFileSync(rules, JSON.stringify(ruleSet));
  const duckDb = await startDuckDb({ size, directory, cleanup });
  await warmUp(() => duckDb.run());
  let peak = 0;
  const compare = async () => {
    const run = await compareOnce([files.left, files.right, '--rules', rules], cleanup);
    peak = Math.max(peak, run.peak);
    return { seconds: run.seconds };
  };
  const { duckDb: reference, product } = await alternate(rounds, { duckDb: () => duckDb.run(), product: compare });
  report.section(`(n) tieout compare, ${sizeText(size)} a side`);
  report.compare({
    what: 'read + compare + show, against load + join',
    product: duration(product.seconds),
    reference: duration(reference.both),
    measured: product.seconds / reference.both,
    show: share,
    ...(size >= smallestWithGoal ? { atMost: 1.5 } : {}),
  });
  report.note(
    'The product starts anew each time and tells the format of the files; DuckDB is warm and told its columns.',
  );
  report.finish();
  report.peak(`(n) tieout compare, ${sizeText(size)}`, peak);
  await duckDb.stop();
}

/** Returns the seconds from start to end, and the peak of memory. */
function compareOnce(args, cleanup) {
  return new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const child = spawn(process.execPath, ['--max-semi-space-size=64', program, 'compare', ...args], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    cleanup.add(() => child.kill('SIGKILL'));
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, peakMiB(child.pid) ?? 0)), memoryPollMs);
    child.on('error', reject);
    child.on('exit', (code) => {
      clearInterval(watch);
      if (code === 1) resolve({ seconds: (performance.now() - startedMs) / 1000, peak });
      else reject(new Error(`tieout compare ended with code ${code}`));
    });
  });
}
