import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pause } from './client';
import type { Proxy, ProxyState } from './proxy';
import type { RoundRandom } from './random';
import type { Backend, World } from './world';

export interface Disturbance {
  /** For --only, which also takes the part before the dash. */
  name: string;
  what: string;
  /** Default: both. */
  backend?: Backend;
  /** Causes the fault, repairs it, and returns a description of what was done. */
  run(world: World, random: RoundRandom, scale: Scale): Promise<string>;
}

/** Times that are shorter, and loads that are smaller, where many rounds have to fit into little time. */
export interface Scale {
  outageMs: { min: number; max: number };
  /** Longer than a lock of a queue job lasts. */
  hangMs: number;
  /** Numbers of rows of the books that matching jobs compare; a large book gives several batches. */
  bookSizes: readonly number[];
  /** Matching jobs of a round at most, besides the one that is cancelled and the one that is not disturbed. */
  maxJobs: number;
  /** Rows of a file at most. */
  maxFileRows: number;
}

const fullLoad = { bookSizes: [250, 250, 1_000], maxJobs: 3, maxFileRows: 4_000 } as const;

export const scales = {
  short: {
    outageMs: { min: 300, max: 2_500 },
    hangMs: 12_500,
    bookSizes: [150, 300],
    maxJobs: 1,
    maxFileRows: 1_000,
  },
  normal: { outageMs: { min: 300, max: 8_000 }, hangMs: 14_000, ...fullLoad },
  long: { outageMs: { min: 20_000, max: 75_000 }, hangMs: 45_000, ...fullLoad },
} as const satisfies Record<string, Scale>;

const outage = (random: RoundRandom, { outageMs }: Scale): number => random.int(outageMs.min, outageMs.max);

/** Waits a while for a job that is being worked on: where it is hit is what counts. */
async function inTheMiddleOfAJob({ query }: World, random: RoundRandom): Promise<void> {
  for (let i = 0; i < 30; i++) {
    const running = await query(
      `select 1 from matching_jobs where status = 'running' and planned_at is not null limit 1`,
    );
    if (running.length > 0) break;
    await pause(100);
  }
  await pause(random.int(0, 500));
}

const kill = (
  name: string,
  instances: readonly string[] = [name],
  moment: (world: World, random: RoundRandom) => Promise<void> = () => Promise.resolve(),
): Disturbance => ({
  name: `kill-${name}`,
  what: `kill -9 of the ${name}, which is started again a little later`,
  run: async (world, random) => {
    const { fleet } = world;
    const victim = random.pick(instances);
    const awayMs = random.int(0, 1_500);
    await moment(world, random);
    await fleet.kill(victim);
    await pause(awayMs);
    await fleet.start(victim);
    return `kill -9 of ${victim}, back after ${awayMs} ms`;
  },
});

const matchingWorkers = ['matching-worker-1', 'matching-worker-2'];
const withChildren = ['ingest-worker', ...matchingWorkers, 'api'];

/** The way to one server, for one process or for all. */
function pickWays({ network, fleet, redis }: World, random: RoundRandom): { ways: Proxy[]; named: string } {
  const server = redis !== null && random.chance(0.5) ? 'redis' : 'postgres';
  const whose = random.chance(0.5) ? fleet.members.map((member) => member.name) : [random.pick(fleet.members).name];
  const ways = whose.flatMap((process) => network.get(process)?.[server] ?? []);
  return { ways, named: `to ${server} for ${whose.length === 1 ? whose[0] : 'all'}` };
}

function cutNetwork(name: string, what: string, disturb: (random: RoundRandom) => ProxyState): Disturbance {
  return {
    name,
    what,
    run: async (world, random, scale) => {
      const { ways, named } = pickWays(world, random);
      const state = disturb(random);
      const forMs = outage(random, scale);
      for (const way of ways) way.set(state);
      await pause(forMs);
      for (const way of ways) way.set({ kind: 'open' });
      return `network ${named} ${JSON.stringify(state)} for ${forMs} ms`;
    },
  };
}

const restartPostgres = (mode: 'fast' | 'immediate', what: string): Disturbance => ({
  name: mode === 'fast' ? 'postgres-restart' : 'postgres-crash',
  what,
  run: async (world, random, scale) => {
    const downMs = random.chance(0.5) ? 0 : outage(random, scale);
    if (random.chance(0.5)) await inTheMiddleOfAJob(world, random);
    if (mode === 'immediate') world.crashes++;
    await world.postgres.restart({ mode, downMs });
    return `PostgreSQL restarted (${mode}), down for ${downMs} ms`;
  },
});

const onRedis = (
  name: string,
  what: string,
  run: (redis: NonNullable<World['redis']>, random: RoundRandom, scale: Scale) => Promise<string>,
): Disturbance => ({
  name,
  what,
  backend: 'redis',
  run: ({ redis }, random, scale) => run(redis as NonNullable<World['redis']>, random, scale),
});

