import fs from 'node:fs';
import { stopRequested } from '../tools/main.mjs';
import { inRoot } from '../tools/paths.mjs';
import { tableLines } from '../tools/table.mjs';
import { createCleanup } from '../tools/cleanup.mjs';
import { startChild } from './child.mjs';
import { loadRecords } from './loading.mjs';
import { peakMiB } from './memory.mjs';
import { sizeText } from './command-line.mjs';
import { benchAssignment } from './parts/assignment.mjs';
import { benchBatchLoop } from './parts/batch-loop.mjs';
import { benchCompare } from './parts/compare.mjs';
import { benchComposition } from './parts/composition.mjs';
import { benchDeliveries } from './parts/deliveries.mjs';
import { benchExpressions } from './parts/expressions.mjs';
import { benchJobs } from './parts/job.mjs';
import { benchJoin } from './parts/join.mjs';
import { benchReconciliations } from './parts/reconciliations.mjs';
import { benchSuggestions } from './parts/suggestions.mjs';
import { benchTables } from './parts/tables.mjs';
import { benchTexts } from './parts/texts.mjs';
import { benchWorkers } from './parts/workers.mjs';
import { benchWriter } from './parts/writer.mjs';
import { createReport } from './report.mjs';
import { machine, resultsPage, versions } from './results.mjs';
import { startService, temporaryDirectory } from './service.mjs';

const parts = {
  a: benchExpressions,
  b: benchBatchLoop,
  c: benchJoin,
  d: benchJobs,
  e: benchWriter,
  f: benchWorkers,
  g: benchComposition,
  h: benchDeliveries,
  i: benchAssignment,
  j: benchReconciliations,
  k: benchSuggestions,
  l: benchTables,
  m: benchTexts,
  n: benchCompare,
};
const resultsFile = inRoot('bench', 'RESULTS.md');

/** Memoizes `make`. */
const once = (make) => {
  let made;
  return () => (made ??= make());
};

/** Makes what the parts share: one service, and each size loaded into it once. */
function createContext({ sizes, rounds, quick }, { report, cleanup, say }) {
  const directory = temporaryDirectory(cleanup);
  const service = once(() => startService({ directory, say, cleanup }));
  const bySize = new Map();
  const load = async (size) => {
    const running = await service();
    say(`\nLoading ${sizeText(size)} a side …`);
    return loadRecords(running, size);
  };
  return {
    sizes,
    rounds,
    quick,
    report,
    cleanup,
    directory,
    service,
    loaded(size) {
      if (!bySize.has(size)) bySize.set(size, load(size));
      return bySize.get(size);
    },
  };
}

async function serverVersions(context) {
  const { database } = await context.service();
  const postgres = (await database.query('show server_version')).rows[0].server_version;
  const child = startChild('duckdb', { heapMb: 256 });
  context.cleanup.add(() => child.stop());
  const duckDb = await child.call('version');
  await child.stop();
  return versions({ postgres, duckDb });
}

function sayMemory(report, say) {
  say('\nPeak resident set of every process');
  for (const line of tableLines(
    [{ title: 'process' }, { title: 'MiB', right: true }],
    report.peaks().map(({ name, mib }) => [name, String(mib)]),
  ))
    say(line);
}

function sayGoals(report, say) {
  const missed = report.goals().filter(({ met }) => met !== 'met');
  say(`\n${report.goals().length - missed.length} of ${report.goals().length} goals met`);
  for (const { part, what, goal, ratio } of missed) say(`  not met: ${part} ${what}: ${ratio}, goal ${goal}`);
}

async function measureAll(options, context, say) {
  const { report } = context;
  for (const letter of options.parts) await parts[letter](context);
  if (options.parts.some((letter) => 'cdefhij'.includes(letter))) {
    for (const { name, mib } of (await context.service()).memoryPeaks()) report.peak(`service: ${name}`, mib);
  }
  report.peak('this program', peakMiB(process.pid));
  sayMemory(report, say);
  sayGoals(report, say);
  if (!options.writeResults) return;
  const environment = [...machine(), ...(await serverVersions(context))];
  fs.writeFileSync(resultsFile, resultsPage({ report, environment, rounds: options.rounds }));
  say('\nWrote bench/RESULTS.md');
}

/**
 * Measures the chosen parts one after the other. Leaves neither process nor file behind, also when it is interrupted.
 *
 * @param {ReturnType<import('./options.mjs').readOptions>} options @param {(line: string) => void} say
 */
export async function runBench(options, say) {
  const cleanup = createCleanup();
  const stopped = stopRequested().then((signal) => {
    throw new Error(`${signal}: stopped`);
  });
  try {
    await Promise.race([
      measureAll(options, createContext(options, { report: createReport(say), cleanup, say }), say),
      stopped,
    ]);
  } finally {
    await cleanup.run();
  }
}
