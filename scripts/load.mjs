import { runTool } from '../bench/command-line.mjs';
import { help, readOptions } from '../bench/load/options.mjs';
import { runMain } from '../tools/main.mjs';
import { build } from './build.mjs';

async function run(options) {
  await build(console.log);
  const { runLoad } = await import('../bench/load/run.mjs');
  if (!(await runLoad(options, console.log))) process.exitCode = 1;
}

await runMain(() => runTool({ readOptions, help, run }));
