import { copyIn, type CopyWriter, type PoolClient } from '@tieout/infra';
import { createDirectory, directoryTable } from './stage/directory';

export { sideNumber } from './stage/directory';

/**
 * The snapshot that one rule set of one job reads. Unlogged: a database crash empties it, which the row counts
 * kept with the job reveal, and the job is planned again. `seq` numbers the records of a side in id order;
 * `day` is the block key's (0 without date blocking), `own_day` the record's.
 */
export function stageTable(entryId: string): string {
  return `staging.s_${entryId.replace(/-/g, '')}`;
}

/** Records without a single candidate: (side, seq). */
export function noCandidateTable(entryId: string): string {
  return `staging.n_${entryId.replace(/-/g, '')}`;
}

/** Why a staged record takes part in no pair. */
export type ExclusionReason = 'failed' | 'filtered' | 'unblocked';

export async function createStage(client: PoolClient, entryId: string): Promise<void> {
  await dropStage(client, entryId);
  await client.query(
    `create unlogged table ${stageTable(entryId)} (
       side smallint not null, seq int not null, bucket bigint, day int, record_id uuid not null,
       units bigint, scale smallint, own_day int, reason text, value text)`,
  );
  await client.query(`create unlogged table ${noCandidateTable(entryId)} (side smallint not null, seq int not null)`);
  await createDirectory(client, entryId);
}

export function stageWriter(client: PoolClient, entryId: string): CopyWriter {
  return copyIn(client, `${stageTable(entryId)} (side, seq, bucket, day, record_id, units, scale, own_day, reason, value)`);
}

/** Batches read by (side, bucket, day, seq); without statistics the planner might scan the table for each of them. */
export async function indexStage(client: PoolClient, entryId: string): Promise<void> {
  const table = stageTable(entryId);
  await client.query(`create index on ${table} (side, bucket, day, seq) where reason is null`);
  await client.query(`analyze ${table}`);
}

export async function dropStage(client: Pick<PoolClient, 'query'>, entryId: string): Promise<void> {
  await client.query(`drop table if exists ${stageTable(entryId)}, ${noCandidateTable(entryId)}, ${directoryTable(entryId)}`);
}

/** The stage is not what the plan wrote: the database came back from a crash. */
export class StageLostError extends Error {
  constructor() {
    super('the snapshot of the job is gone');
  }
}
