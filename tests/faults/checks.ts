import type { World } from './world';

/** Counts and rows that must be none, by what they would mean. `$1` is the tenant. */
const ofTenant: Record<string, string> = {
  'records that are not processed': `select id, status from records
    where tenant_id = $1::uuid and status not in ('ready', 'failed')`,
  'datasets whose records are behind their fields': `select id from datasets
    where tenant_id = $1::uuid and reprocessed_version < fields_version`,
  'files that have not ended': `select id, status from data_source_files
    where tenant_id = $1::uuid and status not in ('ready', 'failed', 'receiving')`,
  'jobs that have not ended': `select id, status from matching_jobs
    where tenant_id = $1::uuid and status in ('queued', 'running')`,
  'batches of completed jobs that are not done': `select b.job_id, b.batch_no from job_batches b
    join matching_jobs j on j.id = b.job_id and j.status = 'completed' where b.tenant_id = $1::uuid and not b.done`,
  'deliveries that have not ended': `select id, status, attempts from webhook_deliveries
    where tenant_id = $1::uuid and status <> 'delivered'`,
  'items on their way': `select id, status, step from items
    where tenant_id = $1::uuid and (status <> 'UPDATED' or lease_until > now())`,
  'ingests of items that are behind': `select g.id from item_ingests g join items i on i.id = g.item_id
    where g.tenant_id = $1::uuid and (g.status <> 'active' or g.position < i.change_no)`,
  'snapshots of jobs that are left': `select c.relname from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'staging' and c.relkind = 'r'
       join job_rule_sets e on replace(e.id::text, '-', '') = substr(c.relname, 3) where e.tenant_id = $1::uuid`,
  'matches of jobs that are no longer live, and that no group holds': `select m.job_id, count(*) from matches m
    join rule_sets r on r.id = m.rule_set_id and r.live_job_id <> m.job_id
    left join match_groups g on g.tenant_id = m.tenant_id and g.id = m.id and g.status = 'held'
      where m.tenant_id = $1::uuid and m.review_status is null and g.id is null group by 1`,
};

/** SQL that holds for a composite `c` that makes its records matched, with the live job of its rule set in `l`. */
const standing = `(c.review_status = 'confirmed'
  or (c.review_status is null and c.decision = 'MATCH' and c.job_id = l.live_job_id))`;

