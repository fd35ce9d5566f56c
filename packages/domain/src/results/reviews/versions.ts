import type { Side } from '@tieout/engine';
import type { Queries, TenantDb } from '@tieout/infra';
import type { JsonObject } from '../../kernel/ports';
import { emitEvent, enqueueDeliveries } from '../../events';
import { Attempts } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { isActiveSql } from '../../kernel/sql';
import type { Reviewed } from './review';

/** A record of a confirmed result that has changed since in what the rule set reads. */
export interface ChangedVersion {
  recordId: string;
  side: Side;
  confirmed: { revision: number; values: JsonObject };
  current: { revision: number; values: JsonObject };
}

/** SQL for the values of a record `r` that are compared with those of a reviewed record `v`. */
const readSql = `case when v.reads_all then r.data || coalesce(r.fields, '{}') else (
  select coalesce(jsonb_object_agg(k.key, k.value), '{}')
    from jsonb_each(r.data || coalesce(r.fields, '{}')) k where k.key = any(v.keys)) end`;

/** SQL: the normalised record `r` differs from the version `v` that was confirmed. */
const differsSql = `r.status in ('ready', 'failed') and v.revision <> r.revision and v.content <> ${readSql}`;

const changedOf = (result: string): string =>
  `from reviewed_records v join records r on r.tenant_id = v.tenant_id and r.id = v.record_id
    where v.result_id = ${result}.id and ${differsSql}`;

/** SQL that holds for a row of matches or composite_matches that was confirmed on records that have changed since. */
export const isStaleSql = (alias: string): string =>
  `(${alias}.review_status = 'confirmed' and exists (select 1 ${changedOf(alias)}))`;

/** SQL for the `ChangedVersion`s of such a row; null where it is not stale. */
export const versionsSql = (alias: string): string =>
  `case when ${alias}.review_status = 'confirmed' then (
     select jsonb_agg(jsonb_build_object('recordId', v.record_id,
       'side', case v.side when 0 then 'left' else 'right' end,
       'confirmed', jsonb_build_object('revision', v.revision, 'values', v.content),
       'current', jsonb_build_object('revision', r.revision, 'values', ${readSql})) order by v.side, v.record_id)
     ${changedOf(alias)}) end`;

/** Stores the records of a result as they are at its confirmation, replacing versions stored earlier. */
export async function rememberVersions(
  db: TenantDb,
  { table, id, ruleSetId }: Reviewed,
  records: Record<Side, readonly string[]>,
): Promise<void> {
  await forgetVersions(db, id);
  await db.execute(
    `insert into reviewed_records
       (result_id, record_id, tenant_id, rule_set_id, source, side, revision, keys, reads_all, content)
     select $2::uuid, r.id, $1::uuid, $3::uuid, $4, v.side, r.revision, v.keys, v.reads_all,
            case when r.status in ('ready', 'failed') then ${readSql} end
       from ${table} m
       join job_rule_sets e on e.job_id = m.job_id and e.rule_set_id = m.rule_set_id,
            lateral (
              select id, 0 as side, e.reads -> 'left' as reads from unnest($5::uuid[]) id
              union all select id, 1, e.reads -> 'right' from unnest($6::uuid[]) id) named,
            lateral (
              select named.id as record_id, named.side, coalesce((named.reads ->> 'all')::boolean, true) as reads_all,
                     array(select jsonb_array_elements_text(coalesce(named.reads -> 'keys', '[]'))) as keys) v
       join records r on r.tenant_id = $1::uuid and r.id = v.record_id
      where m.tenant_id = $1::uuid and m.id = $2::uuid
     on conflict (result_id, record_id) do nothing`,
    [db.tenantId, id, ruleSetId, table, records.left, records.right],
  );
}

/** Forgets the records of a result that is confirmed no longer. */
export async function forgetVersions(db: TenantDb, id: string): Promise<void> {
  await db.execute(`delete from reviewed_records where tenant_id = $1::uuid and result_id = $2::uuid`, [
    db.tenantId,
    id,
  ]);
}

