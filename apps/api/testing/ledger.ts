import type { CompositeBody, CompositeDetailBody } from './composites';
import { allOf, type JobBody, type MatchBody, type RuleSetBody, type UnmatchedBody } from './reconciliation';
import type { TestApi, TestTenant } from './test-api';

type Row = Record<string, unknown>;
type LedgerSide = 'left' | 'right';

/** Rules that match equal amounts within 20 days, one to one. */
export const amountRules = {
  Tmatch: 0.8,
  Tpossible: 0.5,
  matchers: [{ id: 'amount', expr: 'left.amount = right.amount', weight: 1 }],
  blocking: {
    amountKeyLeft: 'amount',
    amountKeyRight: 'amount',
    dateKeyLeft: 'date',
    dateKeyRight: 'date',
    dateToleranceDays: 20,
  },
  assignment: 'one_to_one',
} as const;

/** Several left records that add up to a right one which comes after them. */
export const groupRules = {
  enabled: true,
  direction: 'right_to_many_left',
  dateStrategy: 'before',
  dateToleranceDays: 40,
} as const;

/** Results by the names of the records, sorted. */
export interface LedgerState {
  /** Such as `I1~B1 MATCH`, with the review after the decision. */
  pairs: string[];
  /** Such as `PAY=I1+I2 MATCH`. */
  groups: string[];
}

/** A tenant with a left and a right dataset whose records are called by their external ids. */
export interface Ledger {
  tenant: TestTenant;
  ruleSetId: string;
  /** Sends records, new or again. A number is an amount on 2026-03-01. */
  send(side: LedgerSide, rows: Record<string, object | number>): Promise<void>;
  patch(change: object): Promise<RuleSetBody>;
  run(): Promise<JobBody>;
  state(): Promise<LedgerState>;
  /** Unmatched records of the latest run by name, with their reasons. */
  unmatched(side: LedgerSide): Promise<Record<string, UnmatchedBody>>;
  reasons(side: LedgerSide): Promise<Record<string, string>>;
  review(name: string, action: 'confirm' | 'reject', status?: number): Promise<Row>;
  idOf(name: string): Promise<string>;
  recordId(name: string): string;
}

type Rows = Record<string, object | number>;

/**
 * Rows of independent cases that share a ledger and its runs. Each case has a year of its own, which no tolerance of
 * dates reaches beyond; its names begin with its number, such as `0.I1`.
 */
export function rowsOfCases(cases: readonly Rows[]): Rows {
  const rows = cases.flatMap((of, at) =>
    Object.entries(of).map(([name, row]) => {
      const { date, ...body } = { date: '2026-03-01', ...(typeof row === 'number' ? { amount: row } : row) };
      return [`${at}.${name}`, { ...body, date: date.replace('2026', String(2000 + at)) }];
    }),
  );
  return Object.fromEntries(rows) as Rows;
}

/** The results or reasons of one case, by its own names. */
export function ofCase<T extends string[] | Record<string, string>>(at: number, all: T): T {
  const isOwn = (name: string): boolean => name.startsWith(`${at}.`);
  const own = (name: string): string => name.replaceAll(`${at}.`, '');
  if (Array.isArray(all)) return all.filter(isOwn).map(own) as T;
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => isOwn(name))
      .map(([name, value]) => [own(name), value]),
  ) as T;
}

