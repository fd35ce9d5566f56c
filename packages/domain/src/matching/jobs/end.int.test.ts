import { newId } from '@tieout/infra';
import { createTestService, type TestService } from '@tieout/testing';
import {
  cancelMatchingJob,
  createDataset,
  createRuleSet,
  startMatchingJobs,
  tenantScope,
  type TenantScope,
} from '../..';
import { failJob } from './fail';

let service: TestService;
let scope: TenantScope;

beforeAll(async () => {
  service = await createTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  const tenantId = newId();
  await service.deps.db.system.execute(`insert into tenants (id, name) values ($1::uuid, 'Acme')`, [tenantId]);
  scope = tenantScope(service.deps, tenantId);
});

async function runningJob(): Promise<string> {
  const [left, right] = [await createDataset(scope, { name: 'left' }), await createDataset(scope, { name: 'right' })];
  await createRuleSet(scope, {
    name: 'rules',
    leftDatasetId: left.id,
    rightDatasetId: right.id,
    engine: 'jsonata',
    jsonataExpr: 'left.n = right.n',
    logicJson: null,
    params: { Tmatch: 1, Tpossible: 1 },
  });
  const { jobIds } = await startMatchingJobs(scope, [{ dataset: 'left', path: '/dataset' }], undefined);
  const [id] = jobIds as [string];
  await scope.db.execute(`update matching_jobs set status = 'running' where tenant_id = $1::uuid and id = $2::uuid`, [
    scope.tenantId,
    id,
  ]);
  return id;
}

const newWebhook = (): Promise<unknown> =>
  scope.db.orm.webhook.create({
    data: { id: newId(), tenantId: scope.tenantId, url: 'https://receiver.test', secret: '', events: [] },
  });

const events = async (): Promise<unknown[]> =>
  (await scope.db.orm.event.findMany()).map(({ body }) => JSON.parse(body) as unknown);

test.each<[string, (id: string) => Promise<void>, object]>([
  ['CANCELLED', (id) => cancelMatchingJob(scope, id), { status: 'cancelled' }],
  [
    'FAILED',
    (id) => failJob(scope, id, { code: 'too_many_pairs', message: 'Too many' }),
    { status: 'failed', error: { code: 'too_many_pairs', message: 'Too many' } },
  ],
])('a job that ends as %s emits one event, with a delivery for each webhook', async (how, end, data) => {
  await newWebhook();
  const id = await runningJob();
  await end(id);
  await failJob(scope, id, { code: 'too_late', message: 'It has ended already' });
  expect(await events()).toMatchObject([
    { event: `MATCHING_JOB_${how}`, data: { matchingJobId: id, datasetName: 'left', ...data } },
  ]);
  expect(await scope.db.orm.webhookDelivery.count()).toBe(1);
});

test('a job without a subscribed webhook leaves no event', async () => {
  await cancelMatchingJob(scope, await runningJob());
  expect(await events()).toEqual([]);
});
