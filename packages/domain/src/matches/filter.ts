import type { SqlParameter } from '@tieout/infra';
import { isOf } from '../parent-condition';
import type { ReviewStatus } from '../reviews';

export interface MatchFilter {
  /** Names a job, also a running one; without it the live and the reviewed matches are listed. */
  matchingJobId?: string | undefined;
  ruleSetId?: string | undefined;
  decision?: 'MATCH' | 'POSSIBLE' | undefined;
  /** On either side. */
  recordId?: string | undefined;
  minScore?: number | undefined;
  /** none: nobody has reviewed it. */
  review?: ReviewStatus | 'none' | undefined;
}

export interface MatchCondition {
  sql: string;
  /** Newest first. */
  order: string;
  /**
   * An expression for how many matches fulfil it, where that is counted as they are written (ADR 0021): for the live ones, by
   * rule set and decision. It gives null for a job that is not the live one of all its rule sets.
   */
  keptTotal: string | undefined;
  /** All matches of a job, which its index gives at once. */
  isWholeJob: boolean;
  parameters: SqlParameter[];
}

// A rule set points at the job whose matches are the live ones; as a list, so that the rule sets are read once.
const isLive = `(m.rule_set_id, m.job_id) in (select r.id, r.live_job_id from rule_sets r where r.tenant_id = $1::uuid)`;

/** The condition over matches `m`; its parameters come first in a statement. */
export function matchCondition(tenantId: string, filter: MatchFilter): MatchCondition {
  const parameters: SqlParameter[] = [tenantId];
  const parameter = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const job = filter.matchingJobId === undefined ? undefined : `${parameter(filter.matchingJobId)}::uuid`;
  const conditions = ['m.tenant_id = $1::uuid', job === undefined ? `(m.review_status is not null or ${isLive})` : isOf('m.job_id', job)];
  /** Of what is counted by rule set and decision. */
  const counted: string[] = [];
  if (filter.ruleSetId !== undefined) counted.push(`rule_set_id = ${parameter(filter.ruleSetId)}::uuid`);
  if (filter.decision !== undefined) counted.push(`decision = ${parameter(filter.decision)}`);
  conditions.push(...counted.map((part) => `m.${part}`));
  const countable = conditions.length;
  if (filter.recordId !== undefined) {
    const id = `${parameter(filter.recordId)}::uuid`;
    conditions.push(`(m.left_record_id = ${id} or m.right_record_id = ${id})`);
  }
  if (filter.minScore !== undefined) conditions.push(`m.score >= ${parameter(filter.minScore)}::float8`);
  if (filter.review === 'none') conditions.push('m.review_status is null');
  else if (filter.review !== undefined) conditions.push(`m.review_status = ${parameter(filter.review)}`);
  const sql = conditions.join(' and ');
  const isNarrowed = conditions.length > countable;
  const order = job === undefined ? 'm.id desc' : 'm.job_id desc, m.id desc';
  return { sql, order, parameters, isWholeJob: job !== undefined && conditions.length === 2, keptTotal: isNarrowed ? undefined : job === undefined ? totalOfLive(counted) : totalOfJob(job, counted) };
}

const sumOfKept = (conditions: readonly string[]): string =>
  `(select coalesce(sum(c.count), 0)::float8 from result_counts c
     join rule_sets r on r.id = c.rule_set_id and r.live_job_id = c.job_id
    where c.tenant_id = $1::uuid and c.kind = 'match'${conditions.map((part) => ` and c.${part}`).join('')})`;

/** Reviewed matches of earlier jobs are few. */
const totalOfLive = (counted: readonly string[]): string =>
  `(${sumOfKept(counted)} + (select count(*) from matches m where m.tenant_id = $1::uuid and m.review_status is not null
     and ${isLive} is not true${counted.map((part) => ` and m.${part}`).join('')}))`;

const totalOfJob = (job: string, counted: readonly string[]): string =>
  `(case when not exists (select 1 from job_rule_sets e left join rule_sets r on r.id = e.rule_set_id
      where e.tenant_id = $1::uuid and e.job_id = ${job} and r.live_job_id is distinct from e.job_id)
    then ${sumOfKept([`job_id = ${job}`, ...counted])} end)`;
