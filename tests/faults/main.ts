import { answerCounts } from './client';
import { help, readOptions } from './options';
import { run } from './run';

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) return console.log(help);
  const startedMs = performance.now();
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
      process.once(signal, () => reject(new Error(`Stopped by ${signal}`)));
  });
  stopped.catch(() => undefined);
  let [rounds, failed] = [0, 0];
  for (const backend of options.backends) {
    const { outcomes, problems } = await run({ ...options, backend, say: (line) => console.log(line), stopped });
    rounds += outcomes.length;
    const bad = outcomes.filter((outcome) => outcome.problems.length > 0);
    failed += bad.length + problems.length;
    for (const { seed } of bad)
      console.log(`Again: npm run test:faults -- --backend ${backend} --seed ${seed} --rounds 1`);
  }
  console.log(`Answers: ${[...answerCounts].map(([answer, count]) => `${count} × ${answer}`).join(', ')}`);
  console.log(
    `${rounds} rounds in ${Math.round((performance.now() - startedMs) / 1000)} s, ` +
      (failed === 0 ? 'all well' : `${failed} failed`),
  );
  if (failed > 0) process.exitCode = 1;
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  // Requests that were given up may still be retrying.
  .finally(() => process.exit());
