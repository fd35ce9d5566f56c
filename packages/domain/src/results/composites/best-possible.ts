import type { DbHandle } from '@tieout/infra';

export interface BestComposite {
  recordId: string;
  compositeMatchId: string;
  score: number;
}

/** Of each record the best POSSIBLE composite of a job that names it as target or member and that nobody has rejected. */
export async function bestPossibleComposites(
  db: DbHandle,
  { tenantId, jobId }: { tenantId: string; jobId: string },
  recordIds: readonly string[],
): Promise<BestComposite[]> {
  return db.query(
    // The fences keep each search on the index of the record: right after a large job the statistics know nothing of it.
    `select r.id as "recordId", best.id as "compositeMatchId", best.score
       from unnest($3::uuid[]) r(id), lateral (
         select c.id, c.score
           from (select id as composite_id from composite_matches where target_record_id = r.id
                 union all
                 select composite_id from composite_members where record_id = r.id offset 0) naming,
                lateral (select * from composite_matches where tenant_id = $1::uuid and id = naming.composite_id offset 0) c
          where c.job_id = $2::uuid and c.decision = 'POSSIBLE' and c.review_status is distinct from 'rejected'
          order by c.score desc, c.id limit 1) best`,
    [tenantId, jobId, recordIds],
  );
}
