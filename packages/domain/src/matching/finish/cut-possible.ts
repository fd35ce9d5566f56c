import { effectiveParams, type Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { EntryOwner } from '../../results/matches';
import { sideNumber } from '../../results/unmatched';
import { readBlock } from '../stage/block';
import { bytesPerId } from '../stage/directory';
import { ownerOf, stageOf, type FinishEntry, type FinishRun } from './run';

export interface CutPairs {
  count: number;
  scoreSum: number;
  /** Ids of the records that lost a pair because others had better pairs, 16 bytes each. */
  records: Record<Side, Buffer>;
}

export const nothingCut: CutPairs = {
  count: 0,
  scoreSum: 0,
  records: { left: Buffer.alloc(0), right: Buffer.alloc(0) },
};

/**
 * Completes the cut of the batches: each of them keeps the pairs that are among the best ones of their left record so
 * far, so that what is left of a record depends on their order. It comes before pairs are taken out for other reasons.
 */
export async function cutLikeBatches(run: FinishRun, entry: FinishEntry): Promise<CutPairs> {
  const cut = { ...nothingCut, records: { ...nothingCut.records } };
  await cutBeyondBest(run, entry, cut, { sides: ['left'], below: entry.definition.params.Tmatch });
  await noteCut(run, entry, cut);
  return cut;
}

/**
 * Deletes the POSSIBLE pairs of an entry beyond the best ones of each record, with those that the assignment has made
 * POSSIBLE: first by left record, then of the rest by right record.
 * @param earlier what `cutLikeBatches` has cut
 * @returns all that was cut, by batches too
 */
export async function cutPossible(run: FinishRun, entry: FinishEntry, earlier: CutPairs): Promise<CutPairs> {
  const { client, scope } = run;
  const { rows } = await client.query<{ count: number; scoreSum: number; possible: number }>(
    `select coalesce(sum(possible_cut), 0)::float8 as count, coalesce(sum(possible_cut_score), 0)::float8 as "scoreSum",
            (coalesce(sum(possible - possible_cut), 0)
              + (select demoted from job_rule_sets where tenant_id = $1 and id = $2))::float8 as possible
       from job_batches where tenant_id = $1 and entry_id = $2`,
    [scope.tenantId, entry.id],
  );
  const { count = 0, scoreSum = 0, possible = 0 } = rows[0] ?? {};
  const right = count > 0 ? await rightsOfBatches(run, entry) : nothingCut.records.right;
  const { records } = earlier;
  const cut = { count, scoreSum, records: { left: records.left, right: Buffer.concat([records.right, right]) } };
  if (possible > maxOf(entry)) await cutBeyondBest(run, entry, cut, { sides: ['left', 'right'], below: Infinity });
  await noteCut(run, entry, cut);
  return cut;
}

const maxOf = ({ definition }: FinishEntry): number => effectiveParams(definition).maxPossiblePerRecord;

/** Adds what it cuts of pairs below a score to `cut`. */
async function cutBeyondBest(
  run: FinishRun,
  entry: FinishEntry,
  cut: CutPairs,
  { sides, below }: { sides: readonly Side[]; below: number },
): Promise<void> {
  for (const side of sides) {
    const gone = await cutBySide(run.client, ownerOf(run, entry), { side, max: maxOf(entry), below });
    cut.count += gone.count;
    cut.scoreSum += gone.scoreSum;
    const other = otherSide[side];
    cut.records[other] = Buffer.concat([cut.records[other], gone.others]);
  }
}

/** Adds what was cut to the counts of an entry. */
async function noteCut({ client, scope }: FinishRun, entry: FinishEntry, cut: CutPairs): Promise<void> {
  if (cut.count === 0) return;
  await client.query(
    `update job_rule_sets set withheld_possible = withheld_possible + $3, withheld_score = withheld_score + $4,
            possible_cut = possible_cut + $3
      where tenant_id = $1 and id = $2`,
    [scope.tenantId, entry.id, cut.count, cut.scoreSum],
  );
}

/** Reads the ids of the right records of pairs that batches have cut. */
async function rightsOfBatches(run: FinishRun, entry: FinishEntry): Promise<Buffer> {
  const { client } = run;
  const [tenantId, entryId] = [run.scope.tenantId, entry.id];
  let cut: Buffer = Buffer.alloc(0);
  const { rows: batches } = await client.query<{ batchNo: number }>(
    `select batch_no as "batchNo" from job_batches
      where tenant_id = $1 and entry_id = $2 and cut_rights is not null order by batch_no`,
    [tenantId, entryId],
  );
  for (const { batchNo } of batches) {
    const { rows } = await client.query<{ cutRights: Buffer }>(
      `select cut_rights as "cutRights" from job_batches where tenant_id = $1 and entry_id = $2 and batch_no = $3`,
      [tenantId, entryId, batchNo],
    );
    const own = rows[0]?.cutRights ?? cut;
    const [longer, shorter] = own.length > cut.length ? [own, cut] : [cut, own];
    for (let at = 0; at < shorter.length; at++) longer[at] = (longer[at] as number) | (shorter[at] as number);
    cut = longer;
  }
  const found: Buffer[] = [];
  for await (const { rows, bytes } of stageOf(run, entry).read(client, { side: sideNumber.right, order: 'run' })) {
    const { seq, ids } = readBlock(bytes, rows);
    for (let row = 0; row < rows; row++) {
      const bit = seq[row] as number;
      if (((cut[bit >>> 3] ?? 0) & (1 << (bit & 7))) === 0) continue;
      found.push(Buffer.from(ids.subarray(row * bytesPerId, (row + 1) * bytesPerId)));
    }
  }
  return Buffer.concat(found);
}

const otherSide = { left: 'right', right: 'left' } as const;

/** The records of the other side lose pairs, and may lose all of them. */
interface CutOfSide {
  count: number;
  scoreSum: number;
  others: Buffer;
}

async function cutBySide(
  client: PoolClient,
  { tenantId, jobId, ruleSetId }: EntryOwner,
  { side, max, below }: { side: Side; max: number; below: number },
): Promise<CutOfSide> {
  const [own, other] = side === 'left' ? ['left_record_id', 'right_record_id'] : ['right_record_id', 'left_record_id'];
  const pairs = `from matches where tenant_id = $1 and job_id = $2 and rule_set_id = $3 and decision = 'POSSIBLE'
    and score < $5`;
  const owner = [tenantId, jobId, ruleSetId, max, below];
  const crowded = await client.query(`select 1 ${pairs} group by ${own} having count(*) > $4 limit 1`, owner);
  const none = { count: 0, scoreSum: 0, others: Buffer.alloc(0) };
  if (crowded.rows.length === 0) return none;
  // The statistics do not know the pairs of this job: a join of them with themselves could compare each with each.
  const { rows } = await client.query<CutOfSide>(
    `with ranked as (
            select id, row_number() over (partition by ${own} order by score desc, ${other}) as place ${pairs}),
          gone as (
            delete from matches
             where tenant_id = $1 and id = any(array(select r.id from ranked r where r.place > $4))
            returning score, ${other} as other)
     select count(*)::float8 as count, coalesce(sum(score), 0)::float8 as "scoreSum",
            coalesce((select string_agg(uuid_send(o.other), '') from (select distinct other from gone) o), '') as others
       from gone`,
    owner,
  );
  return rows[0] ?? none;
}
