import { queriesOn, type PoolClient } from '@tieout/infra';
import { sweepAgainSql } from '../../results/held';
import { closedPeriods, isPeriodOpen } from '../periods/month';
import { itemSql, membersSql } from '../lookups';
import { foundMembersSql, foundSql, setHashSql } from './found';

/** The effect of a full run on a group. */
export const changeKinds = ['kept', 'changed', 'new', 'lost'] as const;
export type ChangeKind = (typeof changeKinds)[number];
export type ChangeCounts = Record<ChangeKind, number>;

interface RunToCompare {
  jobId: string;
  reconciliationId: string;
  mode: string;
}

/** SQL for held groups `g` that a full run may take apart. @param closed SQL for an array of closed periods */
const isAutomatic = (closed: string): string => `g.status = 'held' and g.origin = 'auto' and ${isPeriodOpen(closed)}`;

/** SQL for items `i` whose groups are left alone: they have changed, are not what is held of them, or are excluded. */
const isUnsettled = `(i.changed or i.differs or not i.ready or i.excluded is not null)`;

/**
 * SQL for the items that a full run reads: the open ones, and those that automatic groups of open periods hold, as if
 * these held nothing. All parts of it are SQL. It is to run without nested loops.
 */
export function itemsOfFullRun(at: { tenantId: string; reconciliationId: string; closed: string }): string {
  const { tenantId, reconciliationId, closed } = at;
  const ofReconciliation = `i.tenant_id = ${tenantId} and i.reconciliation_id = ${reconciliationId}`;
  return `(
    with standing as materialized (
      select m.group_id
        from reconciliation_items i
       cross join lateral (
         select group_id from match_group_members
          where record_id = i.record_id and reconciliation_id = i.reconciliation_id offset 0) m
       where ${ofReconciliation} and i.holds > 0 and ${isUnsettled}
    ), freed as materialized (
      select m.record_id, sum(m.amount) as amount
        from match_group_members m
       where m.tenant_id = ${tenantId} and m.group_id = any(array(
         select g.id from match_groups g
          where g.tenant_id = ${tenantId} and g.reconciliation_id = ${reconciliationId} and ${isAutomatic(closed)}
            and not exists (select 1 from standing s where s.group_id = g.id)))
       group by 1
    )
    select i.tenant_id, i.dataset_id, i.record_id, i.side, i.amount, i.held - coalesce(f.amount, 0) as held
      from reconciliation_items i left join freed f on f.record_id = i.record_id
     where ${ofReconciliation} and (i.open or f.record_id is not null))`;
}

/**
 * Lists the records that a full run leaves alone beside the removed ones: of groups with a record that was removed or
 * is unsettled, and of groups whose period was closed since the plan. Such groups stay as they are.
 */
export async function recordsOfStandingGroups(
  client: PoolClient,
  tenantId: string,
  { jobId, reconciliationId, removed }: { jobId: string; reconciliationId: string; removed: readonly string[] },
): Promise<string[]> {
  const closed = await closedPeriods(queriesOn(client), tenantId, reconciliationId);
  const isFreed = `g.tenant_id = $1 and g.reconciliation_id = $2 and ${isAutomatic(`(
          select j.closed_periods from matching_jobs j where j.tenant_id = $1 and j.id = $3)`)}`;
  const { rows } = await client.query<{ id: string }>(
    `with recursive held as not materialized (
       select g.id, g.period from match_groups g where ${isFreed}
     ), standing (record_id) as (
       select unnest($4::uuid[])
       union select i.record_id from reconciliation_items i
              where i.tenant_id = $1 and i.reconciliation_id = $2 and i.holds > 0 and ${isUnsettled}
       union select m.record_id from held g, lateral (${membersSql('g.id')}) m
              where not ${isPeriodOpen('$5::text[]')}
       union select o.record_id
               from standing s,
                    lateral (
                      select group_id from match_group_members
                       where record_id = s.record_id and reconciliation_id = $2 offset 0) m,
                    lateral (select * from match_groups where id = m.group_id offset 0) g,
                    lateral (${membersSql('g.id')}) o
              where ${isFreed}
     ) select record_id::text as id from standing`,
    [tenantId, reconciliationId, jobId, removed, closed],
  );
  return rows.map(({ id }) => id);
}

/** SQL for what is tied and does not stand, with the JSON of each tie: `changes` lists it when the results are gone. */
const wholeTiesSql = `
  select f.group_id, jsonb_build_object('kind', t.kind, 'ruleSetId', t.rule_set_id, 'score', t.score,
           'left', jsonb_agg(f.member order by f.position) filter (where f.side = 0),
           'right', jsonb_agg(f.member order by f.position) filter (where f.side = 1)) as tie
    from (select *, jsonb_build_object('recordId', record_id, 'amount', amount::text) as member from found) f
    join (${foundSql}) t on t.group_id = f.group_id
   where not exists (select 1 from alike a where a.tie_id = f.group_id)
   group by f.group_id, t.kind, t.rule_set_id, t.score`;

/**
 * SQL of the ids of whole ties, like `wholeTiesSql`, for a run that holds what it ties: its groups have the ids of the
 * ties.
 */
