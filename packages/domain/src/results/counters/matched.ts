import type { Queries } from '@tieout/infra';

/**
 * Locks the counters of a tenant until the end of the transaction. A change of live results takes this lock last, when
 * only counting is left, so that each counts the state that the ones before have left and none waits while holding it.
 */
export async function lockCounters(db: Queries, tenantId: string): Promise<void> {
  await db.execute(`select pg_advisory_xact_lock(hashtextextended('live figures ' || $1::text, 0))`, [tenantId]);
}

/** SQL that holds for a row of matches or composite_matches that makes its records matched. */
const isMatching = (alias: string): string => `(${alias}.review_status = 'confirmed'
  or (${alias}.review_status is null and ${alias}.decision = 'MATCH' and exists (
        select 1 from rule_sets r where r.id = ${alias}.rule_set_id and r.live_job_id = ${alias}.job_id)))`;

/** SQL: the composite covers its target's whole amount. */
const holdsTarget = (alias: string): string => `${alias}.status = 'COMPLETE'`;

/** Ids of records, or the text of a PostgreSQL array of them, which takes a fraction of the memory for millions. */
type Ids = readonly string[] | string;

/**
 * Counts the matched ones of these left records, by dataset. `offset 0` keeps each search on the index of the record,
 * and the first row found ends it.
 */
async function matchedAmong(db: Queries, tenantId: string, leftIds: Ids): Promise<Map<string, number>> {
  const rows = await db.query<{ datasetId: string; count: number }>(
    `select e.left_dataset_id as "datasetId", count(*)::int as count
       from unnest($2::uuid[]) l(id), lateral (
         select m.job_id, m.rule_set_id from (select * from matches where left_record_id = l.id offset 0) m
          where m.tenant_id = $1::uuid and ${isMatching('m')}
         union all
         select c.job_id, c.rule_set_id
           from (select * from composite_matches where target_record_id = l.id offset 0) c
          where c.tenant_id = $1::uuid and c.direction = 'one_to_many' and ${holdsTarget('c')} and ${isMatching('c')}
         union all
         select c.job_id, c.rule_set_id
           from (select composite_id from composite_members where record_id = l.id offset 0) named,
                lateral (select * from composite_matches
                          where tenant_id = $1::uuid and id = named.composite_id offset 0) c
          where c.direction = 'many_to_one' and ${isMatching('c')}
         limit 1) found
       join job_rule_sets e on e.job_id = found.job_id and e.rule_set_id = found.rule_set_id
      group by 1`,
    [tenantId, leftIds],
  );
  return new Map(rows.map(({ datasetId, count }) => [datasetId, count]));
}

/**
 * Makes a change that may turn left records into matched ones or back, and updates the counts by the difference. Runs
 * inside the transaction of the change, which holds the rows to be changed.
 * @param leftIds lists the records, under the lock
 */
export async function updateMatchedCounts(
  db: Queries,
  tenantId: string,
  leftIds: () => Promise<Ids>,
  change: () => Promise<void>,
): Promise<void> {
  await lockCounters(db, tenantId);
  const ids = await leftIds();
  const before = await matchedAmong(db, tenantId, ids);
  await change();
  const after = await matchedAmong(db, tenantId, ids);
  for (const datasetId of new Set([...before.keys(), ...after.keys()])) {
    const difference = (after.get(datasetId) ?? 0) - (before.get(datasetId) ?? 0);
    if (difference === 0) continue;
    await db.execute(
      `insert into matched_counts as c (tenant_id, dataset_id, count) values ($1::uuid, $2::uuid, $3::int)
       on conflict (tenant_id, dataset_id) do update set count = c.count + excluded.count`,
      [tenantId, datasetId, difference],
    );
  }
}

/** Lists these records, and the left records that share a match or a composite with one of them. */
export async function affectedLeftRecords(db: Queries, tenantId: string, recordIds: readonly string[]): Promise<Ids> {
  const [found] = await db.query<{ ids: string }>(
    `with composites as materialized (
       select c.id, c.direction, c.target_record_id from composite_matches c
        where c.tenant_id = $1::uuid and c.id = any(array(
         select c.id from unnest($2::uuid[]) r(id),
                lateral (select id from composite_matches where target_record_id = r.id offset 0) c
         union
         select composite_id from composite_members where record_id = any($2::uuid[]) and tenant_id = $1::uuid))
     )
     select array(
       select id from unnest($2::uuid[]) r(id)
       union select m.left_record_id
               from unnest($2::uuid[]) r(id),
                    lateral (select * from matches where right_record_id = r.id offset 0) m
              where m.tenant_id = $1::uuid
       union select target_record_id from composites where direction = 'one_to_many'
       union select m.record_id from composites c join composite_members m on m.composite_id = c.id
              where c.direction = 'many_to_one')::text as ids`,
    [tenantId, recordIds],
  );
  return found?.ids ?? [];
}

