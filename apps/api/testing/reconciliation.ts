import { lockWaiters as waitersOf, waitersFor } from '@tieout/testing';
import type { ApiAnswer } from './call';
import type { TestApi, TestTenant } from './test-api';

type JsonObject = Record<string, unknown>;

/** One answer of a list. */
export interface ListBody<T> {
  items: T[];
  total: number;
  page: number;
  limit: number;
  next_cursor?: string | null;
  /** The cursor of resources in camelCase. */
  nextCursor?: string | null;
}

export interface RuleSetBody {
  id: string;
  name: string;
  left_dataset_id: string;
  right_dataset_id: string;
  engine: string;
  jsonata_expr: string | null;
  params: JsonObject;
  effective_params: JsonObject;
  logic_json: JsonObject | null;
  version: number;
  created_at: string;
}

export interface JobBody extends JsonObject {
  id: string;
  status: string;
  job_group_id: string;
  dataset_name: string;
  decision_counts: Record<string, number>;
  rule_sets: (JsonObject & {
    id: string;
    rule_set_id: string;
    status: string;
    decision_counts: Record<string, number>;
  })[];
}

export interface MatchBody {
  id: string;
  left_record_id: string;
  right_record_id: string;
  rule_set_id: string;
  score: number;
  decision: string;
  explanation: JsonObject & { matchers: (JsonObject & { id: string })[] };
  matching_job_id: string;
  created_at: string;
  review?: { status: string; note: string | null; reviewed_at: string; api_key_id: string | null };
}

export interface UnmatchedBody {
  record: JsonObject & { id: string; external_id: string };
  reason: string;
  best_possible: { match_id: string; record_id: string; score: number } | null;
  best_possible_composite: { composite_match_id: string; score: number } | null;
  nearest: {
    record_id: string;
    external_id: string | null;
    rule_set_id: string;
    score: number;
    lacks: { id: string; lost: number }[] | null;
  } | null;
  remaining_amount: number | null;
}

/** A tenant with a left and a right dataset of normalised records, `l0`, `l1`… and `r0`, `r1`… */
export interface Books {
  tenant: TestTenant;
  leftId: string;
  rightId: string;
  /** Record ids by external id. */
  recordIds: Map<string, string>;
  /** Creates a rule set over the two datasets. Default: `left.ref = right.ref` with thresholds of 1. */
  ruleSet(body?: object): Promise<RuleSetBody>;
  /** Starts a job on the left dataset and leaves it in the queue. */
  start(body?: object): Promise<JobBody>;
  job(id: string): Promise<JobBody>;
  /** Starts a job on the left dataset and runs it. */
  reconcile(body?: object): Promise<JobBody>;
  /** Matches by `l0|r0`: the live ones, or those of a job. */
  matches(jobId?: string): Promise<Record<string, MatchBody>>;
  unmatched(jobId: string, query: string): Promise<ListBody<UnmatchedBody>>;
}

export async function openBooks(api: TestApi, lefts: readonly object[], rights: readonly object[]): Promise<Books> {
  const tenant = await api.newTenant();
  const leftId = await newDataset(tenant, 'left');
  const rightId = await newDataset(tenant, 'right');
  await addRecords(tenant, 'left', lefts);
  await addRecords(tenant, 'right', rights);
  await api.runIngest();
  const recordIds = new Map<string, string>();
  for (const dataset of ['left', 'right']) {
    for (const record of await allOf<{ id: string; external_id: string }>(tenant, `/v1/records?dataset=${dataset}`)) {
      recordIds.set(record.external_id, record.id);
    }
  }
  const names = new Map([...recordIds].map(([name, id]) => [id, name]));
  const get = async <T>(path: string): Promise<T> => (await tenant.api.get(path).expect(200)).body as T;
  const post = async (body: object = { dataset: 'left' }): Promise<JobBody> =>
    (await tenant.api.post('/v1/matching-jobs', body).expect(202)).body as JobBody;
  const job = (id: string): Promise<JobBody> => get<JobBody>(`/v1/matching-jobs/${id}`);
  return {
    tenant,
    leftId,
    rightId,
    recordIds,
    start: async (body) => {
      await api.stopMatching();
      return post(body);
    },
    job,
    ruleSet: async (body = { jsonataExpr: 'left.ref = right.ref' }) => {
      const definition = {
        name: 'rules',
        leftDatasetId: leftId,
        rightDatasetId: rightId,
        params: { Tmatch: 1, Tpossible: 1 },
        ...body,
      };
      return (await tenant.api.post('/v1/rule-sets', definition).expect(201)).body as RuleSetBody;
    },
    reconcile: async (body) => {
      const { id } = await post(body);
      await api.runMatching();
      return job(id);
    },
    matches: async (jobId) => {
      const found = await allOf<MatchBody>(
        tenant,
        `/v1/matches?${jobId === undefined ? '' : `matchingJobId=${jobId}`}`,
      );
      return Object.fromEntries(
        found.map((m) => [`${names.get(m.left_record_id)}|${names.get(m.right_record_id)}`, m]),
      );
    },
    unmatched: (jobId, query) => get(`/v1/matching-jobs/${jobId}/unmatched?${query}`),
  };
}