const idsOfTiesSql = `
  select t.group_id, to_jsonb(t.group_id) as tie from ties t
   where not exists (select 1 from alike a where a.tie_id = t.group_id)`;

/** SQL for ties of no record that a group of the run's standing ones has. */
const newTiesSql = `
  select f.group_id, f.tie from fresh f where not exists (select 1 from crossing c where c.tie_id = f.group_id)`;

/**
 * Compares what a run ties with the standing automatic groups, and stores the differences. New ties are not stored when
 * the run holds them: its groups show them. An incremental run reads only open items, so all its ties are new.
 * @param removed records that the run leaves alone
 * @param holds true: the ties become groups
 */
export async function compareRun(
  client: PoolClient,
  tenantId: string,
  { jobId, reconciliationId, mode, removed, holds }: RunToCompare & { removed: readonly string[]; holds: boolean },
): Promise<ChangeCounts> {
  const { rows } = await client.query<Omit<ChangeCounts, 'kept'> & { held: number }>(
    `with standing as materialized (
       select g.id, g.set_hash from match_groups g
        where g.tenant_id = $1 and g.reconciliation_id = $2 and $5 = 'full' and ${isAutomatic(`(
          select j.closed_periods from matching_jobs j where j.tenant_id = $1 and j.id = $3)`)}
          and not exists (
            select 1 from match_group_members m where m.group_id = g.id and m.record_id = any($4::uuid[]))
     ), parts as materialized (
       select m.group_id, m.record_id, m.amount
         from standing s join match_group_members m on m.tenant_id = $1 and m.group_id = s.id
          and m.group_id = any(array(select id from standing))
     ), freed as materialized (
       select record_id, sum(amount) as amount from parts group by 1
     ), tied as materialized (${foundMembersSql}), found as materialized (
       select f.group_id, f.position, f.record_id, i.side, i.amount - i.held + coalesce(p.amount, 0) as amount
         from tied f
        cross join lateral (${itemSql('f.record_id')}) i
         left join freed p on p.record_id = f.record_id
     ), ties as materialized (
       select group_id, ${setHashSql} as set_hash from found group by 1
     ), alike as materialized (
       select s.id, t.group_id as tie_id from standing s join ties t on t.set_hash = s.set_hash
        where not exists (
          select 1 from parts p join found f on f.group_id = t.group_id and f.record_id = p.record_id
           where p.group_id = s.id and p.amount is distinct from f.amount)
     ), fresh as materialized (${holds ? idsOfTiesSql : wholeTiesSql}), crossing as materialized (
       select distinct p.group_id, f.group_id as tie_id
         from parts p join found f on f.record_id = p.record_id
        where not exists (select 1 from alike a where a.id = p.group_id)
     ), unlike as materialized (${newTiesSql}), stored as (
       insert into run_changes (tenant_id, job_id, kind, id, tie_id, would)
       select $1, $3, 'kept', id, tie_id, '[]' from alike
       union all
       select $1, $3, case when count(c.tie_id) = 0 then 'lost' else 'changed' end, s.id, null,
              coalesce(jsonb_agg(f.tie order by f.group_id) filter (where f.tie is not null), '[]')
         from standing s left join crossing c on c.group_id = s.id left join fresh f on f.group_id = c.tie_id
        where not exists (select 1 from alike a where a.id = s.id) group by s.id
       ${holds ? '' : `union all select $1, $3, 'new', n.group_id, null, jsonb_build_array(n.tie) from unlike n`}
       returning kind
     )
     select (count(*) filter (where kind = 'changed'))::float8 as changed,
            (select count(*) from unlike)::float8 as new,
            (count(*) filter (where kind = 'lost'))::float8 as lost,
            (select coalesce(sum(t.count), 0)::float8 from reconciliation_totals t
              where t.tenant_id = $1 and t.reconciliation_id = $2 and t.side is null) as held
       from stored`,
    [tenantId, reconciliationId, jobId, removed, mode],
  );
  const { held = 0, ...counts } = rows[0] ?? { changed: 0, new: 0, lost: 0, held: 0 };
  return { kept: held - counts.changed - counts.lost, ...counts };
}

/** SQL for the groups that the run `$3` takes apart. */
export const takenApartSql = `
  select id from run_changes where tenant_id = $1 and job_id = $3 and kind in ('changed', 'lost')`;

/** SQL: a found group, by its id, already stands. */
export const standsSql = (id: string): string => `exists (
  select 1 from run_changes c where c.tenant_id = $1 and c.job_id = $3 and c.kind = 'kept' and c.tie_id = ${id})`;

/** Releases the groups that a run ties differently; returns their ids in their order. */
export async function releaseTakenApart(
  client: PoolClient,
  tenantId: string,
  { jobId, reconciliationId, actor }: Omit<RunToCompare, 'mode'> & { actor: string },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `update match_groups set status = 'released', released_at = clock_timestamp(), released_by = $4::jsonb,
            release_reason = 'full_run'
      where tenant_id = $1 and reconciliation_id = $2 and status = 'held' and id = any(array(${takenApartSql}))
      returning id::text as id`,
    [tenantId, reconciliationId, jobId, actor],
  );
  const released = rows.map(({ id }) => id).sort();
  if (released.length > 0) await client.query(sweepAgainSql, [tenantId, released]);
  return released;
}
