import { queriesOn, type PoolClient } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { subscribedTypes } from '../../events';
import type { TenantScope } from '../../kernel/scope';
import { hashJoins } from '../../kernel/sql';
import { periodOfSql } from '../periods/month';
import { itemSql } from '../lookups';
import { foundMembersSql, foundSql, setHashSql } from './found';
import { idsPerEvent, storeGroupEvents } from './hold';
import { compareRun, releaseTakenApart, standsSql, takenApartSql, type ChangeCounts } from './full-run';

/**
 * Locks a reconciliation for the completion of a run: what people hold, release or exclude comes before or after all
 * that the run holds.
 */
export async function lockForRun(client: PoolClient, tenantId: string, reconciliationId: string): Promise<void> {
  await client.query(`select 1 from reconciliations where tenant_id = $1 and id = $2 for update`, [
    tenantId,
    reconciliationId,
  ]);
}

/**
 * Lists the items that a transaction has changed that the plan of a run did not see: they were held, released, excluded
 * or sent again since. Transactions say so exactly, where times and ids would not.
 */
export async function itemsChangedSince(
  client: PoolClient,
  tenantId: string,
  { reconciliationId, snapshot }: { reconciliationId: string; snapshot: RunSnapshot },
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select record_id::text as id from reconciliation_items
      where tenant_id = $1 and reconciliation_id = $2 and changed_by >= $3::xid8
        and not pg_visible_in_snapshot(changed_by, $4::pg_snapshot)`,
    [tenantId, reconciliationId, snapshot.since, snapshot.seen],
  );
  return rows.map(({ id }) => id);
}

/** The snapshot of a run, to be sent as values: a join that computes them may read all items. */
export interface RunSnapshot {
  seen: string;
  /** The oldest transaction that it may not contain. */
  since: string;
}

interface RunOfReconciliation {
  jobId: string;
  reconciliationId: string;
}

/** The completion of a run. */
export interface CompletingRun extends RunOfReconciliation {
  mode: string;
  dryRun: boolean;
  snapshot: RunSnapshot;
  /** Records that the run leaves alone. */
  removed: readonly string[];
}

interface RunOutcome {
  /** The pairs that were held for the first time, by rule set. */
  billable: Record<string, number>;
  /** Null for an incremental run that is no dry one. */
  changes: ChangeCounts | null;
  /** The audit entry of the run; undefined where it could hold and release nothing. */
  audited?: AuditedRun;
}

export interface AuditedRun extends RunOfReconciliation {
  groups: number;
  /** SHA-256 over the members of all groups; null for none. */
  digest: string | null;
  released: number;
}

/** A record has changed while a run was completed: its transaction is done again, without the record. */
export class ItemsChangedError extends Error {}

/**
 * Holds every MATCH of a run as a group, where the reconciliation accepts by itself, after a full run has released what
 * it ties differently. Runs inside the transaction that completes the run, after its assignment. A dry run only stores
 * what it would change.
 * @throws ItemsChangedError
 */
export async function holdRun(scope: TenantScope, client: PoolClient, run: CompletingRun): Promise<RunOutcome> {
  // Statistics do not know the results of this run, nor the items of a young reconciliation: a plan that reads all
  // items once for each member is taken for the cheapest. So rows are looked up or named to an index, and joined by a
  // hash.
  await client.query(`${hashJoins.begin}; set local work_mem = '64MB'`);
  const outcome = await compareAndHold(scope, client, run);
  await client.query(`${hashJoins.end}; set local work_mem to default`);
  return outcome;
}

async function compareAndHold(scope: TenantScope, client: PoolClient, run: CompletingRun): Promise<RunOutcome> {
  const { tenantId } = scope;
  const { jobId, reconciliationId } = run;
  const isFull = run.mode === 'full';
  const { rows: accepting } = await client.query(
    `select 1 from reconciliations where tenant_id = $1 and id = $2 and accept = 'auto'`,
    [tenantId, reconciliationId],
  );
  const holds = accepting.length > 0 && !run.dryRun;
  const changes = isFull || run.dryRun ? await compareRun(client, tenantId, { ...run, holds }) : null;
  if (run.dryRun) return { billable: {}, changes };
  if (!holds && !isFull) return { billable: {}, changes };
  const actor = JSON.stringify({ type: 'job', id: jobId, label: null });
  await lockItems(client, tenantId, { ...run, isFull, holds });
  const released = isFull ? await releaseTakenApart(client, tenantId, { ...run, actor }) : [];
  const held = holds ? await insertGroups(client, tenantId, { ...run, isFull, actor }) : { groups: 0, digest: null };
  if (holds) await emitHeld(scope, client, run);
  await storeGroupEvents(queriesOn(client), tenantId, 'MATCH_GROUP_RELEASED', {
    reconciliationId,
    matchingJobId: jobId,
    ids: released,
    reasonCode: 'full_run',
  });
  const audited = { jobId, reconciliationId, ...held, released: released.length };
  return { billable: await billableOf(client, tenantId, { ...run, ...held }), changes, audited };
}

/**
 * Locks the items of all groups that the run makes and takes apart, in the order of all writers, and looks whether one
 * has changed since `itemsChangedSince`.
 */
async function lockItems(
  client: PoolClient,
  tenantId: string,
  { jobId, reconciliationId, snapshot, isFull, holds }: CompletingRun & { isFull: boolean; holds: boolean },
): Promise<void> {
  const made = `select f.record_id from (${foundMembersSql}) f ${isFull ? `where not ${standsSql('f.group_id')}` : ''}`;
  const takenApart = `select record_id from match_group_members
    where tenant_id = $1 and group_id = any(array(${takenApartSql}))`;
  const records = [holds ? made : '', isFull ? takenApart : ''].filter(Boolean).join(' union ');
  // Materialized, since a condition that moved into the scan would leave items unlocked.
  const { rows } = await client.query<{ changed: number }>(
    `with locked as materialized (
       select i.changed_by from (select distinct record_id from (${records}) r order by record_id) r
        cross join lateral (${itemSql('r.record_id', 'for no key update')}) i)
     select count(*)::int as changed from locked where not pg_visible_in_snapshot(changed_by, $4::pg_snapshot)`,
    [tenantId, reconciliationId, jobId, snapshot.seen],
  );
  if (rows[0]?.changed !== 0) throw new ItemsChangedError();
}

async function insertGroups(
  client: PoolClient,
  tenantId: string,
  { jobId, reconciliationId, isFull, actor }: RunOfReconciliation & { isFull: boolean; actor: string },
): Promise<{ groups: number; digest: string | null }> {
  const { rows: held } = await client.query<{ groups: number; digest: string | null }>(
    `with found as materialized (${foundMembersSql}), members as materialized (
       select m.*, i.side, i.external_id, i.revision, i.amount as record_amount, i.amount - i.held as amount, i.day,
              i.currency
         from found m
        cross join lateral (${itemSql('m.record_id')}) i
        ${isFull ? `where not ${standsSql('m.group_id')}` : ''}
     ), sums as materialized (
       select group_id, sum(amount) filter (where side = 0) as left_amount,
              sum(amount) filter (where side = 1) as right_amount, max(currency) as currency, max(day) as day,
              max(abs(record_amount)) as record_amount, bool_or(amount is not null) as has_amounts,
              bool_or(amount is null) as has_unread,
              ${setHashSql} as set_hash
         from members group by 1
     ), made as (
       insert into match_groups
         (tenant_id, id, reconciliation_id, origin, kind, left_amount, right_amount, difference, currency, match_id,
          composite_match_id, matching_job_id, rule_set_id, rule_set_name, rule_set_version, score, explanation,
          set_hash, period, late, held_by, approval, held_at)
       select $1, f.group_id, $2, 'auto', f.kind,
              case when s.has_amounts then coalesce(s.left_amount, 0) end,
              case when s.has_amounts then coalesce(s.right_amount, 0) end,
              case when s.has_amounts then coalesce(s.left_amount, 0)
                - case n.amount_sign when 'same' then 1 else -1 end * coalesce(s.right_amount, 0) end,
              s.currency, case f.kind when 'pair' then f.group_id end, case f.kind when 'composite' then f.group_id end,
              $3, f.rule_set_id, e.rule_set_name, e.rule_set_version, f.score, f.explanation, s.set_hash,
              ${periodOfSql('s.day')}, coalesce(s.day <= n.closed_to, false), $4::jsonb,
              case when n.approval_above is not null
                    and (s.has_unread
                         or greatest(abs(s.left_amount), abs(s.right_amount), s.record_amount) > n.approval_above)
                   then 'pending' end, clock_timestamp()
         from (${foundSql}) f
         join sums s on s.group_id = f.group_id
         join job_rule_sets e on e.tenant_id = $1 and e.job_id = $3 and e.rule_set_id = f.rule_set_id
         join reconciliations n on n.tenant_id = $1 and n.id = $2
     ), added as (
       insert into match_group_members
         (tenant_id, group_id, reconciliation_id, position, record_id, side, external_id, revision, amount,
          record_amount, day, currency)
       select $1, group_id, $2, row_number() over (partition by group_id order by side, position) - 1, record_id, side,
              external_id, revision, amount, record_amount, day, currency
         from members
     )
     select count(*)::int as groups, encode(sha256(string_agg(set_hash, ''::bytea order by group_id)), 'hex') as digest
       from sums`,
    [tenantId, reconciliationId, jobId, actor],
  );
  const { groups = 0, digest = null } = held[0] ?? {};
  await client.query(
    `insert into match_group_definitions (tenant_id, job_id, rule_set_id, definition)
     select tenant_id, job_id, rule_set_id, definition from job_rule_sets where tenant_id = $1 and job_id = $2
     on conflict do nothing`,
    [tenantId, jobId],
  );
  if (groups > 0) {
    await client.query(
      `update reconciliations set held_once = true where tenant_id = $1 and id = $2 and not held_once`,
      [tenantId, reconciliationId],
    );
  }
  return { groups, digest };
}

async function emitHeld(
  { tenantId }: TenantScope,
  client: PoolClient,
  { jobId, reconciliationId }: RunOfReconciliation,
): Promise<void> {
  const db = queriesOn(client);
  const types = ['MATCH_GROUP_HELD', 'MATCH_GROUP_PENDING'] as const;
  if ((await subscribedTypes(db, tenantId, types)).length === 0) return;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await client.query<{ id: string; isPending: boolean }>(
      `select id::text as id, approval is not null as "isPending" from match_groups
        where tenant_id = $1 and matching_job_id = $2 and origin = 'auto' and id > $3
        order by match_groups.id limit ${idsPerEvent}`,
      [tenantId, jobId, after],
    );
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? after;
    for (const type of types) {
      const ids = rows.flatMap(({ id, isPending }) => (isPending === (type === 'MATCH_GROUP_PENDING') ? [id] : []));
      await storeGroupEvents(db, tenantId, type, { reconciliationId, matchingJobId: jobId, ids });
    }
  }
}

/** Records a run as one audit entry, with a digest of the groups that it held. */
export async function auditRun(scope: TenantScope, client: PoolClient, run: AuditedRun): Promise<void> {
  const { jobId, reconciliationId, groups, digest, released } = run;
  const origin = { actor: { type: 'job', id: jobId, label: null }, requestId: null } as const;
  await recordAudit(
    { tenantId: scope.tenantId, db: queriesOn(client), origin },
    {
      action: 'reconciliation.run',
      object: { type: 'reconciliation', id: reconciliationId },
      after: { matching_job_id: jobId, groups, digest, released },
    },
  );
}

/** Sets of records that are looked up by a list. More are joined: a list is compared with each group that is read. */
const maxListedSets = 2_000;

/** Counts by rule set the pairs whose records no pair has held together before. @param groups that the run holds */
async function billableOf(
  client: PoolClient,
  tenantId: string,
  { jobId, reconciliationId, groups }: RunOfReconciliation & { groups: number },
): Promise<Record<string, number>> {
  const isHeldSet =
    groups > maxListedSets ? 'in (select set_hash from held)' : '= any(array(select set_hash from held))';
  const { rows } = await client.query<{ id: string; pairs: number }>(
    `with held as materialized (
       select id, rule_set_id, set_hash from match_groups
        where tenant_id = $1 and matching_job_id = $2 and origin = 'auto' and kind = 'pair'
     ), others as (
       select id, set_hash from match_groups
        where tenant_id = $1 and reconciliation_id = $3 and kind = 'pair' and set_hash ${isHeldSet}
     )
     select g.rule_set_id::text as id, count(*)::float8 as pairs from held g
      where not exists (select 1 from others o where o.set_hash = g.set_hash and o.id <> g.id)
      group by 1`,
    [tenantId, jobId, reconciliationId],
  );
  return Object.fromEntries(rows.map(({ id, pairs }) => [id, pairs]));
}
