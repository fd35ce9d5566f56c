import { createMaintenanceHandlers, defaultRetention, type RetentionPolicy } from '@tieout/domain';
import { newId } from '@tieout/infra';
import {
  allOf,
  alone,
  eventually,
  openBooks,
  startTestApi,
  uploadTo,
  type Books,
  type FileBody,
  type JobBody,
  type MatchBody,
  type TestApi,
} from '../../../testing';

let api: TestApi;
let books: Books;

beforeAll(async () => {
  api = await startTestApi(alone);
});

afterAll(() => api.close());

beforeEach(async () => {
  books = await openBooks(api, [{ ref: 'a' }, { ref: 'b' }, { ref: 'c' }], [{ ref: 'a' }, { ref: 'b' }, { ref: 'x' }]);
  await books.ruleSet();
});

const run = (policy: Partial<RetentionPolicy>): Promise<void> =>
  createMaintenanceHandlers(api.service.deps, { keyIds: [] }, { ...defaultRetention, ...policy })[
    'maintenance.retention'
  ]();
const sql = (text: string, ...parameters: string[]): Promise<number> =>
  api.service.deps.db.system.execute(text, [books.tenant.tenantId, ...parameters]);
const usage = async (): Promise<unknown> => (await books.tenant.api.get('/v1/billing/usage').expect(200)).body;
const expiredAt = async (jobId: string): Promise<unknown> =>
  (await books.job(jobId)).rule_sets[0]?.['results_expired_at'];

/** A job that has completed, and that nothing has been cleaned up behind. */
async function completedJob(): Promise<JobBody> {
  const { id } = await books.start();
  await api.startMatching();
  return eventually(
    () => books.job(id),
    ({ status }) => status === 'completed',
  );
}

test('the results of a job remain until a later job of the rule set completes; the job says when', async () => {
  const [first, second] = [await completedJob(), await completedJob()];
  expect(Object.keys(await books.matches(first.id))).toHaveLength(2);
  await run({});
  expect([Object.keys(await books.matches(first.id)), Object.keys(await books.matches(second.id)).length]).toEqual([
    [],
    2,
  ]);
  expect([await expiredAt(first.id), await expiredAt(second.id)]).toEqual([expect.stringMatching(/Z$/), null]);
});

test('superseded results stay for as many days as are set', async () => {
  const [first, second] = [await completedJob(), await completedJob()];
  await run({ supersededMatches: 7 });
  expect(Object.keys(await books.matches(first.id))).toHaveLength(2);
  await sql(
    `update matching_jobs set finished_at = now() - interval '8 days' where tenant_id = $1::uuid and id = $2::uuid`,
    second.id,
  );
  await run({ supersededMatches: 7 });
  expect(Object.keys(await books.matches(first.id))).toEqual([]);
});

test('superseded results that are kept for ever stay', async () => {
  const [first] = [await completedJob(), await completedJob()];
  await sql(`update matching_jobs set finished_at = now() - interval '9000 days' where tenant_id = $1::uuid`);
  await run({ supersededMatches: null, matchingJobs: 1 });
  expect(Object.keys(await books.matches(first.id))).toHaveLength(2);
});

test('what somebody has reviewed stays with its job, and neither the usage nor what is live changes', async () => {
  const first = await completedJob();
  const match = (await books.matches(first.id))['l0|r0'] as MatchBody;
  await books.tenant.api.post(`/v1/matches/${match.id}/review`, { action: 'confirm' }).expect(200);
  await completedJob();
  const before = [await usage(), await allOf(books.tenant, '/v1/matches')];
  await sql(
    `update matching_jobs set finished_at = now() - interval '9000 days', created_at = created_at - interval '9000 days'
      where tenant_id = $1::uuid`,
  );
  await run({ matchingJobs: 1 });
  expect([await usage(), await allOf(books.tenant, '/v1/matches')]).toEqual(before);
  expect(Object.keys(await books.matches(first.id))).toEqual(['l0|r0']);
  expect(await books.job(first.id)).toMatchObject({ status: 'completed' });
});

test('removed records are remembered for a day, and while a job is open that may have matches of them', async () => {
  const known = () => api.service.deps.db.forTenant(books.tenant.tenantId).query('select 1 from removed_records');
  await books.tenant.api.delete(`/v1/records/${books.recordIds.get('l0')}`).expect(204);
  await run({});
  expect(await known()).toHaveLength(1);
  await sql(`update removed_records set removed_at = now() - interval '26 hours' where tenant_id = $1::uuid`);
  const { id } = await books.start();
  await sql(
    `update matching_jobs set created_at = now() - interval '3 hours' where tenant_id = $1::uuid and id = $2::uuid`,
    id,
  );
  await run({});
  expect(await known()).toHaveLength(1);
  await api.runMatching();
  await run({});
  expect(await known()).toHaveLength(0);
});

test('old jobs without results go, but for the live one and the latest ten; the usage stays as it is', async () => {
  const live = await completedJob();
  const later = Array.from({ length: 12 }, () => newId());
  for (const id of later) {
    await sql(
      `insert into matching_jobs (id, tenant_id, dataset_id, dataset_name, job_group_id, status, finished_at)
       values ($2::uuid, $1::uuid, $3::uuid, 'left', $2::uuid, 'cancelled', now())`,
      id,
      books.leftId,
    );
  }
  const before = await usage();
  await sql(`update matching_jobs set finished_at = now() - interval '400 days' where tenant_id = $1::uuid`);
  await run({ matchingJobs: 365 });
  const left = (await allOf<JobBody>(books.tenant, '/v1/matching-jobs')).map(({ id }) => id);
  expect(left).toEqual([...later.slice(2).reverse(), live.id]);
  await books.tenant.api.get(`/v1/matching-jobs/${later[0]}`).expect(404);
  expect(await usage()).toEqual(before);
});

test('the bytes and the errors of an old file go, and its records stay', async () => {
  const { tenant } = books;
  const { body } = await tenant.api.post('/v1/data-sources', { name: 'bank', kind: 'file' }).expect(201);
  const source = (body as { id: string }).id;
  const { id } = await uploadTo(tenant.api, source, 'ref,amount\nA,1\nB,2,3,4\n', { dataset: 'lines' }, 'lines.csv');
  await api.runIngest();
  const file = async () =>
    (await tenant.api.get(`/v1/data-sources/${source}/files/${id}`).expect(200)).body as FileBody & {
      filePath: string;
      metadata: { expiredAt: string | null };
    };
  const used = async (): Promise<unknown> => {
    const { quotas, ...rest } = (await usage()) as { quotas: Record<string, object> };
    // The bytes and the files themselves are no longer used.
    const { bytes: _bytes, files: _files, ...others } = quotas;
    return { ...rest, quotas: others };
  };
  const before = [await used(), await allOf(tenant, '/v1/records?dataset=lines')];
  expect((await file()).metadata).toMatchObject({ ready: 1, rejected: 1, expiredAt: null });
  await sql(`update data_source_files set processed_at = now() - interval '91 days' where tenant_id = $1::uuid`);
  await run({ files: 90 });
  const { filePath, metadata } = await file();
  expect(metadata).toMatchObject({ ready: 1, rejected: 1, expiredAt: expect.stringMatching(/Z$/) as string });
  await expect(api.service.deps.storage.open(filePath)).rejects.toThrow();
  const { body: errors } = await tenant.api.get(`/v1/data-sources/${source}/files/${id}/errors`).expect(200);
  expect(errors).toMatchObject({ items: [], total: 0 });
  expect([await used(), await allOf(tenant, '/v1/records?dataset=lines')]).toEqual(before);
});
