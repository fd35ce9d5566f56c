import { parseArgs } from 'node:util';
import { faults, scales, type Disturbance, type Scale } from './faults';
import type { Backend } from './world';

const groups = [...new Set(faults.map(({ name }) => name.split('-')[0]))];

const describe = ({ name, what, backend }: Disturbance): string =>
  `  ${name.padEnd(22)} ${what}${backend === undefined ? '' : ` (${backend} only)`}`;

export const help = `Usage: npm run test:faults -- [options]

Runs the built processes on its own PostgreSQL, Redis and network, under the load of several
tenants, and disturbs them. After each round nothing may be lost, doubled or stuck.

  --rounds N       Rounds on each backend (default 10)
  --seed N         Seed of the first round (default: from the clock); each round has the next one
  --backend NAME   Where the queues live: redis, postgres or both (default: both, one after the other)
  --only FAULTS    Faults or groups of them, with commas between: ${groups.join(', ')}
  --times NAME     Duration of outages: short (with a smaller load), normal (default), long (over a minute)
  --overlap N      Rounds that may still be settling when the next one begins (default 2)
  --keep-going     Goes on after a round that failed

${faults.map(describe).join('\n')}

A round that fails says how to repeat it, and leaves the logs of all processes.`;

export interface Options {
  help: boolean;
  rounds: number;
  seed: number;
  backends: Backend[];
  only: string[] | undefined;
  scale: Scale;
  overlap: number;
  keepGoing: boolean;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** @throws for what it does not know */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      rounds: text,
      seed: text,
      backend: text,
      only: text,
      times: text,
      overlap: text,
      'keep-going': flag,
      help: flag,
    },
  });
  const { backend = 'both', times = 'normal' } = values;
  if (backend !== 'both' && backend !== 'redis' && backend !== 'postgres')
    throw new Error('--backend takes redis, postgres or both');
  if (!Object.hasOwn(scales, times)) throw new Error('--times takes short, normal or long');
  return {
    help: values.help ?? false,
    rounds: wholeNumber('rounds', values.rounds, 10),
    seed: wholeNumber('seed', values.seed, Date.now() % 1e9),
    backends: backend === 'both' ? ['postgres', 'redis'] : [backend],
    only: values.only?.split(','),
    scale: scales[times as keyof typeof scales],
    overlap: wholeNumber('overlap', values.overlap, 2),
    keepGoing: values['keep-going'] ?? false,
  };
}

function wholeNumber(name: string, given: string | undefined, byDefault: number): number {
  const number = Number(given ?? byDefault);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`--${name} takes a whole number`);
  return number;
}
