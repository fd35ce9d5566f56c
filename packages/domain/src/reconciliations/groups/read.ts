import { explanationExpander, type RuleSetDefinition, type Side } from '@tieout/engine';
import { AppError, type SqlParameter } from '@tieout/infra';
import { decodeKeyset, keysetPage, type KeysetPage, type KeysetRequest } from '../../kernel/keyset';
import type { Actor, TenantScope } from '../../kernel/scope';
import { hasCurrencySql } from '../currency';
import { warningsOfMembers } from '../unread-values';
import { currentSql, memberDiffersSql } from './members';
import type { GroupApproval, GroupMember, GroupOrigin, GroupStatus, MatchGroup } from './types';

export interface MatchGroupFilter {
  reconciliationId?: string | undefined;
  status?: GroupStatus | undefined;
  origin?: GroupOrigin | undefined;
  recordId?: string | undefined;
  jobId?: string | undefined;
  /** YYYY-MM */
  period?: string | undefined;
  /** YYYY-MM: of this month and those before. */
  periodTo?: string | undefined;
  stale?: boolean | undefined;
  /** true: only those of a later month than all their records; false: without them. */
  late?: boolean | undefined;
  /** true: only released groups; false: only groups that hold their records, pending ones included. */
  released?: boolean | undefined;
  /** Groups that held their records at a moment, whatever has become of them. */
  asOf?: Date | undefined;
  /** YYYY-MM-DD: with a record that is dated up to this day, or without a date, as the proof counts. */
  upTo?: string | undefined;
  /** Empty: groups without one. */
  currency?: string | undefined;
  /** Compares with the left amount, without its sign. */
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
  /** When it was held; `to` is exclusive. */
  from?: Date | undefined;
  to?: Date | undefined;
}

export const groupSorts = ['-heldAt', 'heldAt', '-amount', 'amount'] as const;
export type GroupSort = (typeof groupSorts)[number];

interface MemberRow extends GroupMember {
  side: number;
}

type GroupRow = Omit<MatchGroup, 'warnings' | 'members' | 'status' | 'origin' | 'kind' | 'approval'> & {
  status: string;
  approval: string | null;
  decidedAt: Date | null;
  decidedBy: Actor | null;
  decisionNote: string | null;
  origin: string;
  kind: string;
  members: MemberRow[] | null;
  sortAmount: string | null;
  /** The reconciliation has amounts. */
  hasAmounts: boolean;
};

const sortAmount = 'abs(coalesce(g.left_amount, g.right_amount, 0))';

const current = `case when i.record_id is not null and ${memberDiffersSql} then ${currentSql} end`;

/** The status that people see: the column says whether a group holds. */
const statusSql = `case when g.status = 'held' and g.approval = 'pending' then 'pending' else g.status end`;

const hasStatusSql: Readonly<Record<GroupStatus, string>> = {
  held: `g.status = 'held' and g.approval is distinct from 'pending'`,
  pending: `g.status = 'held' and g.approval = 'pending'`,
  released: `g.status = 'released'`,
};

const columns = `g.id::text as id, g.reconciliation_id::text as "reconciliationId", ${statusSql} as status, g.origin,
  g.kind, g.approval, g.decided_at as "decidedAt", g.decided_by as "decidedBy", g.decision_note as "decisionNote",
  g.left_amount::text as "leftAmount", g.right_amount::text as "rightAmount", g.difference::text as difference,
  g.currency, g.match_id::text as "matchId", g.composite_match_id::text as "compositeMatchId",
  g.matching_job_id::text as "matchingJobId", g.rule_set_id::text as "ruleSetId", g.rule_set_name as "ruleSetName",
  g.rule_set_version as "ruleSetVersion", g.score, g.explanation, g.period, g.note, g.stale, g.late,
  g.held_at as "heldAt", g.held_by as "heldBy", g.confirmed_at as "confirmedAt", g.confirmed_by as "confirmedBy",
  g.released_at as "releasedAt", g.released_by as "releasedBy",
  g.release_reason as "releaseReason", g.release_note as "releaseNote", ${sortAmount}::text as "sortAmount",
  exists (select 1 from reconciliations n where n.tenant_id = g.tenant_id and n.id = g.reconciliation_id
            and n.amount_key_left is not null) as "hasAmounts",
  (select jsonb_agg(jsonb_build_object('recordId', m.record_id, 'externalId', m.external_id, 'revision', m.revision,
                      'amount', m.amount::text, 'date', m.day, 'side', m.side, 'current', ${current})
                    order by m.position)
     from match_group_members m
     left join reconciliation_items i on g.stale and g.status = 'held' and i.tenant_id = m.tenant_id
      and i.reconciliation_id = m.reconciliation_id and i.record_id = m.record_id
    where m.tenant_id = g.tenant_id and m.group_id = g.id) as members,
  coalesce((select jsonb_agg(jsonb_build_object('amount', a.amount::text, 'reasonCode', a.reason_code, 'note', a.note)
                       order by a.position)
              from match_group_adjustments a
             where a.tenant_id = g.tenant_id and a.group_id = g.id), '[]') as adjustments`;

