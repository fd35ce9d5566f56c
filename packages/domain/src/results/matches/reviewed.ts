import type { Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';

/** One rule set of a job that is not completed, by whose results reviews are looked up. */
export interface EntryOwner {
  tenantId: string;
  jobId: string;
  ruleSetId: string;
  /** True if a dataset is compared with itself, so that a pair has no direction. */
  isOneSide: boolean;
  /** True for a pass of a run: groups say what is held, so confirmed reviews hold nothing. */
  isRun: boolean;
}

/** A deleted match with the decision it had. */
export interface DeletedMatch {
  id: string;
  decision: 'MATCH' | 'POSSIBLE';
  score: number;
}

/** People’s decisions that concern the pairs of a job. */
export interface PairDecisions {
  /** Jobs of the rule set whose rejections hold: see `jobsDecidingAlike`. */
  alikeJobs: readonly string[];
  /** Records of each side that confirmed composites hold. */
  held: Record<Side, readonly string[]>;
  /** Pairs that people released, which count as rejected. */
  released: readonly RecordPair[];
}

/** A pair that people’s decisions took out of a job. */
export interface WithheldMatch extends DeletedMatch {
  leftRecordId: string;
  rightRecordId: string;
  /** Null: its confirmed match replaces it. */
  reason: 'rejected' | 'held' | null;
}

/**
 * SQL for the matches of a job that are not kept, as `found (id, reason)`: rejected and released pairs, confirmed ones,
 * which their confirmed matches replace, and pairs with a record that a confirmed composite holds. `offset 0` keeps
 * each search on the index of the pair or the record: statistics do not know the job's matches yet.
 */
const foundSql = `reviewed as materialized (
    select left_record_id, right_record_id, review_status from matches
     where tenant_id = $1 and rule_set_id = $3
       and ((review_status = 'confirmed' and not $8) or (review_status = 'rejected' and job_id = any($4::uuid[])))
  ), decided as materialized (
    select left_record_id, right_record_id, bool_and(review_status = 'rejected') as rejected from (
      select * from reviewed
      union all select right_record_id, left_record_id, review_status from reviewed where $7
      union all select left_id, right_id, 'rejected' from unnest($9::uuid[], $10::uuid[]) r (left_id, right_id)) either
     group by 1, 2
  ), found as materialized (
    select distinct on (id) id, reason from (
      select m.id, case when d.rejected then 'rejected' end as reason from decided d, lateral (
        select id from matches
         where left_record_id = d.left_record_id and right_record_id = d.right_record_id
           and job_id = $2 and rule_set_id = $3 offset 0) m
      union all
      select m.id, 'held' from unnest($5::uuid[]) r(id),
        lateral (select * from matches where left_record_id = r.id offset 0) m
       where m.job_id = $2 and m.rule_set_id = $3
      union all
      select m.id, 'held' from unnest($6::uuid[]) r(id),
        lateral (select * from matches where right_record_id = r.id offset 0) m
       where m.job_id = $2 and m.rule_set_id = $3) named
     order by id, reason nulls first)`;

const parametersOf = (owner: EntryOwner, { alikeJobs, held, released }: PairDecisions): unknown[] => [
  owner.tenantId,
  owner.jobId,
  owner.ruleSetId,
  alikeJobs,
  held.left,
  held.right,
  owner.isOneSide,
  owner.isRun,
  released.map(({ leftRecordId }) => leftRecordId),
  released.map(({ rightRecordId }) => rightRecordId),
];

/**
 * Demotes the MATCH pairs of a job that are not kept to POSSIBLE before the assignment; `deleteWithheld` takes them out
 * when the job completes. Returns their ids. The caller locks the rule set against reviews.
 */
export async function demoteWithheld(
  client: PoolClient,
  owner: EntryOwner,
  decisions: PairDecisions,
): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with ${foundSql}
     update matches set decision = 'POSSIBLE'
      where tenant_id = $1 and decision = 'MATCH' and id = any(array(select id from found)) returning id`,
    parametersOf(owner, decisions),
  );
  return rows.map(({ id }) => id);
}

/**
 * Deletes the pairs of a job that are not kept. It costs a look-up for each decision, however many pairs the job has,
 * and a second run changes nothing. The caller locks the rule set against reviews.
 */
export async function deleteWithheld(
  client: PoolClient,
  owner: EntryOwner,
  decisions: PairDecisions,
): Promise<WithheldMatch[]> {
  const { rows } = await client.query<WithheldMatch>(
    `with ${foundSql}, gone as (
       delete from matches where tenant_id = $1 and id = any(array(select id from found))
       returning id, decision, score, left_record_id, right_record_id)
     select g.id, g.decision, g.score, g.left_record_id as "leftRecordId", g.right_record_id as "rightRecordId",
            found.reason
       from gone g join found on found.id = g.id`,
    parametersOf(owner, decisions),
  );
  return rows;
}

/**
 * Makes MATCH pairs POSSIBLE that share a record with a confirmed match. Returns their ids. It is for rule sets in
 * which a record can have one MATCH only.
 */
export async function demoteRivals(
  client: PoolClient,
  { tenantId, jobId, ruleSetId, isOneSide, isRun }: EntryOwner,
): Promise<string[]> {
  if (isRun) return [];
  const { rows } = await client.query<{ id: string }>(
    `with reviewed as materialized (
       select left_record_id, right_record_id from matches
        where tenant_id = $1 and rule_set_id = $3 and review_status = 'confirmed'
     ), confirmed as materialized (
       select * from reviewed union all select right_record_id, left_record_id from reviewed where $4)
     update matches set decision = 'POSSIBLE', explanation = explanation || '{"conflict": true, "held": true}'
      where tenant_id = $1 and decision = 'MATCH' and id = any(array(
        select m.id from confirmed c,
               lateral (select * from matches where left_record_id = c.left_record_id offset 0) m
         where m.job_id = $2 and m.rule_set_id = $3
        union
        select m.id from confirmed c,
               lateral (select * from matches where right_record_id = c.right_record_id offset 0) m
         where m.job_id = $2 and m.rule_set_id = $3))
     returning id`,
    [tenantId, jobId, ruleSetId, isOneSide],
  );
  return rows.map(({ id }) => id);
}

/** A pair of records, by their ids. */
export interface RecordPair {
  leftRecordId: string;
  rightRecordId: string;
}

/** Lists the confirmed pairs of a rule set, of any job and version. */
export function confirmedPairs(
  client: PoolClient,
  { tenantId, ruleSetId }: { tenantId: string; ruleSetId: string },
): Promise<RecordPair[]> {
  return pairsWhere(client, `review_status = 'confirmed'`, [tenantId, ruleSetId]);
}

/** Lists the pairs of a rule set that were rejected in one of these jobs. */
export function rejectedPairs(
  client: PoolClient,
  { tenantId, ruleSetId }: { tenantId: string; ruleSetId: string },
  jobIds: readonly string[],
): Promise<RecordPair[]> {
  return pairsWhere(client, `review_status = 'rejected' and job_id = any($3::uuid[])`, [tenantId, ruleSetId, jobIds]);
}

async function pairsWhere(client: PoolClient, condition: string, parameters: unknown[]): Promise<RecordPair[]> {
  const { rows } = await client.query<RecordPair>(
    `select left_record_id as "leftRecordId", right_record_id as "rightRecordId" from matches
      where tenant_id = $1 and rule_set_id = $2 and ${condition}`,
    parameters,
  );
  return rows;
}