/** Opens a ledger with one rule set. `sameDataset` compares the left dataset with itself. */
export async function openLedger(
  api: TestApi,
  params: object,
  ruleSet: { sameDataset?: boolean; engine?: string; jsonataExpr?: string } = {},
): Promise<Ledger> {
  const { sameDataset = false, ...definition } = ruleSet;
  const tenant = await api.newTenant();
  const dataset = async (name: string): Promise<string> =>
    ((await tenant.api.post('/v1/datasets', { name }).expect(201)).body as { id: string }).id;
  const [left, right] = [await dataset('left'), await dataset('right')];
  const created = await tenant.api
    .post('/v1/rule-sets', {
      name: 'rules',
      engine: 'jsonata-batch',
      leftDatasetId: left,
      rightDatasetId: sameDataset ? left : right,
      params,
      ...definition,
    })
    .expect(201);
  const ruleSetId = (created.body as RuleSetBody).id;
  const names = new Map<string, string>();
  const ids = new Map<string, string>();
  let jobId = '';
  const pairs = async (): Promise<Map<string, MatchBody>> =>
    new Map(
      (await allOf<MatchBody>(tenant, '/v1/matches')).map((m) => [
        `${names.get(m.left_record_id)}~${names.get(m.right_record_id)}`,
        m,
      ]),
    );
  // The records of a group never change.
  const groupNames = new Map<string, string>();
  const groupName = async (id: string): Promise<string> => {
    const { body } = await tenant.api.get(`/v1/composite-matches/${id}`).expect(200);
    const { members, targetRecordId } = body as CompositeDetailBody;
    const parts = members.map(({ recordId }) => names.get(recordId)).sort();
    return `${names.get(targetRecordId)}=${parts.join('+')}`;
  };
  const groups = async (): Promise<Map<string, CompositeBody>> => {
    const found = new Map<string, CompositeBody>();
    for (const group of await allOf<CompositeBody>(tenant, '/v1/composite-matches')) {
      const name = groupNames.get(group.id) ?? (await groupName(group.id));
      groupNames.set(group.id, name);
      found.set(name, group);
    }
    return found;
  };
  const told = ([name, { decision, review }]: [string, { decision: string; review?: { status: string } }]): string =>
    `${name} ${decision}${review ? ` ${review.status}` : ''}`;
  const unmatched: Ledger['unmatched'] = async (side) => {
    const { body } = await tenant.api.get(`/v1/matching-jobs/${jobId}/unmatched?side=${side}&limit=100`).expect(200);
    const { items } = body as { items: UnmatchedBody[] };
    return Object.fromEntries(
      items.map((item) => [item.record.external_id, item] as const).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  };
  const idOf = async (name: string): Promise<string> => {
    const results: Map<string, { id: string }> = await (name.includes('=') ? groups() : pairs());
    const id = results.get(name)?.id;
    if (id === undefined) throw new Error(`there is no ${name} among ${[...results.keys()].join()}`);
    return id;
  };
  return {
    tenant,
    ruleSetId,
    send: async (side, rows) => {
      const lines = Object.entries(rows).map(([externalId, row]) => ({
        externalId,
        body: typeof row === 'number' ? { amount: row, date: '2026-03-01' } : { date: '2026-03-01', ...row },
      }));
      await tenant.api.post(`/v1/records/bulk?dataset=${side}`, lines).expect(202);
      await api.runIngest();
      if (lines.every(({ externalId }) => ids.has(externalId))) return;
      for (const { id, external_id } of await allOf<{ id: string; external_id: string }>(
        tenant,
        `/v1/records?dataset=${side}`,
      )) {
        names.set(id, external_id);
        ids.set(external_id, id);
      }
    },
    patch: async (change) =>
      (await tenant.api.patch(`/v1/rule-sets/${ruleSetId}`, change).expect(200)).body as RuleSetBody,
    run: async () => {
      const { id } = (await tenant.api.post('/v1/matching-jobs', { dataset: 'left' }).expect(202)).body as JobBody;
      await api.runMatching();
      jobId = id;
      return (await tenant.api.get(`/v1/matching-jobs/${id}`).expect(200)).body as JobBody;
    },
    state: async () => ({
      pairs: [...(await pairs())].map(told).sort(),
      groups: [...(await groups())].map(told).sort(),
    }),
    unmatched,
    reasons: async (side) =>
      Object.fromEntries(Object.entries(await unmatched(side)).map(([name, { reason }]) => [name, reason])),
    review: async (name, action, status = 200) => {
      const kind = name.includes('=') ? 'composite-matches' : 'matches';
      return (await tenant.api.post(`/v1/${kind}/${await idOf(name)}/review`, { action }).expect(status)).body as Row;
    },
    idOf,
    recordId: (name) => ids.get(name) as string,
  };
}
