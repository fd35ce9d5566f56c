import { mapEach } from '@tieout/infra';
import { groupsByWeight } from '../../kernel/grouping';
import type { Actor, TenantScope } from '../../kernel/scope';
import type { GroupAdjustment, GroupOrigin, MatchGroup } from '../groups';

/** A record of a group, as it was when the group was made. */
export interface ReportedMember {
  side: 'left' | 'right';
  recordId: string;
  externalId: string | null;
  /** A decimal text: the part of the record that the group holds. */
  amount: string | null;
  /** YYYY-MM-DD */
  date: string | null;
  currency: string | null;
}

/** A group as a report shows it. */
export interface ReportedGroup extends Pick<MatchGroup, 'id' | 'kind' | 'period' | 'difference' | 'note' | 'score'> {
  origin: GroupOrigin;
  ruleSetName: string | null;
  ruleSetVersion: number | null;
  heldAt: Date;
  heldBy: Actor;
  members: ReportedMember[];
  adjustments: GroupAdjustment[];
}

export interface ReportedGroupsQuery {
  reconciliationId: string;
  /** YYYY-MM; undefined: whatever their month. */
  period: string | undefined;
  /** The groups that were held at this moment. */
  at: Date;
}

const pageSize = 1_000;
/** Members and adjustments that are in memory at a time; a group has at most 2,100. */
const maxLoadedParts = 2_000;

/**
 * Yields the groups that were held at a moment, in the order in which they were made. Between two yields it holds no
 * connection, however slow the reader is.
 */
export async function* reportedGroups(
  scope: TenantScope,
  query: ReportedGroupsQuery,
): AsyncGenerator<ReportedGroup[], void, void> {
  let after: string | null = null;
  for (;;) {
    const page: { id: string; weight: number }[] = await weighedPage(scope, query, after);
    yield* mapEach(groupsByWeight(page, maxLoadedParts), async (part) => {
      const groups = await loadGroups(
        scope,
        part.map(({ id }) => id),
        query.at,
      );
      return groups.length > 0 ? groups : undefined;
    });
    after = page.at(-1)?.id ?? null;
    if (after === null || page.length < pageSize) return;
  }
}

const weighedPage = (
  { db, tenantId }: TenantScope,
  { reconciliationId, period, at }: ReportedGroupsQuery,
  after: string | null,
): Promise<{ id: string; weight: number }[]> =>
  db.query(
    `select g.id::text as id,
            (select count(*)::int from match_group_members m where m.tenant_id = $1::uuid and m.group_id = g.id)
          + (select count(*)::int from match_group_adjustments a where a.tenant_id = $1::uuid and a.group_id = g.id)
            as weight
       from match_groups g
      where g.tenant_id = $1::uuid and g.reconciliation_id = $2::uuid and g.held_at <= $3::timestamptz
        and (g.released_at is null or g.released_at > $3::timestamptz)
        and ($4::text is null or g.period = $4) and ($5::uuid is null or g.id > $5::uuid)
      order by g.id limit ${pageSize}`,
    [tenantId, reconciliationId, at, period ?? null, after],
  );

type LoadedGroup = Omit<ReportedGroup, 'origin' | 'kind'> & { origin: string; kind: string };

async function loadGroups({ db, tenantId }: TenantScope, ids: readonly string[], at: Date): Promise<ReportedGroup[]> {
  const rows = await db.query<LoadedGroup>(
    `select g.id::text as id, g.kind,
            case when g.confirmed_at > $3::timestamptz then 'auto' else g.origin end as origin,
            g.period, g.difference::text as difference, g.note, g.score,
            g.rule_set_name as "ruleSetName", g.rule_set_version as "ruleSetVersion", g.held_at as "heldAt",
            g.held_by as "heldBy",
            (select jsonb_agg(jsonb_build_object('side', case m.side when 0 then 'left' else 'right' end,
                      'recordId', m.record_id, 'externalId', m.external_id, 'amount', m.amount::text, 'date', m.day,
                      'currency', m.currency) order by m.position)
               from match_group_members m where m.tenant_id = $1::uuid and m.group_id = g.id) as members,
            coalesce((select jsonb_agg(jsonb_build_object('amount', a.amount::text, 'reasonCode', a.reason_code,
                                'note', a.note) order by a.position)
                        from match_group_adjustments a where a.tenant_id = $1::uuid and a.group_id = g.id), '[]')
              as adjustments
       from match_groups g where g.tenant_id = $1::uuid and g.id = any($2::uuid[]) order by g.id`,
    [tenantId, ids, at],
  );
  return rows as ReportedGroup[];
}
