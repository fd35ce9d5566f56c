import { copyInBinary, type BinaryCopyWriter, type PoolClient } from '@tieout/infra';
import { createDirectory, directoryTable } from './stage/directory';

/**
 * The snapshot that one rule set of one job reads: blocks of records that take part in pairs, each sorted by the block
 * key. Unlogged: a database crash empties it, which the counts kept with the job reveal, and the job is planned again.
 */
export function stageTable(entryId: string): string {
  return `staging.s_${entryId.replace(/-/g, '')}`;
}

export async function createStage(client: PoolClient, entryId: string): Promise<void> {
  await dropStage(client, entryId);
  const table = stageTable(entryId);
  // What is written once and read by key range needs neither compression nor somebody who looks after it.
  await client.query(
    `create unlogged table ${table} (
       side smallint not null, run int not null, block int not null, row_count int not null,
       from_bucket bigint not null, from_day int not null, to_bucket bigint not null, to_day int not null,
       data bytea not null, primary key (side, run, block))
     with (autovacuum_enabled = false, toast.autovacuum_enabled = false);
     alter table ${table} alter column data set storage external`,
  );
  await createDirectory(client, entryId);
}

export function stageWriter(client: PoolClient, entryId: string): BinaryCopyWriter {
  return copyInBinary(client, `${stageTable(entryId)} (side, run, block, row_count, from_bucket, from_day, to_bucket, to_day, data)`);
}

export async function dropStage(client: Pick<PoolClient, 'query'>, entryId: string): Promise<void> {
  await client.query(`drop table if exists ${stageTable(entryId)}, ${directoryTable(entryId)}`);
}

/** The stage is not what the plan wrote: the database came back from a crash. */
export class StageLostError extends Error {
  constructor() {
    super('the snapshot of the job is gone');
  }
}
