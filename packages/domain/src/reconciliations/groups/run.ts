import { queriesOn, type PoolClient } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { emitEvent, subscribedWebhooks } from '../../events';
import type { TenantScope } from '../../kernel/scope';

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
export async function itemsChangedSince(client: PoolClient, tenantId: string, jobId: string): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select i.record_id::text as id
       from matching_jobs j
       join reconciliation_items i on i.tenant_id = j.tenant_id and i.reconciliation_id = j.reconciliation_id
        and i.changed_by >= pg_snapshot_xmin(j.snapshot::pg_snapshot)
      where j.tenant_id = $1 and j.id = $2 and not pg_visible_in_snapshot(i.changed_by, j.snapshot::pg_snapshot)`,
    [tenantId, jobId],
  );
  return rows.map(({ id }) => id);
}

interface RunOfReconciliation {
  jobId: string;
  reconciliationId: string;
}

/**
 * Holds every MATCH of a run as a group, where the reconciliation accepts by itself. Runs inside the transaction that
 * completes the run, after its assignment. A member that has changed meanwhile fails the transaction, which is retried.
 * @returns by rule set the pairs that were held for the first time
 */
export async function holdRun(
  scope: TenantScope,
  client: PoolClient,
  { jobId, reconciliationId }: RunOfReconciliation,
): Promise<Record<string, number>> {
  const { tenantId } = scope;
  const actor = JSON.stringify({ type: 'job', id: jobId, label: null });
  const { rows: accepting } = await client.query(
    `select 1 from reconciliations where tenant_id = $1 and id = $2 and accept = 'auto'`,
    [tenantId, reconciliationId],
  );
  if (accepting.length === 0) return {};
  await client.query(
    `select 1 from reconciliation_items i
      where i.tenant_id = $1 and i.reconciliation_id = $2 and i.record_id in (select record_id from (${membersSql}) m)
      order by i.record_id for no key update`,
    [tenantId, reconciliationId, jobId],
  );
  const { rows: held } = await client.query<{ groups: number; digest: string | null }>(
    `with members as materialized (
       select m.*, i.side, i.external_id, i.revision, i.amount as record_amount, i.amount - i.held as amount, i.day,
              i.currency
         from (${membersSql}) m
         join reconciliation_items i on i.tenant_id = $1 and i.reconciliation_id = $2 and i.record_id = m.record_id
     ), sums as materialized (
       select group_id, sum(amount) filter (where side = 0) as left_amount,
              sum(amount) filter (where side = 1) as right_amount, max(currency) as currency, max(day) as day,
              bool_or(amount is not null) as has_amounts,
              sha256(convert_to(string_agg(record_id::text, ' ' order by record_id::text), 'UTF8')) as set_hash
         from members group by 1
     ), made as (
       insert into match_groups
         (tenant_id, id, reconciliation_id, origin, kind, left_amount, right_amount, difference, currency, match_id,
          composite_match_id, matching_job_id, rule_set_id, rule_set_name, rule_set_version, score, explanation,
          set_hash, period, held_by, held_at)
       select $1, f.group_id, $2, 'auto', f.kind,
              case when s.has_amounts then coalesce(s.left_amount, 0) end,
              case when s.has_amounts then coalesce(s.right_amount, 0) end,
              case when s.has_amounts then coalesce(s.left_amount, 0)
                - case n.amount_sign when 'same' then 1 else -1 end * coalesce(s.right_amount, 0) end,
              s.currency, case f.kind when 'pair' then f.group_id end, case f.kind when 'composite' then f.group_id end,
              $3, f.rule_set_id, e.rule_set_name, e.rule_set_version, f.score, f.explanation, s.set_hash,
              to_char(s.day, 'YYYY-MM'), $4::jsonb, clock_timestamp()
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
  await emitHeld(scope, client, { jobId, reconciliationId });
  await auditRun(scope, client, { jobId, reconciliationId, groups, digest });
  return billableOf(client, tenantId, { jobId, reconciliationId });
}

