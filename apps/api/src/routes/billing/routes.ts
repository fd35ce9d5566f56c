import { Type, type TObject, type TProperties } from '@sinclair/typebox';
import { billingUsage, jobStatuses, type BillingUsage } from '@tieout/domain';
import { closed, count, defineRoute, reply, tenantAccess, textEnum, timestamp, uuid, type Route } from '../../http';
import { quotaUsageSchema } from '../tenants/quotas';

const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const period = Type.String({ pattern: '^\\d{4}-\\d{2}$', examples: ['2025-03'] });
const listOf = <T extends TProperties>(properties: T, description: string) =>
  Type.Array<TObject<T>>(closed(properties), { description });
const byDecision = closed({ MATCH: count(), POSSIBLE: count() }, { $id: 'CountByDecision' });

const usageQuery = closed({
  periodFrom: Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'The first month, UTC; default: 12 months ago' }),
  ),
  periodTo: Type.Optional(
    Type.String({ pattern: '^\\d{4}-\\d{2}$', description: 'The last month; default: the current one' }),
  ),
});

const billingUsageSchema = closed(
  {
    currentPeriod: period,
    totalMatches: count('MATCH pairs of jobs that completed in the range, each counted once, when its job completed'),
    byPeriod: listOf({ period, matches: count() }, 'Every month of the range, oldest first'),
    byRuleSet: listOf(
      { ruleSetId: uuid(), name: Type.String(), matches: count() },
      'In the range; also rule sets that have been deleted',
    ),
    byDataset: listOf(
      { dataset: Type.String(), matches: count() },
      'In the range, by the dataset that the jobs ran for',
    ),
    records: closed({
      total: count(),
      byDataset: listOf({ datasetId: uuid(), name: Type.String(), count: count() }, 'Every dataset'),
    }),
    matches: closed(
      {
        total: count(),
        byDecision,
        matchRate: rate('Left records with a live MATCH, composites included, of all records of left datasets'),
      },
      { description: 'What GET /v1/matches lists now' },
    ),
    composites: closed(
      { total: count(), byDecision, byStatus: closed({ COMPLETE: count(), PARTIAL: count() }) },
      { description: 'What GET /v1/composite-matches lists now' },
    ),
    recentJobs: listOf(
      {
        id: uuid(),
        dataset: Type.String(),
        status: textEnum(jobStatuses),
        matchRate: rate('Of its left records; 0 until it has completed'),
      },
      'The newest ten',
    ),
    billing: closed({ currentPeriod: period, matchesCount: count('Of the current month, whatever the range') }),
    connectors: listOf(
      { name: Type.String(), type: Type.String(), createdAt: timestamp() },
      'Data sources, newest first',
    ),
    quotas: quotaUsageSchema,
  },
  { $id: 'BillingUsage' },
);

const presentUsage = (usage: BillingUsage) => ({
  ...usage,
  connectors: usage.connectors.map(({ name, type, createdAt }) => ({ name, type, createdAt: createdAt.toISOString() })),
});

const usage = defineRoute({
  method: 'get',
  path: '/v1/billing/usage',
  operationId: 'getBillingUsage',
  tag: 'Billing',
  summary: 'Read usage and what is billed',
  description:
    'What is billed is booked when a job completes and never changes. Records, matches and composites are counted ' +
    'as they are now. All numbers are of one moment.',
  access: tenantAccess('billing:read', 'none'),
  readsReplica: true,
  query: usageQuery,
  responses: { 200: { description: 'The usage', schema: billingUsageSchema } },
  handler: async ({ scope, query }) => reply(200, presentUsage(await billingUsage(scope, query))),
});

export const billingRoutes: readonly Route[] = [usage];
