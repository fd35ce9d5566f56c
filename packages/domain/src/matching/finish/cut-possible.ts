import { effectiveParams, type Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { EntryOwner } from '../../results/matches';
import type { FinishEntry } from './run';

export interface CutPairs {
  count: number;
  scoreSum: number;
}

/**
 * Deletes the POSSIBLE pairs of an entry beyond the best ones of each record: first by left record, then of the rest by
 * right record. Returns their number with that of the pairs which batches have cut already.
 */
export async function cutPossible(client: PoolClient, owner: EntryOwner, entry: FinishEntry): Promise<CutPairs> {
  const { rows } = await client.query<CutPairs & { possible: number }>(
    `select coalesce(sum(possible_cut), 0)::float8 as count, coalesce(sum(possible_cut_score), 0)::float8 as "scoreSum",
            (coalesce(sum(possible - possible_cut), 0)
              + (select demoted from job_rule_sets where tenant_id = $1 and id = $2))::float8 as possible
       from job_batches where tenant_id = $1 and entry_id = $2`,
    [owner.tenantId, entry.id],
  );
  const { count = 0, scoreSum = 0, possible = 0 } = rows[0] ?? {};
  const max = effectiveParams(entry.definition).maxPossiblePerRecord;
  const cut = { count, scoreSum };
  if (possible <= max) return cut;
  for (const side of ['left', 'right'] as const) {
    const gone = await cutBySide(client, owner, { side, max });
    cut.count += gone.count;
    cut.scoreSum += gone.scoreSum;
  }
  return cut;
}

async function cutBySide(
  client: PoolClient,
  { tenantId, jobId, ruleSetId }: EntryOwner,
  { side, max }: { side: Side; max: number },
): Promise<CutPairs> {
  const [own, other] = side === 'left' ? ['left_record_id', 'right_record_id'] : ['right_record_id', 'left_record_id'];
  const pairs = `from matches where tenant_id = $1 and job_id = $2 and rule_set_id = $3 and decision = 'POSSIBLE'`;
  const owner = [tenantId, jobId, ruleSetId, max];
  const crowded = await client.query(`select 1 ${pairs} group by ${own} having count(*) > $4 limit 1`, owner);
  if (crowded.rows.length === 0) return { count: 0, scoreSum: 0 };
  // The statistics do not know the pairs of this job: a join of them with themselves could compare each with each.
  const { rows } = await client.query<CutPairs>(
    `with ranked as (
            select id, row_number() over (partition by ${own} order by score desc, ${other}) as place ${pairs}),
          gone as (
            delete from matches
             where tenant_id = $1 and id = any(array(select r.id from ranked r where r.place > $4))
            returning score)
     select count(*)::float8 as count, coalesce(sum(score), 0)::float8 as "scoreSum" from gone`,
    owner,
  );
  return rows[0] ?? { count: 0, scoreSum: 0 };
}
