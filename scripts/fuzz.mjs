import { parseArgs } from 'node:util';
import { register } from 'esbuild-register/dist/node.js';
import { generate } from './build.mjs';
import { install } from './lib/install.mjs';
import { runMain } from '../tools/main.mjs';
import { requireFrom } from '../tools/paths.mjs';

const help = `Usage: npm run fuzz -- [--seed N] [--count N] [--minutes N] [--only expressions|pairs]

Holds random expressions over dirty records against jsonata, and random rule sets in batches against
the same pairs decided one by one and against a slow reading of the documentation. Every seed is one
case; it starts at --seed (default: from the clock) and ends after --count cases (default 10,000) or
--minutes, whichever comes first. The first difference is cut down, printed, and ends it with code 1.`;

const options = {
  seed: { type: 'string' },
  count: { type: 'string' },
  minutes: { type: 'string' },
  only: { type: 'string' },
  help: { type: 'boolean' },
};
const minuteMs = 60_000;

function wholeNumber(name, text, byDefault) {
  const number = Number(text ?? byDefault);
  if (!Number.isInteger(number) || number < 0) throw new Error(`--${name} takes a whole number`);
  return number;
}

function readPlan(values) {
  const { only, minutes } = values;
  if (only !== undefined && !['expressions', 'pairs'].includes(only))
    throw new Error('--only takes expressions or pairs');
  const limit = minutes === undefined ? Infinity : Number(minutes);
  if (!(limit > 0)) throw new Error('--minutes takes a number above 0');
  return {
    first: wholeNumber('seed', values.seed, Date.now() % 1e9),
    count: values.count === undefined && minutes !== undefined ? Infinity : wholeNumber('count', values.count, 10_000),
    endMs: Date.now() + limit * minuteMs,
    only,
  };
}

await runMain(async () => {
  const { values } = parseArgs({ options });
  if (values.help) return console.log(help);
  const plan = readPlan(values);
  await install(console.log);
  await generate(console.log);
  // The fuzzers are test code, which no build compiles.
  register({ target: 'es2023' });
  const { fuzzExpression, fuzzPairs, newPairTally, newTally } = requireFrom('packages/engine')('./fuzz');
  const tallies = { expressions: newTally(), pairs: newPairTally() };
  let reportMs = Date.now() + minuteMs;
  let cases = 0;
  for (; cases < plan.count && Date.now() < plan.endMs; cases++) {
    const seed = plan.first + cases;
    const found =
      (plan.only === 'pairs' ? null : await fuzzExpression(seed, tallies.expressions)) ??
      (plan.only === 'expressions' ? null : await fuzzPairs(seed, tallies.pairs));
    if (found) {
      console.log(JSON.stringify(found, null, 2));
      throw new Error(`Seed ${seed} differs. Again: npm run fuzz -- --seed ${seed} --count 1`);
    }
    if (Date.now() < reportMs) continue;
    console.log(`${cases + 1} cases, no difference`);
    reportMs += minuteMs;
  }
  console.log(`${cases} cases from seed ${plan.first}, no difference`);
  console.log(JSON.stringify(tallies));
});
