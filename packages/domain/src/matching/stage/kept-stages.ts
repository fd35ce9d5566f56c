import type { Side } from '@tieout/engine';
import type { BinaryCopyWriter, PoolClient } from '@tieout/infra';
import { asBuffer, directoryOf, writeDirectory, type Directory, type RecordStates } from './directory';
import {
  createStage,
  StageLostError,
  stageWriter,
  StageTables,
  writeStageRow,
  type Stage,
  type StagedBytes,
  type StageRow,
  type StageSelection,
} from './staging';

/** Names one snapshot of one entry. */
export const snapshotKey = (entryId: string, plannedAt: Date): string => `${entryId} ${plannedAt.toISOString()}`;

type OwnRow = Omit<StageRow, 'bytes'> & { bytes: Buffer };

const compareRuns = (a: StageRow, b: StageRow): number => a.run - b.run || a.block - b.block;
const comparers = {
  run: compareRuns,
  key: (a: StageRow, b: StageRow): number =>
    (a.from?.[0] ?? 0) - (b.from?.[0] ?? 0) || (a.from?.[1] ?? 0) - (b.from?.[1] ?? 0) || compareRuns(a, b),
};

/** The stage of an entry in memory: making and dropping its tables would take longer than the rest of a small job. */
export class KeptStage implements Stage {
  private readonly rows = new Map<string, OwnRow>();
  private readonly directories = new Map<Side, Directory>();

  constructor(
    readonly jobId: string,
    readonly entryId: string,
  ) {}

  /** Adds a copy of a row. */
  put(row: StageRow): void {
    this.rows.set(`${row.side} ${row.run} ${row.block}`, { ...row, bytes: Buffer.from(row.bytes) });
  }

  /** Adds a copy of the directory of a side. */
  putDirectory(side: Side, { ids, states }: RecordStates): void {
    this.directories.set(side, directoryOf(Buffer.from(ids), Uint8Array.from(states)));
  }

  add(_client: PoolClient, row: StageRow): Promise<void> {
    this.put(row);
    return Promise.resolve();
  }

  async *read(_client: PoolClient, { side, order }: StageSelection): AsyncGenerator<StagedBytes> {
    yield* [...this.rows.values()].filter((row) => row.side === side).sort(comparers[order]);
  }

  directory(_client: PoolClient, side: Side): Promise<Directory> {
    return Promise.resolve(this.sideOf(side));
  }

  assertWhole(_client: PoolClient, records: number): Promise<void> {
    if (this.sideOf('left').length + this.sideOf('right').length !== records) throw new StageLostError();
    return Promise.resolve();
  }

  /** Makes the tables of the stage and opens a writer to them, which has written the rows. */
  async open(client: PoolClient, tenantId: string): Promise<BinaryCopyWriter> {
    await createStage(client, tenantId, this.entryId);
    const copy = stageWriter(client, this.entryId);
    for (const row of this.rows.values()) await writeStageRow(copy, row);
    return copy;
  }

  /** Moves the stage to tables. */
  async store(client: PoolClient, tenantId: string): Promise<void> {
    await (await this.open(client, tenantId)).end();
    for (const [side, directory] of this.directories) await writeDirectory(client, this.entryId, side, directory);
  }

  private sideOf(side: Side): Directory {
    return this.directories.get(side) ?? directoryOf(asBuffer(new Uint8Array(0)), new Uint8Array(0));
  }
}

/**
 * The stages that this process keeps in memory while it works a small job as a whole. A process that dies takes them
 * along, and the job is planned again, as after a crash of the database. Work that other processes take over finds the
 * stages in tables: see `share`.
 */
export class KeptStages {
  private readonly kept = new Map<string, KeptStage>();

  /** Returns the stage of a snapshot: the one in memory, or that in tables. */
  of(entryId: string, plannedAt: Date): Stage {
    return this.kept.get(snapshotKey(entryId, plannedAt)) ?? new StageTables(entryId);
  }

  /** Returns whether this process works the job, a small one, as a whole. */
  has(jobId: string): boolean {
    return [...this.kept.values()].some((stage) => stage.jobId === jobId);
  }

  keep(stages: readonly KeptStage[], plannedAt: Date): void {
    for (const stage of stages) this.kept.set(snapshotKey(stage.entryId, plannedAt), stage);
  }

  /** Moves the stages of a job to tables, in the transaction of the client. */
  async share(client: PoolClient, { tenantId, jobId }: { tenantId: string; jobId: string }): Promise<void> {
    for (const stage of this.forget(jobId)) await stage.store(client, tenantId);
  }

  /** Drops the stages of a job, and returns them. */
  forget(jobId: string): KeptStage[] {
    const own = [...this.kept].filter(([, stage]) => stage.jobId === jobId);
    for (const [key] of own) this.kept.delete(key);
    return own.map(([, stage]) => stage);
  }
}
