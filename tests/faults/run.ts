import { faultsFor, type Disturbance, type Scale } from './faults';
import { queuesAtRest } from './queues';
import { seeded } from './random';
import { disturb, type Disturbed, type RoundOutcome } from './round';
import { startWorld, type Backend, type World } from './world';

export interface RunOptions {
  backend: Backend;
  rounds: number;
  seed: number;
  only?: readonly string[] | undefined;
  scale: Scale;
  /** Rounds that may still be settling when the next one begins. */
  overlap: number;
  keepGoing: boolean;
  /** The faults of each round; default: up to three, drawn by its seed. */
  plan?: readonly (readonly string[])[];
  spreadMs?: number;
  say(line: string): void;
  /** Rejects when everything is to be given up. */
  stopped?: Promise<never>;
}

export interface RunResult {
  outcomes: RoundOutcome[];
  /** Problems found after the last round. */
  problems: string[];
}

const maxFaults = 3;

/** Rounds on one world, whose servers and processes they share. */
export async function run(options: RunOptions): Promise<RunResult> {
  const result: RunResult = { outcomes: [], problems: [] };
  let gaveUp = false;
  const world = await startWorld(options.backend, () => gaveUp || hasFailed(result));
  try {
    await Promise.race([playRounds(world, options, result), ...(options.stopped ? [options.stopped] : [])]);
  } catch (error) {
    gaveUp = true;
    throw error;
  } finally {
    await world.close();
    if (gaveUp || hasFailed(result)) options.say(`  logs: ${world.directory}`);
  }
  return result;
}

const hasFailed = ({ outcomes, problems }: RunResult): boolean =>
  problems.length > 0 || outcomes.some((outcome) => outcome.problems.length > 0);

async function playRounds(world: World, options: RunOptions, result: RunResult): Promise<void> {
  const { say, rounds, scale, spreadMs = 2_500 } = options;
  const settling: Promise<void>[] = [];
  for (let i = 0; i < rounds && (options.keepGoing || !hasFailed(result)); i++) {
    const seed = options.seed + i;
    const faults = drawn(options, seed, i);
    say(`${world.backend}, round ${i + 1} of ${rounds}, seed ${seed}: ${faults.map(({ name }) => name).join(', ')}`);
    const round = await disturb(world, { seed, faults, scale, spreadMs });
    const settled = judged(round, result, say);
    // It is awaited later, and throws then.
    settled.catch(() => undefined);
    settling.push(settled);
    if (settling.length > options.overlap) await settling.shift();
  }
  await Promise.all(settling);
  result.problems.push(...(await queuesAtRest(world)));
  for (const problem of result.problems) say(`  ✗ ${problem}`);
}

function drawn({ backend, only, plan }: RunOptions, seed: number, index: number): Disturbance[] {
  const planned = plan?.[index];
  if (planned) return faultsFor(backend, planned);
  const random = seeded(seed).fork('faults');
  const possible = faultsFor(backend, only);
  return Array.from({ length: random.int(1, maxFaults) }, () => random.pick(possible));
}

async function judged(round: Disturbed, { outcomes }: RunResult, say: (line: string) => void): Promise<void> {
  const outcome = await round.settle();
  outcomes.push(outcome);
  say(
    `  seed ${outcome.seed}: ${outcome.did.join('; ')}: ${outcome.problems.length === 0 ? 'all well' : 'FAILED'} ` +
      `(${Math.round(outcome.settledMs / 1000)} s to settle)`,
  );
  for (const problem of outcome.problems) say(`  ✗ ${problem}`);
}
