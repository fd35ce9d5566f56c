import { UsageError } from '../bench/command-line.mjs';
import { help, readOptions } from '../bench/load/options.mjs';
import { runMain } from './lib/main.mjs';

const usageExitCode = 2;

await runMain(async () => {
  try {
    const options = readOptions(process.argv.slice(2));
    if (options.help) return console.log(help);
    const { runLoad } = await import('../bench/load/run.mjs');
    if (!(await runLoad(options, console.log))) process.exitCode = 1;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(`${error.message}\n\n${help}`);
    process.exitCode = usageExitCode;
  }
});