/**
 * Takes over the count that a job made of the one left dataset it reads, where it equals that of the dataset: all live
 * results are of this job, none is reviewed, none is a composite, and none of the counted `pairs` has been deleted
 * since. Runs like `recountMatched`, after `addResultCounts`.
 * @returns whether the count was taken over
 */
export async function adoptMatchedCount(
  db: Queries,
  tenantId: string,
  datasetId: string,
  { jobId, pairs, matched }: { jobId: string; pairs: number; matched: number },
): Promise<boolean> {
  const taken = await db.execute(
    `with entries as materialized (
       select job_id, rule_set_id from job_rule_sets where tenant_id = $1::uuid and left_dataset_id = $2::uuid)
     insert into matched_counts as c (tenant_id, dataset_id, count)
     select $1::uuid, $2::uuid, $5::int
      where $4::bigint = (select sum(count) from result_counts where job_id = $3::uuid and kind = 'match')
        and not exists (select 1 from result_counts where job_id = $3::uuid and kind = 'composite')
        and not exists (
          select 1 from entries e join rule_sets r on r.id = e.rule_set_id and r.live_job_id = e.job_id
           where e.job_id <> $3::uuid)
        and not exists (
          select 1 from matches where tenant_id = $1::uuid and review_status is not null
             and rule_set_id = any(array(select rule_set_id from entries)))
        and not exists (
          select 1 from composite_matches where review_status is not null
             and rule_set_id = any(array(select rule_set_id from entries)))
     on conflict (tenant_id, dataset_id) do update set count = excluded.count`,
    [tenantId, datasetId, jobId, pairs, matched],
  );
  return taken > 0;
}

/**
 * Counts the matched left records of datasets again, for a change of whole results: some seconds for millions of
 * records. Runs under the lock, in the transaction of the change.
 */
export async function recountMatched(db: Queries, tenantId: string, datasetIds: readonly string[]): Promise<void> {
  await db.execute(`set local work_mem = '64MB'`);
  for (const datasetId of datasetIds) {
    await db.execute(
      // `offset 0` keeps each job on its index: statistics do not know it yet.
      `with entries as materialized (
         select e.job_id, e.rule_set_id, r.live_job_id is not distinct from e.job_id as live
           from job_rule_sets e join rule_sets r on r.id = e.rule_set_id
          where e.tenant_id = $1::uuid and e.left_dataset_id = $2::uuid
       ), pairs as (
         select m.left_record_id as id from entries e, lateral (
           select * from matches where job_id = e.job_id and decision = 'MATCH' and review_status is null offset 0) m
          where e.live and m.rule_set_id = e.rule_set_id
         union all
         select m.left_record_id from matches m
          where m.tenant_id = $1::uuid and m.review_status = 'confirmed'
            and (m.job_id, m.rule_set_id) in (select job_id, rule_set_id from entries)
       ), composites as (
         select c.id, c.direction, c.target_record_id, c.status from entries e, lateral (
           select * from composite_matches
            where rule_set_id = e.rule_set_id and job_id = e.job_id and decision = 'MATCH' and review_status is null
           offset 0) c
          where e.live
         union all
         select c.id, c.direction, c.target_record_id, c.status from composite_matches c
          where c.tenant_id = $1::uuid and c.review_status = 'confirmed'
            and (c.job_id, c.rule_set_id) in (select job_id, rule_set_id from entries)
       )
       insert into matched_counts as c (tenant_id, dataset_id, count)
       select $1::uuid, $2::uuid, count(*) from (
         select id from pairs
         union select c.target_record_id from composites c where c.direction = 'one_to_many' and ${holdsTarget('c')}
         union select m.record_id
                 from composites c,
                      lateral (select record_id from composite_members where composite_id = c.id offset 0) m
                where c.direction = 'many_to_one') matched
       on conflict (tenant_id, dataset_id) do update set count = excluded.count`,
      [tenantId, datasetId],
    );
  }
}