function toGroup({
  members,
  adjustments,
  status,
  origin,
  kind,
  approval,
  decidedAt,
  decidedBy,
  decisionNote,
  sortAmount: _sort,
  hasAmounts,
  ...row
}: GroupRow): MatchGroup {
  const of = (side: Side): GroupMember[] =>
    (members ?? []).flatMap(({ side: number, ...member }) => ((number === 0) === (side === 'left') ? [member] : []));
  return {
    ...row,
    status: status as GroupStatus,
    origin: origin as GroupOrigin,
    kind: kind as MatchGroup['kind'],
    approval:
      approval === null
        ? null
        : { status: approval as GroupApproval['status'], decidedAt, decidedBy, note: decisionNote },
    heldBy: row.heldBy,
    releasedBy: row.releasedBy,
    adjustments: adjustments,
    members: { left: of('left'), right: of('right') },
    warnings: hasAmounts ? warningsOfMembers(members ?? []) : [],
  };
}

export const matchGroupNotFound = (): AppError => new AppError('match_group_not_found', 'Match group not found');

/** @throws AppError match_group_not_found */
export async function getMatchGroup(scope: TenantScope, id: string): Promise<MatchGroup> {
  const { db, tenantId } = scope;
  const [row] = await db.prepared.query<GroupRow>(
    `select ${columns} from match_groups g where g.tenant_id = $1::uuid and g.id = $2::uuid`,
    [tenantId, id],
  );
  if (!row) throw matchGroupNotFound();
  const [group] = await explained(scope, [row]);
  return group as MatchGroup;
}

/** Reads groups, in any order. */
export async function readMatchGroups(scope: TenantScope, ids: readonly string[]): Promise<MatchGroup[]> {
  const { db, tenantId } = scope;
  const rows = await db.query<GroupRow>(
    `select ${columns} from match_groups g where g.tenant_id = $1::uuid and g.id = any($2::uuid[])`,
    [tenantId, ids],
  );
  return explained(scope, rows);
}

/**
 * Completes the explanations of pairs that a run held. A run stores them like matches, without the parts that follow
 * from the definition of the pass.
 */
async function explained({ db, tenantId }: TenantScope, rows: readonly GroupRow[]): Promise<MatchGroup[]> {
  const short = rows.filter(({ id, matchId }) => id === matchId);
  if (short.length === 0) return rows.map(toGroup);
  const keyOf = ({ matchingJobId, ruleSetId }: Pick<GroupRow, 'matchingJobId' | 'ruleSetId'>): string =>
    `${matchingJobId} ${ruleSetId}`;
  const definitions = await db.query<{ matchingJobId: string; ruleSetId: string; definition: RuleSetDefinition }>(
    `select distinct d.job_id::text as "matchingJobId", d.rule_set_id::text as "ruleSetId", d.definition
       from unnest($2::uuid[], $3::uuid[]) named (job_id, rule_set_id)
       join match_group_definitions d on d.job_id = named.job_id and d.rule_set_id = named.rule_set_id
      where d.tenant_id = $1::uuid`,
    [tenantId, short.map(({ matchingJobId }) => matchingJobId), short.map(({ ruleSetId }) => ruleSetId)],
  );
  const expanders = new Map(definitions.map((row) => [keyOf(row), explanationExpander(row.definition)]));
  return rows.map((row) => {
    const expand = row.id === row.matchId ? expanders.get(keyOf(row)) : undefined;
    const group = toGroup(row);
    return expand ? { ...group, explanation: JSON.parse(expand(JSON.stringify(row.explanation))) as unknown } : group;
  });
}