/** Forgets the results that name one of these records. Runs inside the transaction that deletes them. */
export async function forgetVersionsOfRecords(
  tx: Queries,
  tenantId: string,
  recordIds: readonly string[],
): Promise<void> {
  await tx.execute(
    `delete from reviewed_records where tenant_id = $1::uuid and result_id = any(array(
       select result_id from reviewed_records where tenant_id = $1::uuid and record_id = any($2::uuid[])))`,
    [tenantId, recordIds],
  );
}

/** Forgets the results of a rule set. Runs inside the transaction that deletes it. */
export async function forgetVersionsOfRuleSet(tx: Queries, tenantId: string, ruleSetId: string): Promise<void> {
  await tx.execute(`delete from reviewed_records where tenant_id = $1::uuid and rule_set_id = $2::uuid`, [
    tenantId,
    ruleSetId,
  ]);
}

/** Notes that one transaction takes. */
const notesPerStep = 1_000;

/**
 * Compares the reviewed records that have been sent again with what was confirmed of them, and emits MATCH_STALE for
 * each result that has become stale: once, unless it is confirmed again or changes back.
 */
export async function sweepStaleReviews(deps: DomainDeps): Promise<void> {
  const tenants = await deps.db.system.query<{ tenantId: string }>(
    `select distinct tenant_id as "tenantId" from changed_records where ${isActiveSql('tenant_id')}`,
  );
  const reports = new Attempts(deps, { noun: 'confirmed record', participle: 'compared' });
  for (const { tenantId } of tenants) await reports.try({ tenantId }, (scope) => reportStale(scope));
  reports.end();
}

interface StaleResult {
  id: string;
  source: Reviewed['table'];
  ruleSetId: string;
  recordIds: string[];
}

async function reportStale(scope: TenantScope): Promise<void> {
  const { tenantId, queue } = scope;
  await scope.transaction(async ({ db }) => {
    const notes = await db.query<{ recordId: string }>(
      `delete from changed_records where tenant_id = $1::uuid and id = any(array(
         select id from changed_records where tenant_id = $1::uuid limit $2::int for update skip locked))
       returning record_id as "recordId"`,
      [tenantId, notesPerStep],
    );
    const stale = await db.query<StaleResult>(
      `with compared as (
         select v.result_id, v.record_id, v.reported, ${differsSql} as differs, ${readSql} as now, r.status, r.revision
           from reviewed_records v join records r on r.tenant_id = v.tenant_id and r.id = v.record_id
          where v.tenant_id = $1::uuid and v.record_id = any($2::uuid[])
       ), kept as (
         update reviewed_records v
            set reported = coalesce(c.differs, false), content = coalesce(v.content, c.now),
                revision = case when v.content is null then c.revision else v.revision end
           from compared c
          where v.tenant_id = $1::uuid and v.result_id = c.result_id and v.record_id = c.record_id
            and c.status in ('ready', 'failed'))
       select v.result_id as id, v.source, v.rule_set_id as "ruleSetId", array_agg(v.record_id::text) as "recordIds"
         from compared c join reviewed_records v on v.result_id = c.result_id and v.record_id = c.record_id
        where v.tenant_id = $1::uuid and c.differs and not c.reported group by 1, 2, 3 order by 1`,
      [tenantId, [...new Set(notes.map(({ recordId }) => recordId))]],
    );
    let isAnyDelivered = false;
    for (const { id, source, ...data } of stale) {
      const key = source === 'matches' ? 'matchId' : 'compositeMatchId';
      isAnyDelivered =
        (await emitEvent(db, tenantId, { type: 'MATCH_STALE', data: { [key]: id, ...data } })) || isAnyDelivered;
    }
    if (isAnyDelivered) await db.afterCommit(() => enqueueDeliveries(queue, [tenantId]));
  });
}
