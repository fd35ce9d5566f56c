import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  startTestApi,
  type CompositeDetailBody,
  type JobBody,
  type ListBody,
  type TestApi,
  type TestTenant,
} from '../../../testing';

interface WorkedExample {
  title: string;
  /** Datasets by name. */
  records: Record<'left' | 'right', object[]>;
  ruleSet: object;
  answer: { explanation: { search: object } };
}

const page = readFileSync(path.join(__dirname, '../../../../../docs/reference/composition.md'), 'utf8');

/** Each section below the heading has four blocks of JSON: left records, right records, rule set, answer. */
const examples = (page.split('\n## ').find((section) => section.startsWith('Worked examples')) ?? '')
  .split('\n### ')
  .slice(1)
  .map((section): WorkedExample => {
    const [left, right, ruleSet, answer] = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, text]) => JSON.parse(text as string) as unknown,
    );
    return {
      title: section.split('\n')[0] as string,
      records: { left: left as object[], right: right as object[] },
      ruleSet: ruleSet as object,
      answer: answer as WorkedExample['answer'],
    };
  });

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});

afterAll(() => api.close());

/** Datasets with the example's records; their external ids by id. */
async function load(
  tenant: TestTenant,
  records: WorkedExample['records'],
): Promise<{ datasetIds: string[]; names: Map<string, string> }> {
  const datasetIds: string[] = [];
  for (const dataset of ['left', 'right'] as const) {
    datasetIds.push(((await tenant.api.post('/v1/datasets', { name: dataset }).expect(201)).body as { id: string }).id);
    await tenant.api.post(`/v1/records/bulk?dataset=${dataset}`, records[dataset]).expect(202);
  }
  await api.runIngest();
  const names = new Map<string, string>();
  for (const dataset of ['left', 'right']) {
    const { items } = (await tenant.api.get(`/v1/records?dataset=${dataset}&limit=100`).expect(200)).body as ListBody<{
      id: string;
      external_id: string;
    }>;
    for (const { id, external_id } of items) names.set(id, external_id);
  }
  return { datasetIds, names };
}

async function onlyComposite(tenant: TestTenant): Promise<CompositeDetailBody> {
  const { items } = (await tenant.api.get('/v1/composite-matches').expect(200)).body as ListBody<{ id: string }>;
  expect(items).toHaveLength(1);
  return (await tenant.api.get(`/v1/composite-matches/${items[0]?.id}`).expect(200)).body as CompositeDetailBody;
}

/** Removes what differs between runs, as the page does. */
function shown(composite: CompositeDetailBody, names: Map<string, string>): object {
  const { id: _id, ruleSetId: _ruleSetId, matchingJobId: _jobId, createdAt: _createdAt, ...rest } = composite;
  return {
    ...rest,
    targetRecordId: names.get(rest.targetRecordId),
    members: rest.members.map((member) => ({ ...member, recordId: names.get(member.recordId) })),
  };
}

test.each(examples)('the page shows what the service answers: $title', async ({ records, ruleSet, answer }) => {
  const tenant = await api.newTenant();
  const {
    datasetIds: [leftDatasetId, rightDatasetId],
    names,
  } = await load(tenant, records);
  await tenant.api.post('/v1/rule-sets', { name: 'example', leftDatasetId, rightDatasetId, ...ruleSet }).expect(201);
  const { id } = (await tenant.api.post('/v1/matching-jobs', { dataset: 'left' }).expect(202)).body as JobBody;
  await api.runMatching();
  const composite = await onlyComposite(tenant);
  // The number of steps of a search is not guaranteed.
  const search = { ...answer.explanation.search, nodes: expect.any(Number) as number };
  expect(shown(composite, names)).toEqual({ ...answer, explanation: { ...answer.explanation, search } });
  const { decision_counts: counts } = (await tenant.api.get(`/v1/matching-jobs/${id}`).expect(200)).body as JobBody;
  expect([counts['COMPOSITE_MATCH'], counts['COMPOSITE_POSSIBLE']]).toEqual(
    composite.decision === 'MATCH' ? [1, 0] : [0, 1],
  );
});

test('the page has worked examples', () => {
  expect(examples.map(({ title }) => title)).toEqual([
    'An invoice paid in three transfers',
    'Three of twelve installments',
  ]);
});