async function newDataset(tenant: TestTenant, name: string): Promise<string> {
  const { body } = await tenant.api.post('/v1/datasets', { name }).expect(201);
  return (body as { id: string }).id;
}

/** Ingests records with the external ids `l0`, `l1`… or `r0`, `r1`…; `runIngest` normalises them. */
export async function addRecords(
  tenant: TestTenant,
  dataset: 'left' | 'right',
  rows: readonly object[],
): Promise<void> {
  if (rows.length === 0) return;
  const lines = rows.map((body, i) => ({ externalId: `${dataset.charAt(0)}${i}`, body }));
  const response = await tenant.api.post(`/v1/records/bulk?dataset=${dataset}`, lines).expect(202);
  expect(response.body).toEqual({ accepted: rows.length, rejected: 0, errors: [] });
}

/** Resets records to their state before normalisation: jobs wait for them. */
export async function unnormalise(api: TestApi, recordIds: readonly string[]): Promise<void> {
  await api.service.deps.db.system.execute(
    `update records set status = 'received', fields = null where id = any($1::uuid[])`,
    [recordIds],
  );
}

/** Resolves when this many sessions wait for the lock. */
type Waiters = (count: number) => Promise<void>;

/** Works while a statement in another transaction holds its locks. */
export async function whileLocked<T>(
  api: TestApi,
  tenant: TestTenant,
  sql: string,
  parameters: readonly string[],
  work: (waiters: Waiters) => Promise<T>,
): Promise<T> {
  const { db } = api.service.deps;
  return db.forTenant(tenant.tenantId).session(async (client) => {
    await client.query('begin');
    try {
      const {
        rows: [holder],
      } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      await client.query(sql, [...parameters]);
      return await work((count) => waitersFor(db.system, holder?.pid as number, count));
    } finally {
      await client.query('rollback');
    }
  });
}

/** Resolves when this many statements wait for locks. */
export const lockWaiters = (api: TestApi, count: number): Promise<void> => waitersOf(api.service.deps.db.system, count);

/** Every item of a list with a cursor. */
export async function allOf<T>(tenant: TestTenant, path: string): Promise<T[]> {
  const items: T[] = [];
  let cursor: string | null | undefined;
  do {
    const separator = path.includes('?') ? '&' : '?';
    const next = cursor === undefined ? '' : `&cursor=${cursor}`;
    const { body } = await tenant.api.get(`${path}${separator}limit=100${next}`).expect(200);
    const page = body as ListBody<T>;
    items.push(...page.items);
    cursor = page.next_cursor ?? page.nextCursor;
  } while (cursor !== null && cursor !== undefined);
  return items;
}

/** Resolves once a count has this value; it checks between the steps of the event loop. */
export const reaches = (count: () => number, value: number): Promise<number> =>
  eventually(
    () => new Promise<number>((resolve) => setImmediate(() => resolve(count()))),
    (reached) => reached === value,
  );

/** Asks until the answer has this status, for at most a second: so long a process uses what it knows of a key. */
export const becomes = (status: number, ask: () => PromiseLike<ApiAnswer>): Promise<ApiAnswer> =>
  eventually(
    async () => ask(),
    (answer) => answer.status === status,
    1_000,
  );

/** Asks again until the answer is the expected one. */
export async function eventually<T>(
  ask: () => Promise<T>,
  isExpected: (answer: T) => boolean,
  timeoutMs = 120_000,
): Promise<T> {
  const deadlineMs = Date.now() + timeoutMs;
  for (;;) {
    const isLast = Date.now() > deadlineMs;
    const answer = await ask();
    if (isExpected(answer)) return answer;
    if (isLast) throw new Error(`not reached within ${timeoutMs} ms: ${JSON.stringify(answer)}`);
  }
}
