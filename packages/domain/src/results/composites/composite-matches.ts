import type { CompositeDirection, JsonObject } from '@tieout/engine';
import { AppError, type DbHandle, type SqlParameter } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import { isHeldSql } from '../held';
import {
  isStaleSql,
  reviewColumns,
  reviewOf,
  versionsSql,
  type ChangedVersion,
  type Review,
  type ReviewRow,
} from '../reviews';
import type { TenantScope } from '../../kernel/scope';
import { indexFriendlyEquals } from '../../kernel/sql';

export const compositeDirections = ['one_to_many', 'many_to_one'] as const satisfies readonly CompositeDirection[];

export interface CompositeMatch {
  id: string;
  ruleSetId: string;
  matchingJobId: string;
  /** one_to_many: the target is a left record and the members are right ones. */
  direction: CompositeDirection;
  status: 'COMPLETE' | 'PARTIAL';
  expectedMemberCount: number;
  /** On the rule set's scale: 0..1 or 0..100. */
  score: number;
  decision: 'MATCH' | 'POSSIBLE';
  targetAmount: number;
  composedAmount: number;
  /** composedAmount − targetAmount */
  amountDelta: number;
  explanation: JsonObject;
  createdAt: Date;
  review: Review | null;
  /** Records that have changed since the composite was confirmed; null: none. */
  versions: ChangedVersion[] | null;
}

export interface CompositeMember {
  recordId: string;
  amount: number;
  /** YYYY-MM-DD, or null for a record without a date. */
  date: string | null;
}

/** A composite with its records; the members in their stored order. */
export interface CompositeDetail extends CompositeMatch {
  targetRecordId: string;
  members: CompositeMember[];
}

export interface CompositeFilter {
  ruleSetId?: string | undefined;
  /** Without a job the live, the reviewed and the held composites are listed. */
  jobId?: string | undefined;
  decision?: 'MATCH' | 'POSSIBLE' | undefined;
  direction?: CompositeDirection | undefined;
  /** true: confirmed on records that have changed since. */
  stale?: boolean | undefined;
}

interface CompositeRow extends Omit<CompositeMatch, 'review'>, ReviewRow {
  targetRecordId: string;
}

const columns = `c.id, c.rule_set_id as "ruleSetId", c.job_id as "matchingJobId", c.direction, c.status,
  c.expected_member_count as "expectedMemberCount", c.score, c.decision, c.target_amount as "targetAmount",
  c.composed_amount as "composedAmount", c.amount_delta as "amountDelta", c.explanation, c.created_at as "createdAt",
  c.target_record_id as "targetRecordId", ${reviewColumns('c')}, ${versionsSql('c')} as versions`;

const toComposite = (row: CompositeRow): CompositeMatch & { targetRecordId: string } => ({
  ...row,
  review: reviewOf(row),
});

export const compositeNotFound = (): AppError => new AppError('composite_match_not_found', 'Composite match not found');

/** @throws AppError composite_match_not_found */
export async function getCompositeMatch(scope: TenantScope, id: string): Promise<CompositeDetail> {
  const { db, tenantId } = scope;
  const [row] = await db.query<CompositeRow>(
    `select ${columns} from composite_matches c where c.tenant_id = $1::uuid and c.id = $2::uuid`,
    [tenantId, id],
  );
  if (!row) throw compositeNotFound();
  return { ...toComposite(row), members: await membersOf(db, tenantId, id) };
}

function membersOf(db: DbHandle, tenantId: string, id: string): Promise<CompositeMember[]> {
  return db.query(
    `select record_id as "recordId", amount, to_char(day, 'YYYY-MM-DD') as date from composite_members
      where tenant_id = $1::uuid and composite_id = $2::uuid order by position`,
    [tenantId, id],
  );
}

/** Lists composites, newest first. Without a job: those of the live jobs, and reviewed ones of earlier jobs. */
export async function listCompositeMatches(
  scope: TenantScope,
  filter: CompositeFilter,
  page: PageRequest,
): Promise<Page<CompositeMatch>> {
  const parameters: SqlParameter[] = [scope.tenantId];
  const parameter = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const conditions = ['c.tenant_id = $1::uuid'];
  if (filter.jobId === undefined) {
    // A rule set points at its live job. A list of them makes the database read the rule sets once.
    conditions.push(`(c.review_status is not null or ${isHeldSql('c')}
      or (c.rule_set_id, c.job_id) in (select r.id, r.live_job_id from rule_sets r where r.tenant_id = $1::uuid))`);
  } else conditions.push(indexFriendlyEquals('c.job_id', `${parameter(filter.jobId)}::uuid`));
  if (filter.ruleSetId !== undefined) conditions.push(`c.rule_set_id = ${parameter(filter.ruleSetId)}::uuid`);
  if (filter.decision !== undefined) conditions.push(`c.decision = ${parameter(filter.decision)}`);
  if (filter.direction !== undefined) conditions.push(`c.direction = ${parameter(filter.direction)}`);
  if (filter.stale !== undefined) conditions.push(filter.stale ? isStaleSql('c') : `not ${isStaleSql('c')}`);
  const where = conditions.join(' and ');
  const order = filter.jobId === undefined ? 'c.id desc' : 'c.job_id desc, c.id desc';
  return readPage(page, {
    count: async () => {
      const [row] = await scope.db.query<{ total: number }>(
        `select count(*)::float8 as total from composite_matches c where ${where}`,
        parameters,
      );
      return row?.total ?? 0;
    },
    rows: async ({ skip, take, beforeId }) => {
      const n = parameters.length;
      const before = beforeId === undefined ? '' : `and c.id < $${n + 3}::uuid`;
      const rows = await scope.db.query<CompositeRow>(
        `select ${columns} from composite_matches c where ${where} ${before}
          order by ${order} offset $${n + 1} limit $${n + 2}`,
        [...parameters, skip, take, ...(beforeId === undefined ? [] : [beforeId])],
      );
      return rows.map(toComposite);
    },
  });
}
