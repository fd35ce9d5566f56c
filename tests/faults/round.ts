import { contradictions, unfinished } from './checks';
import { FaultClient, pause } from './client';
import type { Disturbance, Scale } from './faults';
import type { LoadActor, Judge } from './load/actor';
import { changeFields } from './load/fields';
import { uploadFiles } from './load/files';
import { reviewGroups } from './load/groups';
import { connectItems } from './load/items';
import { runJobs } from './load/matching';
import { keepMonths } from './load/months';
import { sendRecords } from './load/records';
import { reviewMatches } from './load/reviews';
import { seeded } from './random';
import type { World } from './world';

const actors: Readonly<Record<string, LoadActor>> = {
  records: sendRecords,
  fields: changeFields,
  files: uploadFiles,
  matching: runJobs,
  reviews: reviewMatches,
  groups: reviewGroups,
  months: keepMonths,
  items: connectItems,
};

/** Everything has to be done this long after the faults are over. */
const settleTimeoutMs = 180_000;

export interface Round {
  seed: number;
  faults: readonly Disturbance[];
  scale: Scale;
  /** The load has a while for itself before the first fault, and between them. */
  spreadMs: number;
}

/** The faults of a round, and the problems found afterwards. */
export interface RoundOutcome {
  seed: number;
  did: string[];
  problems: string[];
  /** From the end of the faults until everything was done and judged. */
  settledMs: number;
}

/** The disturbed part of a round; `settle` waits for the rest of the work and judges all of it. */
export interface Disturbed {
  settle(): Promise<RoundOutcome>;
}

/** Each part of the load is its own tenant; all of them work while the faults happen one after the other. */
export async function disturb(world: World, round: Round): Promise<Disturbed> {
  const random = seeded(round.seed);
  const did: string[] = [];
  const problems: string[] = [];
  let over = false;
  const failing =
    (what: string) =>
    (error: unknown): void =>
      void problems.push(`${what}: ${error instanceof Error ? error.message : String(error)}`);

  const clients = new Map<string, FaultClient>();
  await Promise.all(
    Object.keys(actors).map(async (name) => {
      clients.set(name, await FaultClient.create(world, `${name} ${round.seed}`));
    }),
  );
  const working = Object.entries(actors).map(async ([name, actor]): Promise<[string, Judge] | undefined> => {
    const stage = {
      world,
      client: clients.get(name) as FaultClient,
      random: random.fork(name),
      scale: round.scale,
      isOver: () => over,
    };
    return actor(stage)
      .then((judge): [string, Judge] => [name, judge])
      .catch((error: unknown) => void failing(name)(error));
  });
  for (const [index, fault] of round.faults.entries()) {
    const choices = random.fork(`${index} ${fault.name}`);
    await pause(choices.int(0, round.spreadMs));
    await fault.run(world, choices, round.scale).then((what) => did.push(what), failing(fault.name));
  }
  over = true;
  problems.push(...world.fleet.endedByThemselves());

  const overMs = performance.now();
  const settle = async (): Promise<RoundOutcome> => {
    const judges = (await Promise.all(working)).filter((one) => one !== undefined);
    const tenants = [...clients].map(([name, { tenantId }]) => ({ name, tenantId }));
    problems.push(...(await allDone(world, tenants)));
    for (const [name, judge] of judges) {
      const found = await judge().catch((error: unknown) => [error instanceof Error ? error.message : String(error)]);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
    }
    problems.push(...(await allDone(world, tenants)));
    for (const { name, tenantId } of tenants)
      problems.push(...(await contradictions(world, tenantId)).map((problem) => `${name}: ${problem}`));
    return { seed: round.seed, did, problems: [...new Set(problems)], settledMs: performance.now() - overMs };
  };
  return { settle };
}

/** Waits until no tenant has open work. Reports what is stuck. */
async function allDone(world: World, tenants: readonly { name: string; tenantId: string }[]): Promise<string[]> {
  const deadlineMs = Date.now() + settleTimeoutMs;
  for (;;) {
    const isLate = Date.now() > deadlineMs;
    const left: string[] = [];
    for (const { name, tenantId } of tenants) {
      left.push(...(await unfinished(world, tenantId)).map((problem) => `${name}: ${problem}`));
      // One tenant with open work is enough to wait for: asking for all would take CPU from their work.
      if (left.length > 0 && !isLate) break;
    }
    if (left.length === 0) return [];
    if (isLate) return left.map((problem) => `stuck: ${problem}`);
    await pause(500);
  }
}
