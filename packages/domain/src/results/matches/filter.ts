import type { SqlParameter } from '@tieout/infra';
import { indexFriendlyEquals } from '../../kernel/sql';
import { heldOfEarlierRunsSql, isHeldSql } from '../held';
import { isStaleSql, type ReviewStatus } from '../reviews';

export interface MatchFilter {
  /** A job, which may be running; without it the live, the reviewed and the held matches are listed. */
  matchingJobId?: string | undefined;
  ruleSetId?: string | undefined;
  decision?: 'MATCH' | 'POSSIBLE' | undefined;
  /** A record on either side. */
  recordId?: string | undefined;
  minScore?: number | undefined;
  /** none: without a review. */
  review?: ReviewStatus | 'none' | undefined;
  /** true: confirmed on records that have changed since. */
  stale?: boolean | undefined;
}

interface MatchCondition {
  sql: string;
  /** Newest first. */
  order: string;
  /**
   * SQL for the number of matches, where counters hold it (ADR 0021): those of completed jobs, by rule set and
   * decision. It gives null for a job that has not completed, or whose results have expired or were never counted.
   */
  keptTotal: string | undefined;
  /** Holds for all matches of a job, which one index scan reads. */
  isWholeJob: boolean;
  parameters: SqlParameter[];
}

// A rule set points at its live job. A list of them makes the database read the rule sets once.
const isLive = `(m.rule_set_id, m.job_id) in (
  select r.id, r.live_job_id from rule_sets r where r.tenant_id = $1::uuid)`;

/** Builds the condition over matches `m`. Its parameters are the first of a statement. */
export function matchCondition(tenantId: string, filter: MatchFilter): MatchCondition {
  const parameters: SqlParameter[] = [tenantId];
  const parameter = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const job = filter.matchingJobId === undefined ? undefined : `${parameter(filter.matchingJobId)}::uuid`;
  const conditions = [
    'm.tenant_id = $1::uuid',
    job === undefined
      ? `(m.review_status is not null or ${isLive} or ${isHeldSql('m')})`
      : indexFriendlyEquals('m.job_id', job),
  ];
  // Conditions that the counters, kept by rule set and decision, can express too.
  const counted: string[] = [];
  if (filter.ruleSetId !== undefined) counted.push(`rule_set_id = ${parameter(filter.ruleSetId)}::uuid`);
  if (filter.decision !== undefined) counted.push(`decision = ${parameter(filter.decision)}`);
  conditions.push(...counted.map((part) => `m.${part}`));
  const countable = conditions.length;
  if (filter.recordId !== undefined) {
    const id = `${parameter(filter.recordId)}::uuid`;
    // `offset 0` keeps the search on the indexes of records: statistics may not know the tenant yet.
    const naming = ['left', 'right'].map(
      (side) => `select id from (select id from matches where ${side}_record_id = ${id} offset 0) ${side}_naming`,
    );
    conditions.push(`m.id = any(array(${naming.join(' union all ')}))`);
  }
  if (filter.minScore !== undefined) conditions.push(`m.score >= ${parameter(filter.minScore)}::float8`);
  if (filter.review === 'none') conditions.push('m.review_status is null');
  else if (filter.review !== undefined) conditions.push(`m.review_status = ${parameter(filter.review)}`);
  if (filter.stale !== undefined) conditions.push(filter.stale ? isStaleSql('m') : `not ${isStaleSql('m')}`);
  const sql = conditions.join(' and ');
  const isNarrowed = conditions.length > countable;
  const order = job === undefined ? 'm.id desc' : 'm.job_id desc, m.id desc';
  return {
    sql,
    order,
    parameters,
    isWholeJob: job !== undefined && conditions.length === 2,
    keptTotal: isNarrowed ? undefined : job === undefined ? totalOfLive(counted) : totalOfJob(job, counted),
  };
}

const and = (table: string, conditions: readonly string[]): string =>
  conditions.map((part) => ` and ${table}.${part}`).join('');

const sumOf = (from: string, conditions: readonly string[]): string =>
  `(select sum(c.count)::float8 from result_counts c ${from}
     where c.tenant_id = $1::uuid and c.kind = 'match'${and('c', conditions)})`;

/** SQL for the total of live matches by the counters, plus the few reviewed ones of earlier jobs and the held ones. */
const totalOfLive = (counted: readonly string[]): string =>
  `(coalesce(${sumOf('join rule_sets r on r.id = c.rule_set_id and r.live_job_id = c.job_id', counted)}, 0)
    + (select count(*) from matches m
        where m.tenant_id = $1::uuid and m.review_status is not null and ${isLive} is not true${and('m', counted)})
    + (select count(*) from (select g.rule_set_id, 'MATCH' as decision from ${heldOfEarlierRunsSql('pair')}) h
        where true${and('h', counted)}))`;

const totalOfJob = (job: string, counted: readonly string[]): string =>
  `(case when exists (
             select 1 from matching_jobs j where j.tenant_id = $1::uuid and j.id = ${job} and j.status = 'completed')
          and not exists (
             select 1 from job_rule_sets e
              where e.tenant_id = $1::uuid and e.job_id = ${job} and e.results_expired_at is not null)
    then ${sumOf('', [`job_id = ${job}`, ...counted])} end)`;