interface GroupCondition {
  sql: string;
  parameters: SqlParameter[];
}

/** Builds the condition over match groups `g`; its parameters come first in a statement. */
export function groupCondition(tenantId: string, filter: MatchGroupFilter): GroupCondition {
  const parameters: SqlParameter[] = [tenantId];
  const conditions = ['g.tenant_id = $1::uuid'];
  const add = (value: SqlParameter | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${parameters.push(value)}`));
  };
  add(filter.reconciliationId, (p) => `g.reconciliation_id = ${p}::uuid`);
  if (filter.status !== undefined) conditions.push(hasStatusSql[filter.status]);
  add(filter.origin, (p) => `g.origin = ${p}`);
  add(
    filter.recordId,
    (p) => `g.id = any(array(select m.group_id from match_group_members m
              where m.tenant_id = $1::uuid and m.record_id = ${p}::uuid))`,
  );
  add(filter.jobId, (p) => `g.matching_job_id = ${p}::uuid`);
  add(filter.period, (p) => `g.period = ${p}`);
  add(filter.periodTo, (p) => `coalesce(g.period, '') <= ${p}`);
  if (filter.released !== undefined) conditions.push(`g.status = '${filter.released ? 'released' : 'held'}'`);
  add(
    filter.asOf,
    (p) => `g.held_at <= ${p}::timestamptz and (g.released_at is null or g.released_at > ${p}::timestamptz)`,
  );
  add(
    filter.upTo,
    (p) => `exists (select 1 from match_group_members m
                     where m.tenant_id = $1::uuid and m.group_id = g.id and (m.day is null or m.day <= ${p}::date))`,
  );
  add(filter.currency, (p) => hasCurrencySql('g.currency', p));
  add(filter.stale, (p) => `g.stale = ${p}::boolean`);
  if (filter.late !== undefined) conditions.push(filter.late ? 'g.late' : 'not g.late');
  add(filter.minAmount, (p) => `${sortAmount} >= ${p}::numeric`);
  add(filter.maxAmount, (p) => `${sortAmount} <= ${p}::numeric`);
  add(filter.from, (p) => `g.held_at >= ${p}::timestamptz`);
  add(filter.to, (p) => `g.held_at < ${p}::timestamptz`);
  return { sql: conditions.join(' and '), parameters };
}

/** Lists match groups, by default the newest first. */
export async function listMatchGroups(
  scope: TenantScope,
  filter: MatchGroupFilter,
  page: KeysetRequest & { sort: GroupSort },
): Promise<KeysetPage<MatchGroup>> {
  const { db, tenantId } = scope;
  const { sql, parameters } = groupCondition(tenantId, filter);
  const [total] = await db.query<{ count: number }>(
    `select count(*)::float8 as count from match_groups g where ${sql}`,
    parameters,
  );
  const isDescending = page.sort.startsWith('-');
  // Ids are in the order of time.
  const isByAmount = page.sort.endsWith('amount');
  const direction = isDescending ? 'desc' : 'asc';
  let after = '';
  if (page.cursor !== undefined) {
    const sort = { is: page.sort };
    const [id, amount] = decodeKeyset(page.cursor, isByAmount ? [sort, 'id', 'number'] : [sort, 'id']).slice(1);
    const compare = isDescending ? '<' : '>';
    const at = parameters.push(String(id));
    after = isByAmount
      ? `and (${sortAmount}, g.id) ${compare} ($${parameters.push(String(amount))}::numeric, $${at}::uuid)`
      : `and g.id ${compare} $${at}::uuid`;
  }
  const order = isByAmount ? `${sortAmount} ${direction}, g.id ${direction}` : `g.id ${direction}`;
  const rows = await db.query<GroupRow>(
    `select ${columns} from match_groups g where ${sql} ${after} order by ${order} limit ${page.limit + 1}`,
    parameters,
  );
  const paged = keysetPage(page, rows, {
    total: total?.count ?? 0,
    sortOf: (row) => [page.sort, row.id, ...(isByAmount ? [row.sortAmount] : [])],
  });
  return { ...paged, items: await explained(scope, paged.items) };
}
