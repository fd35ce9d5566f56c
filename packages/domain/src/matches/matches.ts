import { expandExplanation, type JsonObject, type RuleSetDefinition } from '@tieout/engine';
import { AppError, type SqlParameter } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../paging';
import { reviewColumns, reviewOf, type Review, type ReviewRow, type ReviewStatus } from '../reviews';
import type { TenantScope } from '../scope';

export interface Match {
  id: string;
  leftRecordId: string;
  rightRecordId: string;
  ruleSetId: string;
  matchingJobId: string;
  /** On the rule set's scale: 0..1 or 0..100. */
  score: number;
  decision: 'MATCH' | 'POSSIBLE';
  explanation: JsonObject;
  createdAt: Date;
  review: Review | null;
}

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

type MatchRow = Omit<Match, 'review'> & ReviewRow;

const columns = `m.id, m.left_record_id as "leftRecordId", m.right_record_id as "rightRecordId", m.rule_set_id as "ruleSetId",
  m.job_id as "matchingJobId", m.score, m.decision, m.explanation, m.created_at as "createdAt", ${reviewColumns('m')}`;

/** A row holds what differs from pair to pair; the rest of its explanation is the definition that its job ran. */
async function explained(scope: TenantScope, rows: readonly MatchRow[]): Promise<Match[]> {
  const distinct = (of: (row: MatchRow) => string): string[] => [...new Set(rows.map(of))];
  const entries = await scope.db.query<{ jobId: string; ruleSetId: string; definition: RuleSetDefinition }>(
    `select job_id as "jobId", rule_set_id as "ruleSetId", definition from job_rule_sets
      where tenant_id = $1::uuid and job_id = any($2::uuid[]) and rule_set_id = any($3::uuid[])`,
    [scope.tenantId, distinct((row) => row.matchingJobId), distinct((row) => row.ruleSetId)],
  );
  return rows.map((row) => {
    const { rest, review } = reviewOf(row);
    const match = { ...rest, review };
    const entry = entries.find(({ jobId, ruleSetId }) => jobId === match.matchingJobId && ruleSetId === match.ruleSetId);
    return entry ? { ...match, explanation: expandExplanation(entry.definition, match.explanation) } : match;
  });
}

export const matchNotFound = (): AppError => new AppError('match_not_found', 'Match not found');

/** @throws AppError match_not_found */
export async function getMatch(scope: TenantScope, id: string): Promise<Match> {
  const [match] = await scope.db.query<MatchRow>(
    `select ${columns} from matches m where m.tenant_id = $1::uuid and m.id = $2::uuid`,
    [scope.tenantId, id],
  );
  if (!match) throw matchNotFound();
  const [whole] = await explained(scope, [match]);
  return whole as Match;
}

/** Newest first. Without a job: those of each rule set's latest completed job, and the reviewed ones of earlier jobs. */
export async function listMatches(scope: TenantScope, filter: MatchFilter, page: PageRequest): Promise<Page<Match>> {
  const parameters: SqlParameter[] = [scope.tenantId];
  const parameter = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const conditions = ['m.tenant_id = $1::uuid'];
  if (filter.matchingJobId === undefined) {
    // A rule set points at the job whose matches are the live ones; as a list, so that the rule sets are read once.
    conditions.push(`(m.review_status is not null
      or (m.rule_set_id, m.job_id) in (select r.id, r.live_job_id from rule_sets r where r.tenant_id = $1::uuid))`);
  } else conditions.push(`m.job_id = ${parameter(filter.matchingJobId)}::uuid`);
  if (filter.ruleSetId !== undefined) conditions.push(`m.rule_set_id = ${parameter(filter.ruleSetId)}::uuid`);
  if (filter.decision !== undefined) conditions.push(`m.decision = ${parameter(filter.decision)}`);
  if (filter.recordId !== undefined) {
    const id = `${parameter(filter.recordId)}::uuid`;
    conditions.push(`(m.left_record_id = ${id} or m.right_record_id = ${id})`);
  }
  if (filter.minScore !== undefined) conditions.push(`m.score >= ${parameter(filter.minScore)}::float8`);
  if (filter.review === 'none') conditions.push('m.review_status is null');
  else if (filter.review !== undefined) conditions.push(`m.review_status = ${parameter(filter.review)}`);
  const where = conditions.join(' and ');
  return readPage(page, {
    count: async () => {
      const [row] = await scope.db.query<{ total: number }>(`select count(*)::float8 as total from matches m where ${where}`, parameters);
      return row?.total ?? 0;
    },
    rows: async ({ skip, take, beforeId }) => {
      const n = parameters.length;
      const before = beforeId === undefined ? '' : `and m.id < $${n + 3}::uuid`;
      const rows = await scope.db.query<MatchRow>(
        `select ${columns} from matches m where ${where} ${before} order by m.id desc offset $${n + 1} limit $${n + 2}`,
        [...parameters, skip, take, ...(beforeId === undefined ? [] : [beforeId])],
      );
      return explained(scope, rows);
    },
  });
}
