import { runTool } from '../bench/command-line.mjs';
import { help, readOptions } from '../bench/options.mjs';
import { runMain } from '../tools/main.mjs';
import { build } from './build.mjs';

async function run(options) {
  await build(console.log);
  const { runBench } = await import('../bench/run.mjs');
  await runBench(options, console.log);
}

await runMain(() => runTool({ readOptions, help, run }));
