import type { Side } from '@tieout/engine';
import type { BinaryCopyWriter, PoolClient } from '@tieout/infra';
import { bytesPerId, writeDirectory, type RecordStates } from './directory';
import { KeptStage } from './kept-stages';
import { writeStageRow, type StageRow } from './staging';

interface StageOwner {
  /** The connection of the plan, in its transaction. */
  writer: PoolClient;
  tenantId: string;
  jobId: string;
  entryId: string;
}

/** The stage that a plan writes: in memory up to a number of bytes, and from then on in tables. */
export class StagePlan {
  private readonly memory: KeptStage;
  private bytes = 0;
  private copy: BinaryCopyWriter | undefined;
  /** Resolves when rows can be written to the tables. */
  private opening: Promise<void> | undefined;

  constructor(
    private readonly owner: StageOwner,
    private readonly maxKeptBytes: number,
  ) {
    this.memory = new KeptStage(owner.jobId, owner.entryId);
  }

  /** The stage, while it is in memory. */
  get kept(): KeptStage | undefined {
    return this.opening ? undefined : this.memory;
  }

  /** Makes the tables at once where nothing is to be kept in memory. */
  async begin(): Promise<void> {
    if (this.maxKeptBytes === 0) await this.open();
  }

  /** Adds a row. Its bytes are needed until the result resolves. */
  add(row: StageRow): Promise<void> | void {
    if (this.copy) return writeStageRow(this.copy, row);
    if (this.opening) return this.opening.then(() => this.add(row));
    if (this.fits(row.bytes.length)) return this.memory.put(row);
    return this.open().then(() => this.add(row));
  }

  /** Resolves when all rows are written; directories follow. */
  async end(): Promise<void> {
    await this.opening;
    await this.copy?.end();
  }

  async putDirectory(side: Side, directory: RecordStates): Promise<void> {
    const { writer, entryId } = this.owner;
    if (this.kept && !this.fits(directory.states.length * (bytesPerId + 1))) await this.store();
    if (this.kept) this.memory.putDirectory(side, directory);
    else await writeDirectory(writer, entryId, side, directory);
  }

  /** Moves a stage that has ended in memory to tables. */
  store(): Promise<void> {
    const { writer, tenantId } = this.owner;
    return (this.opening ??= this.memory.store(writer, tenantId));
  }

  private open(): Promise<void> {
    const { writer, tenantId } = this.owner;
    this.opening ??= this.memory.open(writer, tenantId).then((copy) => void (this.copy = copy));
    return this.opening;
  }

  private fits(bytes: number): boolean {
    this.bytes += bytes;
    return this.bytes <= this.maxKeptBytes;
  }
}
