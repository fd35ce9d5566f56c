import type { Side } from '@tieout/engine';
import {
  asOwner,
  copyIn,
  streamRows,
  isLockTimeout,
  restrictTable,
  type BinaryCopyWriter,
  type PoolClient,
} from '@tieout/infra';
import { sideNumber } from '../../results/unmatched';
import { directoryColumns, directoryTable } from './directory';
import type { RunBlock } from './run';

/**
 * The table of an entry's snapshot: blocks of records that take part in pairs, each sorted by the block key. It is
 * unlogged: a database crash empties it, which the row counts of the job reveal, and the job is planned again.
 */
export function stageTable(entryId: string): string {
  return `staging.s_${entryId.replace(/-/g, '')}`;
}

export async function createStage(client: PoolClient, tenantId: string, entryId: string): Promise<void> {
  await dropStage(client, entryId);
  const table = stageTable(entryId);
  const directory = directoryTable(entryId);
  // Blocks are written once and read by key range: they need no vacuum, and compression would cost more than it saves.
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

async function dropStage(client: Pick<PoolClient, 'query'>, entryId: string): Promise<void> {
  await client.query(asOwner(client, dropTables(entryId)));
}

const dropTables = (entryId: string): string =>
  `drop table if exists ${stageTable(entryId)}, ${directoryTable(entryId)}`;

/**
 * Limits the wait of a transaction that drops the stage of an ended job: a dump of the database may read it for hours.
 */
export const shortLockTimeout = 'set local lock_timeout = 200';

/** Runs a drop, and leaves a locked table to a later sweep. */
export async function skipIfLocked(drop: () => Promise<unknown>): Promise<void> {
  try {
    await drop();
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
  }
}

/** Drops a stage in its own transaction, unless it is locked. */
export const dropStageUnlessLocked = (client: Pick<PoolClient, 'query'>, entryId: string): Promise<void> =>
  skipIfLocked(() => client.query(`${shortLockTimeout}; ${asOwner(client, dropTables(entryId))}`));

/**
 * Values of the column `side` other than `sideNumber`, which marks records of pairs. Rows of composition have no block
 * key.
 */
export const stageSides = {
  facts: { left: 2, right: 3 },
  proposals: 4,
  lists: 5,
  nearest: { left: 6, right: 7 },
} as const;

interface StageRow {
  side: number;
  run: number;
  block: number;
  rows: number;
  /** The buckets of the first and the last row; none by default. */
  fromBucket?: number;
  toBucket?: number;
}

/** Begins a row; its bytes follow. */
export function beginStageRow(
  stage: BinaryCopyWriter,
  { side, run, block, rows, fromBucket = 0, toBucket = 0 }: StageRow,
): void {
  stage.beginRow(9);
  stage.int2(side);
  stage.int4(run);
  stage.int4(block);
  stage.int4(rows);
  stage.int8(fromBucket);
  stage.int4(0);
  stage.int8(toBucket);
  stage.int4(0);
}

/** Writes a block of records of a side. */
export function writeRunBlock(
  stage: BinaryCopyWriter,
  side: Side,
  { run, block, rows, from, to, bytes }: RunBlock,
): Promise<void> | void {
  stage.beginRow(9);
  stage.int2(sideNumber[side]);
  stage.int4(run);
  stage.int4(block);
  stage.int4(rows);
  for (const [bucket, day] of [from, to]) {
    stage.int8(bucket);
    stage.int4(day);
  }
  stage.bytes(bytes);
  return stage.endRow();
}

export interface StagedBytes {
  rows: number;
  /** Valid until the next row is read. */
  bytes: Buffer;
}

/** Streams rows of a stage. @param condition follows `where` @throws StageLostError */
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

/** SQLSTATE of a missing table, and of a table with the columns of another version of this service. */
const lostStageCodes = new Set(['42P01', '42703']);

/** Turns the error of a statement on a missing stage into StageLostError. */
export function lostWithStage(error: unknown): unknown {
  return lostStageCodes.has(String((error as { code?: unknown }).code)) ? new StageLostError() : error;
}

/** The stage does not hold the rows that the plan wrote: the database has recovered from a crash. */
export class StageLostError extends Error {
  constructor() {
    super('the snapshot of the job is gone');
  }
}
