import { UsageError } from '../bench/command-line.mjs';
import { help, readOptions } from '../bench/options.mjs';
import { runBench } from '../bench/run.mjs';
import { runMain } from './lib/main.mjs';

const usageExitCode = 2;

function options() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${help}`);
    process.exitCode = usageExitCode;
    return null;
  }
}

await runMain(async () => {
  const chosen = options();
  if (chosen === null) return;
  if (chosen.help) console.log(help);
  else await runBench(chosen, console.log);
});
