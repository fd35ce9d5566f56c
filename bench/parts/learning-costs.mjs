import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizeText } from '../command-line.mjs';
import { timed } from '../measure.mjs';
import { watchMemory } from '../memory.mjs';
import { duration } from '../report.mjs';
import { ruleSet } from '../rule-sets.mjs';

const pollMs = 20;
const maxSuggestMiB = 512;
const maxSuggestSeconds = 60;
const maxSimulateSeconds = 10;
const maxFirstAnswerSeconds = 1;
const sizeOfSimulations = 100_000;

/** Time and memory of a suggestion for the largest size, and the times of a simulation, by a worker that is new. */
export async function benchLearningCosts(context) {
  const { sizes, report } = context;
  const service = await context.service();
  const largest = await context.loaded(Math.max(...sizes));
  report.section(`(k) A suggestion for ${sizeText(largest.size)} a side, and a simulation`);
  await service.matchingWorkers(1);
  const memory = watchMemory(service.processes);
  context.cleanup.add(() => memory.stop());
  const suggestion = await timed(async () => {
    const { id } = await service.client.post('/v1/rule-sets/suggest', sidesOf(largest));
    return answered(service.client, `/v1/suggestions/${id}`);
  });
  memory.stop();
  const hasGoal = largest.size >= 1_000_000;
  report.compare({
    what: 'suggestion, POST to completed',
    measured: suggestion.seconds,
    show: duration,
    ...(hasGoal ? { atMost: maxSuggestSeconds } : {}),
  });
  const peaks = memory.peaks().filter(({ name }) => name.startsWith('matching-worker'));
  // Only Linux tells.
  if (peaks.length > 0) {
    report.compare({
      what: 'suggestion, largest process of the worker',
      measured: Math.max(...peaks.map(({ mib }) => mib)),
      show: (mib) => `${mib} MiB`,
      ...(hasGoal ? { atMost: maxSuggestMiB } : {}),
    });
  }
  if (sizes.includes(sizeOfSimulations)) await benchSimulation(context);
  report.finish();
}

async function benchSimulation(context) {
  const { client } = await context.service();
  const { report } = context;
  const simulated = { ...sidesOf(await context.loaded(sizeOfSimulations)), ...ruleSet };
  let firstSeconds;
  const { seconds } = await timed(async () => {
    const startedMs = performance.now();
    const { id } = await client.post('/v1/rule-sets/simulate', { ruleSet: simulated });
    await answered(client, `/v1/simulations/${id}`, () => (firstSeconds ??= (performance.now() - startedMs) / 1000));
  });
  report.compare({
    what: `simulation, ${sizeText(sizeOfSimulations)} a side, POST to first answer`,
    measured: firstSeconds,
    show: duration,
    atMost: maxFirstAnswerSeconds,
  });
  report.compare({
    what: `simulation, ${sizeText(sizeOfSimulations)} a side, POST to completed`,
    measured: seconds,
    show: duration,
    atMost: maxSimulateSeconds,
  });
}

const sidesOf = ({ left, right }) => ({ leftDatasetId: left.datasetId, rightDatasetId: right.datasetId });

/** Waits for the end. `onAnswer` is called when there is a first answer. */
async function answered(client, path, onAnswer = () => undefined) {
  for (;;) {
    const { status, error, answer } = await client.get(path);
    if (answer) onAnswer();
    if (status === 'completed') return answer;
    if (!['queued', 'running'].includes(status)) throw new Error(`${path} ${status}: ${JSON.stringify(error)}`);
    await sleep(pollMs);
  }
}
