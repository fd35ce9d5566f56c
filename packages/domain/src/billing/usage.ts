import { invalid, queriesOn, type FieldError, type Queries } from '@tieout/infra';
import { readQuotas, type QuotaUsage } from '../access/quotas';
import type { QuotaName, Quotas } from '../kernel/quotas';
import type { JobStatus } from '../matching';
import type { TenantScope } from '../kernel/scope';
import { heldOfEarlierRunsSql } from '../results/held';

/** Months as YYYY-MM, both inclusive. */
export interface UsageRange {
  periodFrom?: string | undefined;
  periodTo?: string | undefined;
}

export interface BillingUsage {
  currentPeriod: string;
  /** Booked matches of the range, in total and by period, rule set and dataset. */
  totalMatches: number;
  /** Every month of the range, oldest first. */
  byPeriod: { period: string; matches: number }[];
  byRuleSet: { ruleSetId: string; name: string; matches: number }[];
  /** Datasets are the left ones of the jobs. */
  byDataset: { dataset: string; matches: number }[];
  /** Present state, from here on. */
  records: { total: number; byDataset: { datasetId: string; name: string; count: number }[] };
  matches: { total: number; byDecision: Record<string, number>; matchRate: number };
  composites: { total: number; byDecision: Record<string, number>; byStatus: Record<string, number> };
  recentJobs: { id: string; dataset: string; status: JobStatus; matchRate: number }[];
  billing: { currentPeriod: string; matchesCount: number };
  connectors: { name: string; type: string; createdAt: Date }[];
  /** Present usage and limits. */
  quotas: Record<QuotaName, QuotaUsage>;
}

/**
 * Reads the booked matches and the present counts of a tenant, in one snapshot, from counters that every change
 * maintains.
 * @throws AppError validation_error for the range
 */
export async function billingUsage(scope: TenantScope, range: UsageRange): Promise<BillingUsage> {
  const currentPeriod = periodOf(new Date());
  const periods = periodsOf(range, currentPeriod);
  return scope.db.session(async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const usage = await readUsage(
      { db: queriesOn(client), tenantId: scope.tenantId, limits: scope.settings.quotas },
      currentPeriod,
      periods,
    );
    await client.query('commit');
    return usage;
  });
}

interface Snapshot {
  db: Queries;
  tenantId: string;
  limits: Quotas;
}

