import {
  asOwner,
  copyIn,
  streamRows,
  isLockTimeout,
  restrictTable,
  type BinaryCopyWriter,
  type PoolClient,
} from '@tieout/infra';
import { directoryColumns, directoryTable } from './directory';

/**
 * The snapshot that one rule set of one job reads: blocks of records that take part in pairs, each sorted by the block
 * key. Unlogged: a database crash empties it, which the counts kept with the job reveal, and the job is planned again.
 */
export function stageTable(entryId: string): string {
  return `staging.s_${entryId.replace(/-/g, '')}`;
}

export async function createStage(client: PoolClient, tenantId: string, entryId: string): Promise<void> {
  await dropStage(client, entryId);
  const table = stageTable(entryId);
  const directory = directoryTable(entryId);
  // What is written once and read by key range needs neither compression nor somebody who looks after it; ids hardly compress.
  const ddl = `create unlogged table ${table} (
      side smallint not null, run int not null, block int not null, row_count int not null,
      from_bucket bigint not null, from_day int not null, to_bucket bigint not null, to_day int not null,
      data bytea not null, primary key (side, run, block))
      with (autovacuum_enabled = false, toast.autovacuum_enabled = false);
    alter table ${table} alter column data set storage external;
    create unlogged table ${directory} (${directoryColumns});
    alter table ${directory} alter column ids set storage external;
    ${restrictTable(table, tenantId)};
    ${restrictTable(directory, tenantId)}`;
  await client.query(asOwner(client, ddl));
}

export function stageWriter(client: PoolClient, entryId: string): BinaryCopyWriter {
  return copyIn(
    client,
    `${stageTable(entryId)} (side, run, block, row_count, from_bucket, from_day, to_bucket, to_day, data)`,
  );
}

export async function dropStage(client: Pick<PoolClient, 'query'>, entryId: string): Promise<void> {
  await client.query(asOwner(client, dropTables(entryId)));
}

const dropTables = (entryId: string): string =>
  `drop table if exists ${stageTable(entryId)}, ${directoryTable(entryId)}`;

/** Of a transaction that drops a stage whose job is over: whoever reads it, as a dump of the database does, may do so for hours. */
export const patientForReaders = 'set local lock_timeout = 200';

/** What is not dropped because somebody reads it is left to a later sweep. */
export async function unlessRead(drop: () => Promise<unknown>): Promise<void> {
  try {
    await drop();
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

/** In a transaction of its own. */
export const dropStageUnlessRead = (client: Pick<PoolClient, 'query'>, entryId: string): Promise<void> =>
  unlessRead(() => client.query(`${patientForReaders}; ${asOwner(client, dropTables(entryId))}`));

/** What a row of the stage holds, by its column `side`: records of pairs (`sideNumber`), or what belongs to composition, which has no block key. */
export const stageSides = { facts: { left: 2, right: 3 }, proposals: 4 } as const;

/** Begins a row without a block key; its bytes follow. */
export function beginStageRow(
  stage: BinaryCopyWriter,
  { side, run, block, rows }: { side: number; run: number; block: number; rows: number },
): void {
  stage.beginRow(9);
  stage.int2(side);
  stage.int4(run);
  stage.int4(block);
  stage.int4(rows);
  stage.int8(0);
  stage.int4(0);
  stage.int8(0);
  stage.int4(0);
}

export interface StagedBytes {
  rows: number;
  /** Valid until the next ones are asked for. */
  bytes: Buffer;
}

/** Streams rows of a stage. `condition` is what follows `where`. @throws StageLostError */
export async function* stageBlocks(
  client: PoolClient,
  entryId: string,
  condition: string,
): AsyncGenerator<StagedBytes, void, void> {
  try {
    for await (const found of streamRows(
      client,
      `select row_count, data from ${stageTable(entryId)} where ${condition}`,
      2,
    )) {
      for (let row = 0; row < found.count; row++) {
        const at = found.start(row, 1);
        yield {
          rows: found.bytes.readInt32BE(found.start(row, 0)),
          bytes: found.bytes.subarray(at, at + found.length(row, 1)),
        };
      }
    }
  } catch (error) {
    throw lostWithStage(error);
  }
}

/** SQLSTATE of a table that is not there, and of one that another version of this service has made. */
const lostStage = new Set(['42P01', '42703']);

/** The error of a statement on the stage, which says so when the stage is gone. */
export function lostWithStage(error: unknown): unknown {
  return lostStage.has(String((error as { code?: unknown }).code)) ? new StageLostError() : error;
}

/** The stage is not what the plan wrote: the database came back from a crash. */
export class StageLostError extends Error {
  constructor() {
    super('the snapshot of the job is gone');
  }
}
