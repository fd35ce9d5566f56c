import { allOf, type JobBody, type ListBody, type MatchBody, type RuleSetBody } from './reconciliation';
import type { CompositeBody, CompositeDetailBody } from './composites';
import type { TestTenant } from './test-api';

interface UsageBody {
  currentPeriod: string;
  totalMatches: number;
  byPeriod: { period: string; matches: number }[];
  byRuleSet: { ruleSetId: string; name: string; matches: number }[];
  byDataset: { dataset: string; matches: number }[];
  records: { total: number; byDataset: { datasetId: string; name: string; count: number }[] };
  matches: { total: number; byDecision: Record<string, number>; matchRate: number };
  composites: { total: number; byDecision: Record<string, number>; byStatus: Record<string, number> };
  recentJobs: { id: string; dataset: string; status: string; matchRate: number }[];
  billing: { currentPeriod: string; matchesCount: number };
  connectors: { name: string; type: string; createdAt: string }[];
}

export const usageOf = async (tenant: TestTenant, query = ''): Promise<UsageBody> =>
  (await tenant.api.get(`/v1/billing/usage${query}`).expect(200)).body as UsageBody;

/** Counts the present records, matches and composites from the lists. */
async function countFromLists(tenant: TestTenant): Promise<Pick<UsageBody, 'records' | 'matches' | 'composites'>> {
  const [datasets, ruleSets, matches, listed] = await Promise.all([
    allPages<{ id: string; name: string }>(tenant, '/v1/datasets'),
    allPages<RuleSetBody>(tenant, '/v1/rule-sets'),
    allOf<MatchBody>(tenant, '/v1/matches'),
    allOf<CompositeBody>(tenant, '/v1/composite-matches'),
  ]);
  const composites = await Promise.all(
    listed.map(
      async ({ id }) => (await tenant.api.get(`/v1/composite-matches/${id}`).expect(200)).body as CompositeDetailBody,
    ),
  );
  const records = new Map(
    await Promise.all(
      datasets.map(
        async ({ id, name }) => [id, await allOf<{ id: string }>(tenant, `/v1/records?dataset=${name}`)] as const,
      ),
    ),
  );
  const byDataset = datasets.map(({ id, name }) => ({ datasetId: id, name, count: records.get(id)?.length ?? 0 }));
  const isMatch = ({ decision, review }: { decision: string; review?: { status: string } }): boolean =>
    review ? review.status === 'confirmed' : decision === 'MATCH';
  const matched = new Set([
    ...matches.filter(isMatch).map((match) => match.left_record_id),
    ...composites
      .filter(isMatch)
      .flatMap((c) =>
        c.direction === 'many_to_one'
          ? c.members.map(({ recordId }) => recordId)
          : c.status === 'COMPLETE'
            ? [c.targetRecordId]
            : [],
      ),
  ]);
  const lefts = new Set(ruleSets.map((ruleSet) => ruleSet.left_dataset_id));
  const left = [...lefts].flatMap((id) => (records.get(id) ?? []).map((record) => record.id));
  const count = <T>(items: readonly T[], wanted: (item: T) => boolean): number => items.filter(wanted).length;
  const decisions = (items: readonly { decision: string }[]) => ({
    MATCH: count(items, (i) => i.decision === 'MATCH'),
    POSSIBLE: count(items, (i) => i.decision === 'POSSIBLE'),
  });
  return {
    records: {
      total: byDataset.reduce((sum, dataset) => sum + dataset.count, 0),
      byDataset: byDataset.sort((a, b) => (a.datasetId < b.datasetId ? -1 : 1)),
    },
    matches: {
      total: matches.length,
      byDecision: decisions(matches),
      matchRate: left.length === 0 ? 0 : count(left, (id) => matched.has(id)) / left.length,
    },
    composites: {
      total: composites.length,
      byDecision: decisions(composites),
      byStatus: {
        COMPLETE: count(composites, (c) => c.status === 'COMPLETE'),
        PARTIAL: count(composites, (c) => c.status === 'PARTIAL'),
      },
    },
  };
}

export async function allPages<T>(tenant: TestTenant, path: string): Promise<T[]> {
  return ((await tenant.api.get(`${path}?limit=100`).expect(200)).body as ListBody<T>).items;
}

/** Compares the totals that the lists of every job state with the numbers of their items. */
async function listedTotals(tenant: TestTenant): Promise<{ stated: number[]; listed: number[] }> {
  const jobs = await allPages<JobBody>(tenant, '/v1/matching-jobs');
  const queries = jobs.flatMap(({ id }) =>
    ['', '&decision=MATCH', '&decision=POSSIBLE'].map((decision) => `matchingJobId=${id}${decision}`),
  );
  const lists = await Promise.all(
    queries.map(
      async (query) => (await tenant.api.get(`/v1/matches?${query}&limit=100`).expect(200)).body as ListBody<MatchBody>,
    ),
  );
  return { stated: lists.map(({ total }) => total), listed: lists.map(({ items }) => items.length) };
}

/** Expects the usage to equal what the lists hold. */
export async function expectExact(tenant: TestTenant): Promise<void> {
  const { records, matches, composites } = await usageOf(tenant);
  expect({ records, matches, composites }).toEqual(await countFromLists(tenant));
  const { stated, listed } = await listedTotals(tenant);
  expect(stated).toEqual(listed);
}
