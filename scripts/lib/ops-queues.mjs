import { requireFrom } from '../../tools/paths.mjs';

const answerMs = 5_000;

/** Requires built packages late: they may not be built yet when this module is loaded. */
const require = requireFrom('apps/background-worker');

/** The queues of the service, for a look from outside. */
export function openQueues(settings) {
  const { queueClasses } = require('@tieout/infra');
  const { queueNames } = require('@tieout/domain');
  const { openQueue } = queueClasses(settings, { role: 'consumer' });
  return queueNames.map((name) => {
    const queue = openQueue(name);
    queue.on('error', () => undefined);
    return queue;
  });
}

/** BullMQ waits without end for a store that is away. */
function answered(queues, work) {
  const { withDeadline } = require('@tieout/infra');
  const answers = Promise.all(queues.map(async (queue) => work(queue)));
  return withDeadline(answers, answerMs, `The store of the queues does not answer within ${answerMs / 1000} s`);
}

/** Formats a duration as PostgreSQL does. */
const clock = (seconds) =>
  [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');

export const queueRows = (queues) =>
  answered(queues, async (queue) => {
    const { readQueueDepth } = require('@tieout/infra');
    const { paused, jobs, oldestWaitingSeconds } = await readQueueDepth(queue);
    return {
      queue: queue.name,
      paused: paused ? 'yes' : 'no',
      ...jobs,
      workers: await queue.getWorkersCount(),
      since: clock(oldestWaitingSeconds),
    };
  });

const maxShown = 20;
/** Delayed and waiting jobs of a queue that are searched for such that this version cannot read. */
const maxSearched = 1_000;

/** Makes the function that says why this version cannot read a job; undefined: it can. */
function createReader() {
  const { jobCatalog } = require('@tieout/domain');
  const { createSchemaCompiler } = require('@tieout/infra');
  const compile = createSchemaCompiler();
  const parsers = new Map(Object.entries(jobCatalog).map(([name, { payload }]) => [name, compile(payload)]));
  return (job) => {
    const parse = parsers.get(job.name);
    if (!parse) return 'this version knows no jobs of the name';
    return parse(job.data?.payload).ok ? undefined : 'this version cannot read the payload';
  };
}

/** The newest jobs that failed, and those that processes put back because this version cannot read them. */
export async function failedJobs(queues) {
  const faultOf = createReader();
  const lists = await answered(queues, async (queue) => {
    const failed = await queue.getJobs(['failed'], 0, maxShown - 1);
    const open = await queue.getJobs(['delayed', 'waiting', 'prioritized'], 0, maxSearched - 1);
    return [...failed, ...open.filter((job) => job !== undefined && faultOf(job) !== undefined)];
  });
  const jobs = lists.flat().filter((job) => job !== undefined);
  const since = ({ finishedOn, timestamp }) => finishedOn ?? timestamp;
  jobs.sort((a, b) => since(b) - since(a));
  return jobs.slice(0, maxShown).map((job) => ({
    failed: job.finishedOn === undefined ? 'not yet' : new Date(job.finishedOn).toISOString(),
    queue: job.queueName,
    job: job.name,
    id: job.id,
    attempts: job.attemptsMade,
    tenant: job.data?.payload?.tenantId ?? '',
    reason:
      job.finishedOn === undefined
        ? `${faultOf(job)}; fails an hour after it was enqueued`
        : job.failedReason.trim().split('\n').at(-1),
  }));
}

function named(queues, name) {
  const queue = queues.find((one) => one.name === name);
  if (!queue) throw new Error(`Name a queue: ${queues.map((one) => one.name).join(', ')}`);
  return queue;
}

export async function resumeQueue(queues, name) {
  await answered([named(queues, name)], (queue) => queue.resume());
}

/** Returns the number of jobs that run again. */
export async function retryFailed(queues, name, id) {
  const queue = named(queues, name);
  const [jobs] = await answered([queue], () =>
    id === undefined ? queue.getJobs(['failed'], 0, -1) : queue.getJob(id).then((job) => [job]),
  );
  const found = jobs.filter((job) => job !== undefined);
  if (id !== undefined && found.length === 0)
    throw new Error(`${name} has no job ${id}: \`failed\` lists those that have failed`);
  for (const job of found) await job.retry();
  return found.length;
}

/** Removes a job that no process runs: one of an unknown name or with a bad payload would come back for ever. */
export async function removeJob(queues, name, id) {
  const queue = named(queues, name);
  if (id === undefined) throw new Error('Name a job: `failed` lists those that have failed with their ids');
  const [job] = await answered([queue], () => queue.getJob(id));
  if (job === undefined) throw new Error(`${name} has no job ${id}`);
  const [state] = await answered([queue], () => job.getState());
  if (state === 'active') throw new Error(`${id} is running: it can be removed when it has ended or waits again`);
  await answered([queue], () => job.remove());
}
