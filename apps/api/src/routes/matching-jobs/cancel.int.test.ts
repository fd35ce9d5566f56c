import { createMatchingHandlers } from '@tieout/domain';
import { tableWaiter } from '@tieout/testing';
import {
  eventually,
  openBooks,
  alone,
  startTestApi,
  unnormalise,
  whileLocked,
  type Books,
  type JobBody,
  type TestApi,
} from '../../../testing';
import { openReconciliation } from '../../../testing/open-books';
import { startRunOf } from '../../../testing/runs';

let api: TestApi;
/** No worker runs here: what workers do is done by hand. */
let idle: TestApi;

beforeAll(async () => {
  api = await startTestApi(alone);
  idle = await startTestApi(alone);
});

afterAll(async () => {
  await api.close();
  await idle.close();
});

const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;

const cancel = (books: Books, jobId: string) => books.tenant.api.post(`/v1/matching-jobs/${jobId}/cancel`);

/** A job that is running and goes no further, because a record of it is not normalised yet. */
async function waitingJob(books: Books): Promise<JobBody> {
  await unnormalise(api, [...books.recordIds.values()].slice(0, 1));
  const { id } = await books.start();
  await api.startMatching();
  return eventually(
    () => books.job(id),
    ({ status }) => status === 'running',
  );
}

async function books(on: TestApi = api): Promise<Books> {
  const opened = await openBooks(on, [{ ref: 1 }], [{ ref: 1 }]);
  await opened.ruleSet();
  return opened;
}

/** The steps of the workers, one by one. */
function steps(own: Books) {
  const handlers = createMatchingHandlers(idle.service.deps, undefined, { leftRows: 200 });
  const { tenantId } = own.tenant;
  return {
    plan: (job: JobBody) => handlers['matching.plan']({ tenantId, jobId: job.id }),
    batch: (job: JobBody, batchNo: number) =>
      handlers['matching.batch']({ tenantId, jobId: job.id, entryId: job.rule_sets[0]?.id as string, batchNo }),
    finish: (job: JobBody) => handlers['matching.finish']({ tenantId, jobId: job.id }),
  };
}

test('a running job answers 200 with status and id, and ends with its rule sets', async () => {
  const own = await books();
  const { id } = await waitingJob(own);
  const { body } = await cancel(own, id).expect(200);
  expect(body).toEqual({ status: 'cancelled', id });
  const cancelled = await own.job(id);
  expect(cancelled).toMatchObject({
    status: 'cancelled',
    error: null,
    finished_at: isoTime,
    rule_sets: [{ status: 'cancelled', finished_at: isoTime }],
  });
  await api.runMatching();
  expect(await own.job(id)).toEqual(cancelled);
  expect(await own.matches()).toEqual({});
});

test('one of many cancellations is answered 200, the others 409', async () => {
  const own = await books();
  const { id } = await waitingJob(own);
  const statuses = (await Promise.all([1, 2, 3].map(() => cancel(own, id)))).map((r) => r.status).sort();
  expect(statuses).toEqual([200, 409, 409]);
});

test('a completed job is not cancelled: 409 and nothing changes', async () => {
  const own = await books();
  const job = await own.reconcile();
  const { body } = await cancel(own, job.id).expect(409);
  expect(body).toMatchObject({
    status: 'error',
    code: 'job_not_running',
    message: 'Only a running job can be cancelled; this one is completed',
  });
  expect(await own.job(job.id)).toEqual(job);
});

test('a queued job is not cancelled: 409', async () => {
  const own = await books(idle);
  const job = await own.start();
  const { body } = await cancel(own, job.id).expect(409);
  expect(body).toMatchObject({
    code: 'job_not_running',
    message: 'Only a running job can be cancelled; this one is queued',
  });
  expect(await own.job(job.id)).toEqual(job);
});

test('a run that waits for another one is cancelled, and the next request starts a new one', async () => {
  const own = await openReconciliation(idle, { lefts: [], rights: [] });
  const start = async (): Promise<string> => (await startRunOf(own)).id;
  const id = await start();
  expect(await own.job(id)).toMatchObject({ status: 'queued' });
  await cancel(own, id).expect(200);
  expect(await own.job(id)).toMatchObject({ status: 'cancelled', finished_at: isoTime });
  await createMatchingHandlers(idle.service.deps)['matching.plan']({ tenantId: own.tenant.tenantId, jobId: id });
  expect(await own.job(id)).toMatchObject({ status: 'cancelled' });
  expect(await start()).not.toBe(id);
  await cancel(own, id).expect(409);
});

test('does not wait for the worker that has the job in hand', async () => {
  const own = await books();
  const { id } = await waitingJob(own);
  await whileLocked(api, own.tenant, 'select 1 from job_rule_sets where job_id = $1 for update', [id], async () => {
    await cancel(own, id).expect(200);
  });
});

test('while the job is being finished leaves no live matches', async () => {
  const own = await openBooks(api, [{ ref: 1 }, { ref: 2 }], [{ ref: 1 }]);
  await own.ruleSet();
  // The finish stands at the list of unmatched records, behind its work on the rule sets.
  const id = await whileLocked(api, own.tenant, 'lock table unmatched_blocks in exclusive mode', [], async () => {
    const job = await own.start();
    await api.startMatching();
    await tableWaiter(api.service.deps.db.system, 'unmatched_blocks');
    await cancel(own, job.id).expect(200);
    return job.id;
  });
  await api.runMatching();
  expect(await own.job(id)).toMatchObject({ status: 'cancelled' });
  expect(await own.matches()).toEqual({});
});

test('while batches run skips the others and leaves no live matches', async () => {
  const rows = (count: number): object[] => Array.from({ length: count }, (_, ref) => ({ ref }));
  const own = await openBooks(idle, rows(210), rows(100));
  await own.ruleSet();
  const job = await own.start();
  const { plan, batch, finish } = steps(own);
  await plan(job);
  await batch(job, 0);
  const running = await own.job(job.id);
  expect(running).toMatchObject({
    status: 'running',
    batches_expected: 2,
    batches_completed: 1,
    pairs_total: 21_000,
    pairs_processed: 20_000,
  });
  expect(running).toMatchObject({
    current_rule_set_id: running.rule_sets[0]?.rule_set_id,
    current_rule_set_name: 'rules',
  });
  expect(await own.matches(job.id)).not.toEqual({});
  expect(await own.matches()).toEqual({});

  await cancel(own, job.id).expect(200);
  await batch(job, 1);
  await finish(job);
  expect(await own.job(job.id)).toMatchObject({
    status: 'cancelled',
    batches_expected: 2,
    batches_completed: 1,
    pairs_processed: 20_000,
    current_rule_set_id: null,
  });
  expect(await own.matches()).toEqual({});
});

test('leaves the live matches of the job before as they are', async () => {
  const own = await books();
  const complete = await own.reconcile();
  const live = await own.matches();
  const { id } = await waitingJob(own);
  await cancel(own, id).expect(200);
  await api.runMatching();
  expect(Object.values(live).map((m) => m.matching_job_id)).toEqual([complete.id]);
  expect(await own.matches()).toEqual(live);
});
