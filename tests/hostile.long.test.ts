import { AxiosError, type AxiosInstance, type AxiosResponse } from 'axios';
import { eventually, startStack, type Stack } from './support/stack';
import { attacks, deepRecord, longText, others, type Hostile } from './support/hostile-expressions';
import { TenantClient, type Job } from './support/tenant';

let stack: Stack;
/** The tenant whose work goes on in the meantime. */
let bystander: TenantClient;

const thresholds = { Tmatch: 1, Tpossible: 0.5 };

beforeAll(async () => {
  stack = await startStack({ MATCHING_CONCURRENCY: '2', EVALUATION_PROCESSES: '2' }, undefined, [
    'api',
    'ingest-worker',
    'matching-worker',
    'background-worker',
  ]);
  bystander = await TenantClient.create(stack, 'Bystander');
  await fill(
    bystander,
    'left',
    [1, 2, 3].map((n) => ({ n })),
  );
  await fill(
    bystander,
    'right',
    [2, 3, 4].map((n) => ({ n })),
  );
  await bystander.ruleSet('left', 'right', { jsonataExpr: 'left.n = right.n', params: thresholds });
});

afterAll(async () => {
  await stack.close();
});

async function fill(tenant: TenantClient, dataset: string, bodies: readonly object[]): Promise<void> {
  await tenant.bulk(
    dataset,
    bodies.map((body, index) => ({ externalId: `${dataset}${index}`, body })),
  );
  await tenant.settled(dataset, bodies.length);
}

interface Refusal {
  code: string;
  errors?: { code: string }[];
}

interface PairError {
  code: string;
  message: string;
}

/** A request that may be refused; a fault of the service is not a refusal. */
async function tryPost<T extends object>(
  http: AxiosInstance,
  path: string,
  body: object,
): Promise<T | { refused: string[] }> {
  try {
    return (await http.post<T, AxiosResponse<T>>(path, body)).data;
  } catch (error) {
    if (!(error instanceof AxiosError) || error.response === undefined || error.response.status >= 500) throw error;
    const refusal = error.response.data as Refusal;
    return { refused: [refusal.code, ...(refusal.errors ?? []).map(({ code }) => code)] };
  }
}

/** Expects one of the known outcomes: an error code, or the decision on the value. */
function expectKnown({ name, codes, value }: Hostile, seen: { codes: readonly string[] } | { decision: string }): void {
  if ('codes' in seen)
    expect({ name, unknown: seen.codes.every((code) => !codes.includes(code)) && seen.codes }).toEqual({
      name,
      unknown: false,
    });
  else expect({ name, value: seen.decision === 'NO_MATCH' ? false : seen.decision }).toEqual({ name, value });
}

const ofPair = (expr: string): string => expr.replaceAll('TEXT', 'left.text');
const ofRecord = (expr: string): string => expr.replaceAll('TEXT', 'text');

async function preview(tenant: TenantClient, hostile: Hostile): Promise<void> {
  const ruleSet = { engine: 'jsonata', jsonataExpr: ofPair(hostile.expr), params: thresholds };
  type Answer = { results: { decision: string; error?: PairError }[] };
  const answer = await tryPost<Answer>(tenant.http, '/v1/rule-sets/preview', {
    ruleSet,
    pairs: [{ left: { text: longText }, right: {} }],
  });
  if ('refused' in answer) return expectKnown(hostile, { codes: answer.refused });
  const [result] = answer.results;
  expectKnown(hostile, result?.error ? { codes: [result.error.code] } : { decision: String(result?.decision) });
}

test.each([...attacks, ...others])('previewed, $name ends with a code or its value', async (hostile) => {
  await preview(bystander, hostile);
});

test('in a job each attack ends with a code or its value, and later jobs and those of others are right', async () => {
  const hostile = await TenantClient.create(stack, 'Hostile');
  await fill(hostile, 'right', [{ n: 1 }]);
  const started: { attack: Hostile; jobId: string }[] = [];
  for (const [index, attack] of attacks.entries()) {
    const dataset = `attack${index}`;
    await fill(hostile, dataset, [{ text: longText, n: 1 }]);
    const leftDatasetId = await hostile.datasetId(dataset);
    const created = await tryPost<{ id: string }>(hostile.http, '/v1/rule-sets', {
      name: attack.name,
      leftDatasetId,
      rightDatasetId: await hostile.datasetId('right'),
      jsonataExpr: ofPair(attack.expr),
      params: thresholds,
    });
    if ('refused' in created) expectKnown(attack, { codes: created.refused });
    else started.push({ attack, jobId: await hostile.startJob(dataset) });
  }
  await expectRightJob(bystander);
  for (const { attack, jobId } of started) expectJob(attack, (await hostile.ended(jobId)) as FailedJob);

  await fill(hostile, 'honest', [{ n: 1 }, { n: 5 }]);
  await hostile.ruleSet('honest', 'right', { jsonataExpr: 'left.n = right.n', params: thresholds });
  const job = await hostile.ended(await hostile.startJob('honest'));
  expect(job).toMatchObject({ status: 'completed', decision_counts: { MATCH: 1, NO_MATCH: 1, ERROR: 0 } });
});

