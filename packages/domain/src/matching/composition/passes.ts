import type { RuleSetDefinition } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { hashJoins } from '../../kernel/sql';
import { decidingHash, itemsOfFullRun } from '../../reconciliations';
import { heldScale, type HeldRecords, type ReviewedComposite } from '../../results/composites';
import type { RecordPair } from '../../results/matches';

interface PassOwner {
  tenantId: string;
  jobId: string;
  ruleSetId: string;
}

/** Lists the records that completed passes of the same run have tied; none for a job that is no run. */
export async function takenByPasses(client: PoolClient, { tenantId, jobId, ruleSetId }: PassOwner): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with passes as materialized (
       select e.rule_set_id from job_rule_sets e join matching_jobs j on j.id = e.job_id
        where e.tenant_id = $1 and e.job_id = $2 and e.rule_set_id <> $3 and e.status = 'completed'
          and j.reconciliation_id is not null
     ), pairs as (
       select m.left_record_id, m.right_record_id from matches m
        where m.tenant_id = $1 and m.job_id = $2 and m.decision = 'MATCH'
          and m.rule_set_id in (select rule_set_id from passes)
     ), composites as (
       select c.id, c.target_record_id from composite_matches c
        where c.tenant_id = $1 and c.job_id = $2 and c.decision = 'MATCH'
          and c.rule_set_id in (select rule_set_id from passes)
     )
     select left_record_id::text as id from pairs union all select right_record_id::text from pairs
     union all select target_record_id::text from composites
     union all select m.record_id::text from composites c
       join composite_members m on m.tenant_id = $1 and m.composite_id = c.id`,
    [tenantId, jobId, ruleSetId],
  );
  return rows.map(({ id }) => id);
}

/** Records that people released from each other, and that the pass does not tie again as a whole. */
export interface ReleasedRecords {
  /** Null for a job that is no run: then there are none. */
  reconciliationId: string | null;
  pairs: RecordPair[];
  composites: ReviewedComposite[];
}

/** Reads what people released, as far as the pass decides as it did then; nothing for a job that is no run. */
export async function readReleased(
  client: PoolClient,
  { tenantId, jobId, ruleSetId }: PassOwner,
): Promise<ReleasedRecords> {
  const released: ReleasedRecords = { reconciliationId: null, pairs: [], composites: [] };
  const { rows: entries } = await client.query<{
    reconciliationId: string;
    definition: RuleSetDefinition;
    leftDatasetId: string;
    rightDatasetId: string;
    hasReleased: boolean;
  }>(
    `select j.reconciliation_id::text as "reconciliationId", e.definition, e.left_dataset_id::text as "leftDatasetId",
            e.right_dataset_id::text as "rightDatasetId",
            exists (select 1 from released_sets r
                     where r.tenant_id = $1 and r.reconciliation_id = j.reconciliation_id) as "hasReleased"
       from job_rule_sets e join matching_jobs j on j.id = e.job_id
      where e.tenant_id = $1 and e.job_id = $2 and e.rule_set_id = $3 and j.reconciliation_id is not null`,
    [tenantId, jobId, ruleSetId],
  );
  const [entry] = entries;
  if (!entry) return released;
  released.reconciliationId = entry.reconciliationId;
  if (!entry.hasReleased) return released;
  const { rows } = await client.query<{ left: string[]; right: string[] }>(
    `select array_agg(m.record_id::text order by m.position) filter (where m.side = 0) as left,
            array_agg(m.record_id::text order by m.position) filter (where m.side = 1) as right
       from released_sets r join match_group_members m on m.tenant_id = $1 and m.group_id = r.group_id
      where r.tenant_id = $1 and r.reconciliation_id = $2 and r.deciding_hash = $3
      group by r.set_hash, r.group_id`,
    [tenantId, entry.reconciliationId, Buffer.from(decidingHash(entry), 'hex')],
  );
  for (const { left, right } of rows) add(released, left ?? [], right ?? []);
  return released;
}

/** Reads, for items of a run that groups hold in part, the held amounts as signed units. */
export async function heldParts(
  client: PoolClient,
  { tenantId, jobId }: Pick<PassOwner, 'tenantId' | 'jobId'>,
  reconciliationId: string,
): Promise<HeldRecords['parts']> {
  const { rows: full } = await client.query(
    `select 1 from matching_jobs where tenant_id = $1 and id = $2 and mode = 'full'`,
    [tenantId, jobId],
  );
  const closed = `(select j.closed_periods from matching_jobs j where j.tenant_id = $1 and j.id = $3)`;
  const items =
    full.length === 0
      ? `(select * from reconciliation_items i
           where i.tenant_id = $1 and i.reconciliation_id = $2 and i.open and $3::uuid is not null)`
      : itemsOfFullRun({ tenantId: '$1', reconciliationId: '$2', closed });
  await client.query(hashJoins.begin);
  const { rows } = await client.query<{ id: string; side: number; held: string }>(
    `select record_id::text as id, side::int as side, (held * 10 ^ ${heldScale})::numeric(28, 0)::text as held
       from ${items} i where held <> 0`,
    [tenantId, reconciliationId, jobId],
  );
  await client.query(hashJoins.end);
  const on = (side: number): Map<string, bigint> =>
    new Map(rows.flatMap((row) => (row.side === side ? [[row.id, BigInt(row.held)]] : [])));
  return { left: on(0), right: on(1) };
}

function add(released: ReleasedRecords, left: readonly string[], right: readonly string[]): void {
  const [one, other] = left.length + right.length === 2 ? [...left, ...right] : [];
  if (one !== undefined && other !== undefined) {
    released.pairs.push({ leftRecordId: one, rightRecordId: other }, { leftRecordId: other, rightRecordId: one });
    return;
  }
  const composite = { status: 'COMPLETE', composedAmount: 0, heldBefore: 0 } as const;
  const [target] = left.length === 1 ? left : right;
  if (target === undefined || (left.length !== 1 && right.length !== 1)) return;
  released.composites.push({
    ...composite,
    direction: left.length === 1 ? 'one_to_many' : 'many_to_one',
    targetRecordId: target,
    memberRecordIds: left.length === 1 ? [...right] : [...left],
  });
}
