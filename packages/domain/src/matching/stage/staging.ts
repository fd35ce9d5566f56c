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
import { directoryColumns, directoryTable, readDirectory, type Directory } from './directory';

/**
 * The table of an entry's snapshot: blocks of records that take part in pairs, each sorted by the block key. It is
 * unlogged: a database crash empties it, which the row counts of the job reveal, and the job is planned again.
 */
function stageTable(entryId: string): string {
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

/** Bucket and day of a row. */
type BlockKey = readonly [bucket: number, day: number];

/** A row of a stage: a block of records, or what a step of the job has found. */
export interface StageRow {
  /** A side number, or one of `stageSides`. */
  side: number;
  /** Together with `side` the key of the row. */
  run: number;
  block: number;
  rows: number;
  /** The keys of the first and the last row; none by default. */
  from?: BlockKey;
  to?: BlockKey;
  bytes: Uint8Array;
}

/** Names rows of a stage. */
export interface StageSelection {
  side: number;
  /** `run`: by run and block; `key`: by the key of the first row. */
  order: 'run' | 'key';
  /** SQL that leaves out rows without anything wanted; those that stay may have nothing wanted either. */
  narrowed?: string;
}

export interface StagedBytes {
  rows: number;
  /** Valid until the next row is read. */
  bytes: Buffer;
}

/**
 * The snapshot of an entry: blocks of its records, the directory of all of them, and what the steps of the job find.
 * `client` is the connection to its tables.
 */
export interface Stage {
  /** Adds a row, or replaces the one with its key, in the transaction of the client. @throws StageLostError */
  add(client: PoolClient, row: StageRow): Promise<void>;
  /** Streams rows. @throws StageLostError */
  read(client: PoolClient, selection: StageSelection): AsyncIterable<StagedBytes>;
  directory(client: PoolClient, side: Side): Promise<Directory>;
  /** @throws StageLostError unless the directory holds all records of the plan, which are this many */
  assertWhole(client: PoolClient, records: number): Promise<void>;
}

/** Writes one row. The bytes are needed until the result resolves. */
export function writeStageRow(stage: BinaryCopyWriter, row: StageRow): Promise<void> | void {
  stage.beginRow(9);
  stage.int2(row.side);
  stage.int4(row.run);
  stage.int4(row.block);
  stage.int4(row.rows);
  for (const [bucket, day] of [row.from ?? noKey, row.to ?? noKey]) {
    stage.int8(bucket);
    stage.int4(day);
  }
  stage.bytes(row.bytes);
  return stage.endRow();
}

const noKey: BlockKey = [0, 0];
const orders = { run: 'run, block', key: 'from_bucket, from_day, run' } as const;

/** The stage of an entry in its tables. */
export class StageTables implements Stage {
  constructor(private readonly entryId: string) {}

  async add(client: PoolClient, { side, run, block, rows, bytes }: StageRow): Promise<void> {
    try {
      await client.query({
        text: `insert into ${stageTable(this.entryId)}
            (side, run, block, row_count, from_bucket, from_day, to_bucket, to_day, data)
          values ($1, $2, $3, $4, 0, 0, 0, 0, $5)`,
        values: [side, run, block, rows, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
      });
    } catch (error) {
      throw lostWithStage(error);
    }
  }

  async *read(client: PoolClient, { side, order, narrowed = 'true' }: StageSelection): AsyncGenerator<StagedBytes> {
    try {
      const query = `select row_count, data from ${stageTable(this.entryId)}
        where side = ${side} and ${narrowed} order by ${orders[order]}`;
      for await (const found of streamRows(client, query, 2)) {
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

  directory(client: PoolClient, side: Side): Promise<Directory> {
    return readDirectory(client, this.entryId, side);
  }

  async assertWhole(client: PoolClient, records: number): Promise<void> {
    const table = directoryTable(this.entryId);
    const { rows: exists } = await client.query<{ found: boolean }>(`select to_regclass($1) is not null as found`, [
      table,
    ]);
    if (!exists[0]?.found) throw new StageLostError();
    const { rows } = await client.query<{ count: number }>(
      `select coalesce(sum(row_count), 0)::int as count from ${table}`,
    );
    if (rows[0]?.count !== records) throw new StageLostError();
  }
}

/** SQLSTATE of a missing table, and of a table with the columns of another version of this service. */
const lostStageCodes = new Set(['42P01', '42703']);

/** Turns the error of a statement on a missing stage into StageLostError. */
function lostWithStage(error: unknown): unknown {
  return lostStageCodes.has(String((error as { code?: unknown }).code)) ? new StageLostError() : error;
}

/** The stage does not hold the rows that the plan wrote: the database has recovered from a crash. */
export class StageLostError extends Error {
  constructor() {
    super('the snapshot of the job is gone');
  }
}