async function readUsage(snapshot: Snapshot, currentPeriod: string, periods: readonly string[]): Promise<BillingUsage> {
  const billed = await billedByPeriod(snapshot);
  const byPeriod = periods.map((period) => ({ period, matches: billed.get(period) ?? 0 }));
  const range = [periods[0] as string, periods.at(-1) as string] as const;
  const records = await recordsByDataset(snapshot);
  const results = await liveResults(snapshot);
  return {
    currentPeriod,
    totalMatches: sum(byPeriod.map(({ matches }) => matches)),
    byPeriod,
    byRuleSet: await billedByRuleSet(snapshot, range),
    byDataset: await billedByDataset(snapshot, range),
    records: { total: sum(records.map(({ count }) => count)), byDataset: records },
    matches: { ...tally(results, 'match', 'decision', ['MATCH', 'POSSIBLE']), matchRate: await matchRate(snapshot) },
    composites: {
      ...tally(results, 'composite', 'decision', ['MATCH', 'POSSIBLE']),
      byStatus: tally(results, 'composite', 'status', ['COMPLETE', 'PARTIAL']).byDecision,
    },
    recentJobs: await recentJobs(snapshot),
    billing: { currentPeriod, matchesCount: billed.get(currentPeriod) ?? 0 },
    connectors: await connectors(snapshot),
    quotas: await readQuotas(snapshot.db, snapshot.tenantId, snapshot.limits),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

async function billedByPeriod({ db, tenantId }: Snapshot): Promise<Map<string, number>> {
  const rows = await db.query<{ period: string; matches: number }>(
    `select period, sum(matches)::float8 as matches from billing_entries where tenant_id = $1::uuid group by 1`,
    [tenantId],
  );
  return new Map(rows.map(({ period, matches }) => [period, matches]));
}

/** Names are the present ones, or those at booking for deleted rule sets. */
function billedByRuleSet(
  { db, tenantId }: Snapshot,
  [from, to]: readonly [string, string],
): Promise<BillingUsage['byRuleSet']> {
  return db.query(
    `select e.rule_set_id as "ruleSetId", coalesce(max(r.name), max(e.rule_set_name)) as name,
            sum(e.matches)::float8 as matches
       from billing_entries e left join rule_sets r on r.id = e.rule_set_id
      where e.tenant_id = $1::uuid and e.period between $2 and $3 group by 1 order by matches desc, 1`,
    [tenantId, from, to],
  );
}

function billedByDataset(
  { db, tenantId }: Snapshot,
  [from, to]: readonly [string, string],
): Promise<BillingUsage['byDataset']> {
  return db.query(
    `select dataset, sum(matches)::float8 as matches
       from (select coalesce(max(d.name), max(e.dataset_name)) as dataset, sum(e.matches) as matches
               from billing_entries e left join datasets d on d.id = e.dataset_id
              where e.tenant_id = $1::uuid and e.period between $2 and $3 group by e.dataset_id) billed
      group by 1 order by matches desc, 1`,
    [tenantId, from, to],
  );
}

function recordsByDataset({ db, tenantId }: Snapshot): Promise<BillingUsage['records']['byDataset']> {
  return db.query(
    `select d.id as "datasetId", d.name, coalesce(sum(c.count), 0)::float8 as count
       from datasets d left join record_counts c on c.dataset_id = d.id and c.tenant_id = d.tenant_id
      where d.tenant_id = $1::uuid group by d.id order by d.id`,
    [tenantId],
  );
}

interface LiveResult {
  kind: 'match' | 'composite';
  decision: string;
  status: string;
  count: number;
}

/** Counts the results that lists show: those of live jobs, and the reviewed and held ones of earlier jobs. */
function liveResults({ db, tenantId }: Snapshot): Promise<LiveResult[]> {
  return db.query(
    `with live as materialized (
       select id, live_job_id from rule_sets where tenant_id = $1::uuid and live_job_id is not null
     )
     select kind, decision, status, sum(count)::float8 as count from (
       select c.kind, c.decision, c.status, c.count
         from live join result_counts c on c.job_id = live.live_job_id and c.rule_set_id = live.id
       union all
       select 'match', decision, '', count(*) from matches
        where tenant_id = $1::uuid and review_status is not null
          and (rule_set_id, job_id) not in (select id, live_job_id from live)
        group by 2
       union all
       select 'composite', c.decision, c.status, count(*)
         from rule_sets r join composite_matches c on c.rule_set_id = r.id
        where r.tenant_id = $1::uuid and c.tenant_id = $1::uuid and c.review_status is not null
          and c.job_id is distinct from r.live_job_id
        group by 2, 3
       union all select 'match', 'MATCH', '', count(*) from ${heldOfEarlierRunsSql('pair')}
       union all select 'composite', 'MATCH', 'COMPLETE', count(*) from ${heldOfEarlierRunsSql('composite')}) found
      group by 1, 2, 3`,
    [tenantId],
  );
}

function tally(
  results: readonly LiveResult[],
  kind: LiveResult['kind'],
  key: 'decision' | 'status',
  values: readonly string[],
): { total: number; byDecision: Record<string, number> } {
  const own = results.filter((result) => result.kind === kind);
  const countOf = (value: string): number =>
    sum(own.filter((result) => result[key] === value).map(({ count }) => count));
  return {
    total: sum(own.map(({ count }) => count)),
    byDecision: Object.fromEntries(values.map((value) => [value, countOf(value)])),
  };
}

/** Share of records in left datasets of rule sets that have a live MATCH, as pair or composite. */
async function matchRate({ db, tenantId }: Snapshot): Promise<number> {
  const [row] = await db.query<{ matched: number; records: number }>(
    `with lefts as (select distinct left_dataset_id as id from rule_sets where tenant_id = $1::uuid)
     select (select coalesce(sum(count), 0) from matched_counts
              where tenant_id = $1::uuid and dataset_id in (select id from lefts))::float8 as matched,
            (select coalesce(sum(count), 0) from record_counts
              where tenant_id = $1::uuid and dataset_id in (select id from lefts))::float8 as records`,
    [tenantId],
  );
  return rateOf(row?.matched ?? 0, row?.records ?? 0);
}

const rateOf = (matched: number, records: number): number => (records === 0 ? 0 : matched / records);

/** Reads the newest ten jobs; one that has not completed has a match rate of 0. */
async function recentJobs({ db, tenantId }: Snapshot): Promise<BillingUsage['recentJobs']> {
  const rows = await db.query<{ id: string; dataset: string; status: JobStatus; records: number; matched: number }>(
    `select id, dataset_name as dataset, status, left_records as records, left_matched as matched
       from matching_jobs where tenant_id = $1::uuid order by id desc limit 10`,
    [tenantId],
  );
  return rows.map(({ id, dataset, status, records, matched }) => ({
    id,
    dataset,
    status,
    matchRate: rateOf(matched, records),
  }));
}

/** Lists data sources, newest first. */
function connectors({ db, tenantId }: Snapshot): Promise<BillingUsage['connectors']> {
  return db.query(
    `select name, kind as type, created_at as "createdAt" from data_sources
      where tenant_id = $1::uuid order by id desc`,
    [tenantId],
  );
}

const maxPeriods = 1_200;

const periodOf = (date: Date): string => date.toISOString().slice(0, 7);

/** Months since year 0. */
const numberOf = (period: string): number => Number(period.slice(0, 4)) * 12 + Number(period.slice(5)) - 1;

function periodAt(number: number): string {
  const year = String(Math.floor(number / 12)).padStart(4, '0');
  return `${year}-${String((number % 12) + 1).padStart(2, '0')}`;
}

/**
 * Lists every month of the range, oldest first. The default range is the current month and the twelve before it.
 * @throws AppError validation_error: no calendar month, or a range that is empty or longer than a hundred years
 */
function periodsOf({ periodFrom, periodTo }: UsageRange, current: string): string[] {
  const faults = [...monthFault('periodFrom', periodFrom), ...monthFault('periodTo', periodTo)];
  if (faults.length > 0) throw invalid(faults);
  const to = numberOf(periodTo ?? current);
  const from = periodFrom === undefined ? numberOf(current) - 12 : numberOf(periodFrom);
  const path = '/query/periodFrom';
  if (from > to) {
    throw invalid([
      {
        path,
        code: 'period_order',
        message: `is ${periodAt(from)}, after periodTo (${periodAt(to)}): give an earlier month`,
      },
    ]);
  }
  if (to - from >= maxPeriods)
    throw invalid([{ path, code: 'period_range', message: `must be less than ${maxPeriods} months before periodTo` }]);
  return Array.from({ length: to - from + 1 }, (_, i) => periodAt(from + i));
}

function monthFault(name: keyof UsageRange, period: string | undefined): FieldError[] {
  if (period === undefined || /^\d{4}-(0[1-9]|1[0-2])$/.test(period)) return [];
  return [{ path: `/query/${name}`, code: 'period', message: 'must be a month as YYYY-MM, from 01 to 12' }];
}
