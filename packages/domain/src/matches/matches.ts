import { expandExplanation, type JsonObject, type RuleSetDefinition } from '@tieout/engine';
import { AppError } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../paging';
import { reviewColumns, reviewOf, type Review, type ReviewRow } from '../reviews';
import type { TenantScope } from '../scope';
import { matchCondition, type MatchFilter } from './filter';

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

/** Of the list that a match is read from. */
interface WithTotal {
  total?: number | null;
}

type MatchRow = Omit<Match, 'review'> & ReviewRow & WithTotal;

const columns = `m.id, m.left_record_id as "leftRecordId", m.right_record_id as "rightRecordId", m.rule_set_id as "ruleSetId",
  m.job_id as "matchingJobId", m.score, m.decision, m.explanation, m.created_at as "createdAt", ${reviewColumns('m')}`;

/** A row holds what differs from pair to pair; the rest of its explanation is the definition that its job ran. */
async function explained(scope: TenantScope, rows: readonly MatchRow[]): Promise<(Match & WithTotal)[]> {
  const distinct = (of: (row: MatchRow) => string): string[] => [...new Set(rows.map(of))];
  const entries = await scope.db.prepared.query<{ jobId: string; ruleSetId: string; definition: RuleSetDefinition }>(
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
  const [match] = await scope.db.prepared.query<MatchRow>(
    `select ${columns} from matches m where m.tenant_id = $1::uuid and m.id = $2::uuid`,
    [scope.tenantId, id],
  );
  if (!match) throw matchNotFound();
  const [whole] = await explained(scope, [match]);
  return whole as Match;
}

/** Newest first. Without a job: those of each rule set's latest completed job, and the reviewed ones of earlier jobs. */
export async function listMatches(scope: TenantScope, filter: MatchFilter, page: PageRequest): Promise<Page<Match>> {
  const { sql, keptTotal, parameters } = matchCondition(scope.tenantId, filter);
  const from = `from matches m where ${sql}`;
  return readPage(page, {
    count: async () => (await scope.db.query<{ total: number }>(`select count(*)::float8 as total ${from}`, parameters))[0]?.total ?? 0,
    rows: async ({ beforeId, sql: slice, isUsual }) => {
      const db = keptTotal !== undefined && isUsual ? scope.db.prepared : scope.db;
      const before = beforeId === undefined ? '' : `and m.id < $${parameters.length + 1}::uuid`;
      const rows = await db.query<MatchRow>(
        `select ${columns}, ${keptTotal ?? 'null::float8'} as total ${from} ${before} order by m.id desc ${slice}`,
        beforeId === undefined ? parameters : [...parameters, beforeId],
      );
      return explained(scope, rows);
    },
  });
}