test('a job over records whose small values need far more memory than their text has results', async () => {
  const dense = await TenantClient.create(stack, 'Dense');
  const a = Array.from({ length: 150_000 }, () => ({}));
  for (const dataset of ['left', 'right']) {
    for (let n = 0; n < 20; n++)
      await dense.http.post('/v1/records', { externalId: `${dataset}${n}`, body: { n, a } }, { params: { dataset } });
    await dense.settled(dataset, 20);
  }
  await dense.ruleSet('left', 'right', { jsonataExpr: 'left.n = right.n and left.a = right.a', params: thresholds });
  const job = await dense.ended(await dense.startJob('left'));
  expect(job).toMatchObject({ status: 'completed', decision_counts: { MATCH: 20, NO_MATCH: 380, ERROR: 0 } });
});

type FailedJob = Job & { errors: PairError[]; error: PairError | null };

function expectJob(attack: Hostile, job: FailedJob): void {
  if (job.error !== null) return expectKnown(attack, { codes: [job.error.code] });
  expect(job).toMatchObject({ status: 'completed', pairs_processed: 1 });
  const [error] = job.errors;
  expectKnown(
    attack,
    error ? { codes: [error.code] } : { decision: job.decision_counts['NO_MATCH'] === 1 ? 'NO_MATCH' : 'match' },
  );
}

/** The bystander's job runs to its end and its reads are answered, whatever else is in the queue. */
async function expectRightJob(tenant: TenantClient): Promise<void> {
  const job = await tenant.ended(await tenant.startJob('left'));
  expect(job).toMatchObject({
    status: 'completed',
    pairs_processed: 9,
    decision_counts: { MATCH: 2, NO_MATCH: 7, ERROR: 0 },
  });
  expect(await tenant.total('left')).toBe(3);
}

test('each attack in a transform fails its record with a reason or gives its value; others become ready', async () => {
  const hostile = await TenantClient.create(stack, 'Hostile');
  const names = attacks.map((_, index) => `ingest${index}`);
  for (const [index, attack] of attacks.entries()) {
    const { data } = await hostile.http.post<{ id: string }>('/v1/datasets', { name: names[index] });
    const field = { name: 'Field', key: 'field', type: 'boolean', transform_expr: ofRecord(attack.expr) };
    const created = await tryPost<{ id: string }>(hostile.http, `/v1/datasets/${data.id}/fields`, field);
    if ('refused' in created) expectKnown(attack, { codes: created.refused });
  }
  for (const name of names) await hostile.bulk(name, [{ externalId: 'r', body: { text: longText } }]);
  await fill(bystander, 'meanwhile', [{ n: 1 }]);
  for (const [index, attack] of attacks.entries()) {
    const record = await normalised(hostile, names[index] as string);
    if (record.status === 'ready')
      expectKnown(attack, { decision: record.fields['field'] === false ? 'NO_MATCH' : 'other' });
    else expectKnown(attack, { codes: codesOf(record.error) });
  }
});

interface RecordRow {
  status: string;
  fields: Record<string, unknown>;
  error: { code: string; message: string } | null;
}

async function normalised(tenant: TenantClient, dataset: string): Promise<RecordRow> {
  return eventually(`the record of ${dataset}`, async () => {
    const { data } = await tenant.http.get<{ items: RecordRow[] }>('/v1/records', { params: { dataset, limit: 1 } });
    return data.items.find(({ status }) => status !== 'received');
  });
}

/** `transform_expr failed: D1012 …`, unless its own code says why the transform was ended. */
function codesOf(error: RecordRow['error']): string[] {
  if (error === null) return [];
  const own = /^transform_expr failed: (\w+)/.exec(error.message)?.[1];
  return [own ?? error.code];
}

test('deep records are searched by a descendant path, deeper ones are refused', async () => {
  const search = (depth: number) =>
    tryPost(bystander.http, '/v1/rule-sets/preview', {
      ruleSet: { engine: 'jsonata', jsonataExpr: '$count(left.**.text) > 1', params: thresholds },
      pairs: [{ left: deepRecord(depth), right: {} }],
    });
  expect(await search(25)).toMatchObject({ results: [{ decision: 'MATCH' }] });
  expect(await search(1_000)).toMatchObject({ refused: expect.arrayContaining(['nesting_too_deep']) as string[] });
});
