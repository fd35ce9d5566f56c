import { testServers } from '@tieout/testing';
import { hasRedis } from '../support/redis';
import { scales } from './faults';
import { run } from './run';

const seed = 1;
const spreadMs = 800;
const timeoutMs = 1_200_000;

/** The faults of each round. With Redis: faults of Redis itself, and those after which another worker takes a job. */
const plans = {
  postgres: [
    ['kill-api', 'kill-ingest-worker'],
    ['kill-matching-worker', 'kill-children'],
    ['postgres-crash', 'disk-full'],
    ['network-cut', 'network-stall', 'network-forget'],
    ['hang', 'kill-webhook-worker', 'kill-background-worker', 'term'],
  ],
  redis: [
    ['kill-everything', 'postgres-restart'],
    ['redis-stop', 'redis-flush', 'redis-hang'],
    ['network-reset', 'network-slow', 'hang', 'kill-matching-worker', 'kill-dashboard'],
  ],
} as const;

const backend = testServers().redisUrl === undefined ? 'postgres' : 'redis';

// The test stops its servers, so it must have started them: a Redis that is given by an address is not enough.
(backend === 'postgres' || hasRedis() ? test : test.skip)(
  'under every fault nothing is lost, doubled or stuck',
  async () => {
    const plan = plans[backend];
    const said: string[] = [];
    const { outcomes, problems } = await run({
      backend,
      plan,
      rounds: plan.length,
      seed,
      scale: scales.short,
      overlap: plan.length,
      keepGoing: true,
      spreadMs,
      say: (line) => said.push(line),
    });
    const wrong = [
      ...outcomes.flatMap((outcome) => outcome.problems.map((problem) => `seed ${outcome.seed}: ${problem}`)),
      ...problems,
    ];
    expect(wrong.length === 0 ? [] : [...wrong, ...said]).toEqual([]);
    expect(outcomes).toHaveLength(plan.length);
  },
  timeoutMs,
);