/** Invariants that hold once no work is open. */
const settled: Record<string, string> = {
  'events without a delivery, or with two': `select e.id, e.type, count(d.id) from events e
    left join webhook_deliveries d on d.event_id = e.id and d.tenant_id = e.tenant_id
      where e.tenant_id = $1::uuid group by 1, 2 having count(d.id) <> 1`,
  'deliveries whose log does not list every attempt once': `select d.id, d.attempts, count(a.number),
    max(a.number) from webhook_deliveries d left join webhook_attempts a on a.delivery_id = d.id
      where d.tenant_id = $1::uuid group by 1, 2 having count(a.number) <> d.attempts or max(a.number) <> d.attempts`,
  'deliveries that were made again after they had arrived': `select delivery_id from webhook_attempts
    where tenant_id = $1::uuid and outcome = 'delivered' group by 1 having count(*) > 1`,
  'jobs that told of their end not once': `select j.id, count(e.id) from matching_jobs j
    left join events e on e.tenant_id = j.tenant_id and e.type like 'MATCHING_JOB%' and e.body like '%' || j.id || '%'
      where j.tenant_id = $1::uuid group by 1 having count(e.id) <> 1`,
  'jobs that are billed though they have not completed, or the other way round': `select j.id, j.status,
    count(b.job_id) from matching_jobs j left join billing_entries b on b.job_id = j.id
      where j.tenant_id = $1::uuid group by 1, 2 having (j.status = 'completed') <> (count(b.job_id) > 0)`,
  'records counted wrongly': `select d.id, d.name, coalesce(c.count, 0), r.count from datasets d
       left join lateral (select sum(count) as count from record_counts where dataset_id = d.id) c on true
       left join lateral (select count(*) from records where dataset_id = d.id) r on true
      where d.tenant_id = $1::uuid and coalesce(c.count, 0) <> r.count`,
  'matches counted wrongly': `with counted as (select job_id, rule_set_id, kind, decision, status, count
    from result_counts where tenant_id = $1::uuid and count <> 0),
       there as (
         select m.job_id, m.rule_set_id, 'match' as kind, m.decision, '' as status, count(*) from matches m
           join job_rule_sets e on e.job_id = m.job_id and e.rule_set_id = m.rule_set_id
            and e.results_expired_at is null
           where m.tenant_id = $1::uuid and m.review_status is null group by 1, 2, 4
         union all
         select c.job_id, c.rule_set_id, 'composite', c.decision, c.status, count(*) from composite_matches c
           join job_rule_sets e on e.job_id = c.job_id and e.rule_set_id = c.rule_set_id
            and e.results_expired_at is null where c.tenant_id = $1::uuid group by 1, 2, 4, 5)
     select c.*, t.count as there from counted c full join there t using (job_id, rule_set_id, kind, decision, status)
      where not exists (select 1 from matches
      where tenant_id = $1::uuid and review_status is not null)
        and c.count is distinct from t.count`,
  'groups that runs hold without the match': `select g.id from match_groups g
    left join matches m on m.tenant_id = g.tenant_id and m.id = g.id
      where g.tenant_id = $1::uuid and g.status = 'held' and g.origin = 'auto' and g.kind = 'pair' and m.id is null`,
  'members of two groups': `select m.record_id, count(*) from composite_matches c
    join rule_sets l on l.id = c.rule_set_id join composite_members m on m.composite_id = c.id
      where c.tenant_id = $1::uuid and ${standing} group by 1 having count(*) > 1`,
  'records of a pair and of a group': `select m.record_id from composite_matches c
    join rule_sets l on l.id = c.rule_set_id join composite_members m on m.composite_id = c.id
    join matches p on p.rule_set_id = c.rule_set_id and m.record_id in (p.left_record_id, p.right_record_id)
      where c.tenant_id = $1::uuid and ${standing} and (p.review_status = 'confirmed'
            or (p.review_status is null and p.decision = 'MATCH' and p.job_id = l.live_job_id))`,
  'matched records counted wrongly': `with live as (select r.id, r.live_job_id, r.left_dataset_id
    from rule_sets r where r.tenant_id = $1::uuid),
       matched as (
         select l.left_dataset_id as dataset_id, m.left_record_id as id from matches m
           join live l on l.id = m.rule_set_id
          where m.review_status = 'confirmed' or (m.review_status is null and m.decision = 'MATCH'
          and m.job_id = l.live_job_id)
         union
         select l.left_dataset_id, c.target_record_id from composite_matches c join live l on l.id = c.rule_set_id
          where ${standing} and c.status = 'COMPLETE' and c.direction = 'one_to_many'
         union
         select l.left_dataset_id, m.record_id from composite_matches c join live l on l.id = c.rule_set_id
           join composite_members m on m.composite_id = c.id where ${standing} and c.direction = 'many_to_one')
     select d.id, coalesce(c.count, 0), (select count(*) from matched where dataset_id = d.id) as there from datasets d
       left join matched_counts c on c.tenant_id = d.tenant_id and c.dataset_id = d.id
      where d.tenant_id = $1::uuid and coalesce(c.count, 0) <> (select count(*) from matched where dataset_id = d.id)`,
};

async function found({ query }: World, tenantId: string, checks: Record<string, string>): Promise<string[]> {
  const problems: string[] = [];
  for (const [what, sql] of Object.entries(checks)) {
    const rows = await query<object>(`select * from (${sql}) problems limit 3`, [tenantId]);
    if (rows.length > 0)
      problems.push(
        `${what}: ${JSON.stringify(rows, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))}`,
      );
  }
  return problems;
}

/** Reports work that is still open, or stuck. */
export const unfinished = (world: World, tenantId: string): Promise<string[]> => found(world, tenantId, ofTenant);

/** Reports rows that contradict each other though no work is open. */
export async function contradictions(world: World, tenantId: string): Promise<string[]> {
  return [...(await found(world, tenantId, settled)), ...(await notReceived(world, tenantId))];
}

/** Each event arrives, every time under the same id and with the same bytes; each request is an attempt of the log. */
async function notReceived({ query, receiver }: World, tenantId: string): Promise<string[]> {
  const events = await query<{ id: string; body: string; attempts: number }>(
    `select e.id::text as id, e.body, d.attempts from events e
      join webhook_deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id where e.tenant_id = $1::uuid`,
    [tenantId],
  );
  const bodies = new Map<string, string[]>();
  for (const { headers, body } of receiver.requests(`/${tenantId}`)) {
    const id = String(headers['webhook-id']);
    bodies.set(id, [...(bodies.get(id) ?? []), body.toString()]);
  }
  const known = new Set(events.map(({ id }) => id));
  return [
    ...events.flatMap(({ id, body, attempts }) => {
      const got = bodies.get(id) ?? [];
      if (got.length === 0) return [`event ${id} never arrived`];
      if (got.some((one) => one !== body)) return [`event ${id} arrived with other bytes`];
      return got.length > attempts ? [`event ${id} arrived ${got.length} times in ${attempts} attempts`] : [];
    }),
    ...[...bodies.keys()].filter((id) => !known.has(id)).map((id) => `event ${id} arrived and is not there`),
  ].slice(0, 5);
}