/** SQL for the matches and composites of the run `$3` that are MATCH. Each is a group, with its id. */
const foundSql = `
  select m.id as group_id, 'pair' as kind, m.rule_set_id, m.score, m.explanation from matches m
   where m.tenant_id = $1 and m.job_id = $3 and m.decision = 'MATCH'
  union all
  select c.id, 'composite', c.rule_set_id, c.score, c.explanation from composite_matches c
   where c.tenant_id = $1 and c.job_id = $3 and c.decision = 'MATCH'`;

/** SQL for their records. */
const membersSql = `
  select m.id as group_id, 0 as position, m.left_record_id as record_id from matches m
   where m.tenant_id = $1 and m.job_id = $3 and m.decision = 'MATCH'
  union all
  select m.id, 1, m.right_record_id from matches m
   where m.tenant_id = $1 and m.job_id = $3 and m.decision = 'MATCH'
  union all
  select c.id, 0, c.target_record_id from composite_matches c
   where c.tenant_id = $1 and c.job_id = $3 and c.decision = 'MATCH'
  union all
  select c.id, m.position + 1, m.record_id from composite_matches c
    join composite_members m on m.tenant_id = c.tenant_id and m.composite_id = c.id
   where c.tenant_id = $1 and c.job_id = $3 and c.decision = 'MATCH'`;

const idsPerEvent = 500;

async function emitHeld(
  { tenantId }: TenantScope,
  client: PoolClient,
  { jobId, reconciliationId }: RunOfReconciliation,
): Promise<void> {
  const db = queriesOn(client);
  if ((await subscribedWebhooks(db, tenantId, 'MATCH_GROUP_HELD')).length === 0) return;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const { rows } = await client.query<{ id: string }>(
      `select id::text as id from match_groups
        where tenant_id = $1 and matching_job_id = $2 and origin = 'auto' and id > $3 order by id limit ${idsPerEvent}`,
      [tenantId, jobId, after],
    );
    if (rows.length === 0) return;
    after = rows.at(-1)?.id ?? after;
    const data = { reconciliationId, matchingJobId: jobId, matchGroupIds: rows.map(({ id }) => id) };
    await emitEvent(db, tenantId, { type: 'MATCH_GROUP_HELD', data });
  }
}

/** One entry for the whole run, with a digest of what it held. */
async function auditRun(
  scope: TenantScope,
  client: PoolClient,
  run: RunOfReconciliation & { groups: number; digest: string | null },
): Promise<void> {
  const { jobId, reconciliationId, groups, digest } = run;
  const origin = { actor: { type: 'job', id: jobId, label: null }, requestId: null } as const;
  await recordAudit(
    { tenantId: scope.tenantId, db: queriesOn(client), origin },
    {
      action: 'reconciliation.run',
      object: { type: 'reconciliation', id: reconciliationId },
      after: { matching_job_id: jobId, groups, digest },
    },
  );
}

/** Counts by rule set the pairs whose records no group has held together before. */
async function billableOf(
  client: PoolClient,
  tenantId: string,
  { jobId, reconciliationId }: RunOfReconciliation,
): Promise<Record<string, number>> {
  const { rows } = await client.query<{ id: string; pairs: number }>(
    `select g.rule_set_id::text as id, count(*)::float8 as pairs
       from match_groups g
      where g.tenant_id = $1 and g.matching_job_id = $2 and g.kind = 'pair' and g.origin = 'auto'
        and not exists (select 1 from match_groups o
                         where o.tenant_id = $1 and o.reconciliation_id = $3 and o.set_hash = g.set_hash
                           and o.id <> g.id)
      group by 1`,
    [tenantId, jobId, reconciliationId],
  );
  return Object.fromEntries(rows.map(({ id, pairs }) => [id, pairs]));
}
