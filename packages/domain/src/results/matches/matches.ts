import { AppError, isoTimestamp, JsonText } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import { reviewColumns, reviewOf, versionsSql, type ChangedVersion, type Review, type ReviewRow } from '../reviews';
import type { TenantScope } from '../../kernel/scope';
import { expandersOf } from './expanders';
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
  /** Expanded at each access: with many matchers it is large. */
  readonly explanation: JsonText;
  /** ISO 8601, UTC */
  createdAt: string;
  review: Review | null;
  /** Records that have changed since the match was confirmed; null: none. */
  versions: ChangedVersion[] | null;
}

type MatchRow = Omit<Match, 'review' | 'explanation'> & { explanation: string } & ReviewRow;

const columns = `m.id, m.left_record_id as "leftRecordId", m.right_record_id as "rightRecordId",
  m.rule_set_id as "ruleSetId", m.job_id as "matchingJobId", m.score, m.decision, m.explanation::text as explanation,
  m.created_at::text as "createdAt", ${reviewColumns('m')}, ${versionsSql('m')} as versions`;

/** A class gives all matches one shape; an accessor in an object literal would give each its own. */
class ExplainedMatch implements Match {
  readonly id: string;
  readonly leftRecordId: string;
  readonly rightRecordId: string;
  readonly ruleSetId: string;
  readonly matchingJobId: string;
  readonly score: number;
  readonly decision: Match['decision'];
  readonly createdAt: string;
  readonly review: Review | null;
  readonly versions: ChangedVersion[] | null;

  constructor(
    private readonly row: MatchRow,
    private readonly expand: (stored: string) => string,
  ) {
    this.id = row.id;
    this.leftRecordId = row.leftRecordId;
    this.rightRecordId = row.rightRecordId;
    this.ruleSetId = row.ruleSetId;
    this.matchingJobId = row.matchingJobId;
    this.score = row.score;
    this.decision = row.decision;
    this.createdAt = isoTimestamp(row.createdAt);
    this.review = reviewOf(row);
    this.versions = row.versions;
  }

  get explanation(): JsonText {
    return new JsonText(this.expand(this.row.explanation));
  }
}

async function explained(scope: TenantScope, rows: readonly MatchRow[]): Promise<Match[]> {
  const expand = await expandersOf(scope, rows);
  return rows.map((row) => new ExplainedMatch(row, expand(row)));
}

/** The explanations of matches, by their ids. */
export async function explanationsOf(scope: TenantScope, ids: readonly string[]): Promise<Map<string, JsonText>> {
  const rows = await scope.db.query<MatchRow>(
    `select ${columns} from matches m where m.tenant_id = $1::uuid and m.id = any($2::uuid[])`,
    [scope.tenantId, ids],
  );
  return new Map((await explained(scope, rows)).map(({ id, explanation }) => [id, explanation]));
}

export const matchNotFound = (): AppError => new AppError('match_not_found', 'Match not found');

/** @throws AppError match_not_found */
export async function getMatch(scope: TenantScope, id: string): Promise<Match> {
  const [match] = await scope.db.shortReads.query<MatchRow>(
    `select ${columns} from matches m where m.tenant_id = $1::uuid and m.id = $2::uuid`,
    [scope.tenantId, id],
  );
  if (!match) throw matchNotFound();
  const [whole] = await explained(scope, [match]);
  return whole as Match;
}

/** Lists matches, newest first. Without a job: those of the live jobs, and reviewed ones of earlier jobs. */
export async function listMatches(scope: TenantScope, filter: MatchFilter, page: PageRequest): Promise<Page<Match>> {
  const { sql, order, keptTotal, isWholeJob, parameters } = matchCondition(scope.tenantId, filter);
  const from = `from matches m where ${sql}`;
  let total: number | null = null;
  return readPage(page, {
    count: async () =>
      total ??
      (await scope.db.query<{ total: number }>(`select count(*)::float8 as total ${from}`, parameters))[0]?.total ??
      0,
    rows: async ({ beforeId, sql: slice, isCommon }) => {
      const db = !isCommon || keptTotal === undefined ? scope.db : isWholeJob ? scope.db.shortReads : scope.db.prepared;
      const before = beforeId === undefined ? '' : `and m.id < $${parameters.length + 1}::uuid`;
      const rows = await db.query<MatchRow & { total: number | null }>(
        `select ${columns}, ${keptTotal ?? 'null::float8'} as total ${from} ${before} order by ${order} ${slice}`,
        beforeId === undefined ? parameters : [...parameters, beforeId],
      );
      total = rows[0]?.total ?? null;
      return explained(scope, rows);
    },
  });
}
