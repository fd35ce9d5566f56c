import { parseArgs } from 'node:util';
import { benchJob } from '../bench/job.mjs';
import { runMain } from './lib/main.mjs';

const help = `Usage: npm run bench -- [--records N] [--quick]

Starts a service of its own, ingests N records a side (default 20,000; --quick: 5,000), reconciles
them, and prints where the time goes, with ratios against references measured in the same run.`;

await runMain(async () => {
  const { values } = parseArgs({ options: { records: { type: 'string' }, quick: { type: 'boolean' }, help: { type: 'boolean' } } });
  if (values.help) return console.log(help);
  const size = Number(values.records ?? (values.quick ? 5_000 : 20_000));
  if (!Number.isInteger(size) || size < 100) throw new Error('--records takes a whole number of at least 100');
  await benchJob({ size, say: console.log });
});