/** Everything that can be done to the product. */
export const faults: readonly Disturbance[] = [
  kill('api'),
  kill('ingest-worker'),
  kill('matching-worker', matchingWorkers, inTheMiddleOfAJob),
  kill('webhook-worker'),
  kill('background-worker'),
  kill('dashboard'),
  {
    name: 'kill-everything',
    what: 'kill -9 of all processes at once',
    run: async ({ fleet }) => {
      const names = fleet.members.map(({ name }) => name);
      await Promise.all(names.map((name) => fleet.kill(name)));
      await Promise.all(names.map((name) => fleet.start(name)));
      return 'kill -9 of all processes';
    },
  },
  {
    name: 'kill-children',
    what: 'kill -9 of the child processes of the workers and the API, some times',
    run: async (world, random) => {
      const { fleet } = world;
      await inTheMiddleOfAJob(world, random);
      const victims = random.sample(withChildren, random.int(1, 4));
      const times = random.int(1, 4);
      for (let i = 0; i < times; i++) {
        for (const victim of victims) fleet.signal(victim, 'SIGKILL', 'children');
        await pause(random.int(50, 800));
      }
      return `kill -9 of the children of ${victims.join(', ')}, ${times} times`;
    },
  },
  {
    name: 'term',
    what: 'SIGTERM: a process ends within 10 s with code 0, and is started again',
    run: async ({ fleet }, random) => {
      const victim = random.pick(fleet.members).name;
      const { code, tookMs } = await fleet.stop(victim);
      await fleet.start(victim);
      if (code !== 0 || tookMs > 10_000)
        throw new Error(`SIGTERM of ${victim}: exit code ${code} after ${Math.round(tookMs)} ms`);
      return `SIGTERM of ${victim}, ended after ${Math.round(tookMs)} ms`;
    },
  },
  {
    name: 'hang',
    what:
      'SIGSTOP of a worker with its children, or of its children alone, for longer than its locks last; ' +
      'then SIGCONT: its late writes must not double anything',
    run: async ({ fleet }, random, { hangMs }) => {
      const victim = random.pick(['ingest-worker', ...matchingWorkers, 'webhook-worker', 'background-worker', 'api']);
      const whom = withChildren.includes(victim) && random.chance(0.4) ? 'children' : 'all';
      fleet.signal(victim, 'SIGSTOP', whom);
      await pause(hangMs);
      fleet.signal(victim, 'SIGCONT', whom);
      return `${victim} (${whom}) hung for ${hangMs} ms`;
    },
  },
  restartPostgres('fast', 'PostgreSQL restarted in the middle of everything'),
  restartPostgres('immediate', 'PostgreSQL crashes and recovers: unlogged tables are empty'),
  onRedis('redis-stop', 'Redis killed, and started again later with what it had', async (redis, random, scale) => {
    const downMs = outage(random, scale);
    await redis.stop();
    await pause(downMs);
    await redis.start();
    return `Redis down for ${downMs} ms`;
  }),
  onRedis('redis-flush', 'Redis emptied, at once or while it is restarted', async (redis, random, scale) => {
    const downMs = random.chance(0.5) ? 0 : outage(random, scale);
    if (downMs > 0) {
      await redis.stop();
      await pause(downMs);
      await redis.start();
    }
    redis.flushAll();
    return `Redis emptied, after ${downMs} ms down`;
  }),
  onRedis('redis-hang', 'Redis stays connected and answers nothing', async (redis, random, scale) => {
    const hangMs = outage(random, scale);
    redis.signal('SIGSTOP');
    await pause(hangMs);
    redis.signal('SIGCONT');
    return `Redis hung for ${hangMs} ms`;
  }),
  cutNetwork('network-cut', 'connections to a server are reset, new ones too', () => ({ kind: 'cut' })),
  cutNetwork('network-stall', 'connections to a server stay and carry nothing, then they are lost', () => ({
    kind: 'stalled',
  })),
  cutNetwork('network-slow', 'every packet to and from a server takes its time', (random) => ({
    kind: 'slow',
    latencyMs: random.int(20, 400),
  })),
  {
    name: 'network-forget',
    what: 'connections to a server carry nothing any more, and their process is not told',
    run: async (world, random) => {
      const { ways, named } = pickWays(world, random);
      for (const way of ways) way.forget();
      return `connections ${named} forgotten`;
    },
  },
  {
    name: 'network-reset',
    what: 'all connections of some processes are reset once, some times',
    run: async ({ network }, random) => {
      const times = random.int(1, 5);
      for (let i = 0; i < times; i++) {
        const way = random.pick([...network.values()]);
        way.postgres.reset();
        way.redis?.reset();
        await pause(random.int(50, 600));
      }
      return `connections reset ${times} times`;
    },
  },
  {
    name: 'disk-full',
    what: 'no space left where uploads go',
    run: async ({ files }, random, scale) => {
      if (!files.isDisk) return 'disk full: left out, since this user cannot mount a disk';
      const filler = path.join(files.directory, 'filler');
      const fullMs = outage(random, scale);
      await fill(filler);
      await pause(fullMs);
      await rm(filler, { force: true });
      return `disk of the uploads full for ${fullMs} ms`;
    },
  },
];

/** Writes until there is no space left. */
async function fill(file: string): Promise<void> {
  try {
    for (;;) await writeFile(file, Buffer.alloc(64 << 10), { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

/** @throws when `only` names nothing */
export function faultsFor(backend: Backend, only?: readonly string[]): Disturbance[] {
  const chosen = faults.filter((fault) => fault.backend === undefined || fault.backend === backend);
  if (only === undefined) return chosen;
  const unknown = only.filter((name) => !faults.some((fault) => isNamed(fault, name)));
  if (unknown.length > 0)
    throw new Error(`--only knows no fault ${unknown.join(', ')}: ${faults.map((fault) => fault.name).join(', ')}`);
  return chosen.filter((fault) => only.some((name) => isNamed(fault, name)));
}

const isNamed = (fault: Disturbance, name: string): boolean => fault.name === name || fault.name.startsWith(`${name}-`);
