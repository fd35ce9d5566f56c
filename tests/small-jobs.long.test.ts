import axios from 'axios';
import { startStack, type Stack } from './support/stack';
import { TenantClient } from './support/tenant';

const tenants = 12;
const jobsOfTenant = 6;

let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
});

afterAll(() => stack.close());

async function tinyTenant(name: string): Promise<TenantClient> {
  const tenant = await TenantClient.create(stack, name);
  for (const dataset of ['left', 'right']) {
    await tenant.bulk(dataset, [{ externalId: '1', body: { n: 1 } }]);
    await tenant.settled(dataset, 1);
  }
  await tenant.ruleSet('left', 'right', { jsonataExpr: 'left.n = right.n', params: { Tmatch: 0.8, Tpossible: 0.5 } });
  return tenant;
}

/** Runs one job. @returns its time, in ms */
async function timeOfJob(tenant: TenantClient): Promise<number> {
  const startedMs = performance.now();
  await tenant.ended(await tenant.startJob('left'));
  return performance.now() - startedMs;
}

/** Counts the queue jobs that the matching worker has put back without starting them. */
async function sentBack(): Promise<number> {
  const { data } = await axios.get<string>(`${stack.urlOf('matching-worker')}/metrics`);
  const counts = data.matchAll(/^tieout_queue_jobs_sent_back_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test('when many tenants start many small jobs at once, none takes five times as long as the median', async () => {
  // These jobs keep all cores busy.
  const clients = await Promise.all(Array.from({ length: tenants }, (_, i) => tinyTenant(`Tiny ${i}`)));
  const jobs = clients.flatMap((tenant) => Array.from({ length: jobsOfTenant }, () => timeOfJob(tenant)));
  const times = (await Promise.all(jobs)).sort((a, b) => a - b);
  expect(times.at(-1)).toBeLessThan(5 * (times[times.length / 2] as number));
  // Each job that is sent back takes time from all others.
  expect(await sentBack()).toBeLessThan(jobs.length / 4);
});
