import { noDay, unitsAt, type CompiledRuleSet, type Side } from '@tieout/engine';
import { readId, type PoolClient } from '@tieout/infra';
import type { OnStep, RunningCheck } from '../jobs/context';
import type { JobLimits } from '../jobs/limits';
import { readBlock, type Block } from '../stage/block';
import { SideColumns } from '../stage/columns';
import { bytesPerId, directoryOf, orderOfIds, recordState, type Directory } from '../stage/directory';
import { FactsBuffer } from '../stage/facts';
import { Rows, type RowsOptions } from '../stage/rows';
import { RunBuffer } from '../stage/run';
import type { FieldRange } from '../stage/side-query';
import { stageSide, type FilterFailure, type SidePlan } from '../stage/stage-side';

/** The records of a side take more memory than a trial may use. */
export class TrialTooLargeError extends Error {
  constructor(readonly side: Side) {
    super('the records of a trial take too much memory');
  }
}

interface HeldSideSource {
  tenantId: string;
  compiled: CompiledRuleSet;
  side: Side;
  datasetId: string;
  share: number;
  /** Reads no others. */
  within?: FieldRange | undefined;
  reader: PoolClient;
  limits: JobLimits;
  maxBytes: number;
  /** The other side, where both are one dataset: its ranks hold for this one too. */
  same?: HeldSide | undefined;
  onFilterError: (failure: FilterFailure) => void;
  onFiltered: (tookMs: number) => void;
  onStep: OnStep;
  check: RunningCheck;
}

interface HeldFacts {
  rows: number;
  blocks: { rows: number; bytes: Uint8Array }[];
}

/** Holds the snapshot of one side in memory, in the blocks in which a job stages it. */
export class HeldSide {
  /** Rank of each record in the order of ids, by seq. */
  readonly rank: Uint32Array;
  readonly directory: Directory;
  /** 1 for the ranks of the records that were read. */
  private readonly present: Uint8Array;
  /** The states of the records before pairs were planned. */
  private readonly initial: Uint8Array;

  private constructor(
    readonly plan: SidePlan,
    readonly blocks: readonly Block[],
    /** Facts for composition. */
    readonly facts: HeldFacts,
    same: HeldSide | undefined,
  ) {
    const { columns } = plan;
    const { length } = columns;
    const bytes = Buffer.from(columns.ids.buffer);
    this.rank = new Uint32Array(length);
    if (same) {
      this.directory = same.directory;
      for (let seq = 0; seq < length; seq++)
        this.rank[seq] = Math.max(0, this.directory.seqAt(bytes, seq * bytesPerId));
    } else {
      const order = orderOfIds(bytes, length);
      for (let place = 0; place < length; place++) this.rank[order?.[place] ?? place] = place;
      const { ids, states } = columns.byId();
      this.directory = directoryOf(Buffer.from(ids), Uint8Array.from(states));
    }
    this.present = new Uint8Array(this.length);
    for (const rank of this.rank) this.present[rank] = 1;
    this.initial = columns.state.slice(0, length);
  }

  /** @throws TrialTooLargeError */
  static async read({ maxBytes, same, ...source }: HeldSideSource): Promise<HeldSide> {
    const blocks: Block[] = [];
    let bytes = 0;
    const hold = (side: Side, more: number): void => {
      bytes += more;
      if (bytes > maxBytes) throw new TrialTooLargeError(side);
    };
    const facts: HeldFacts = { rows: 0, blocks: [] };
    const buffer = new FactsBuffer(source.side, source.limits.factRows);
    const plan = await stageSide({
      ...source,
      run: new RunBuffer(source.limits),
      columns: new SideColumns(),
      reconciliationId: null,
      closedPeriods: null,
      facts: source.compiled.composition && {
        buffer,
        flush: (isEnd) => {
          for (const block of buffer.takeBlocks(isEnd)) {
            hold(source.side, block.bytes.length);
            facts.blocks.push(block);
            facts.rows += block.rows;
          }
        },
      },
      onBlock: (side, block) => {
        hold(side, block.bytes.length);
        blocks.push(readBlock(block.bytes, block.rows));
      },
    });
    return new HeldSide(plan, blocks, facts, same);
  }

  /** Number of ranks: more than the records of a sample where both sides are one dataset. */
  get length(): number {
    return this.directory.length;
  }

  /** Returns whether the record of a rank was read. */
  has(rank: number): boolean {
    return this.present[rank] === 1;
  }

  /** Restores the states from before planning. */
  reset(): void {
    this.plan.columns.state.set(this.initial);
  }

  /** Returns the states of the records after planning, in the order of their ids. */
  statesByRank(): Uint8Array {
    const { state } = this.plan.columns;
    const states = new Uint8Array(this.length).fill(recordState.failed);
    for (let seq = 0; seq < this.rank.length; seq++) states[this.rank[seq] as number] = state[seq] as number;
    return states;
  }

  idOf(rank: number): string {
    return readId(this.directory.ids, rank * bytesPerId);
  }

  /** Returns the rows that may have pairs, in chunks of bounded size, each in key order. */
  *rows(options: RowsOptions, { chunkRows, chunkBytes }: Pick<JobLimits, 'chunkRows' | 'chunkBytes'>): Generator<Rows> {
    const { state } = this.plan.columns;
    let chunk = new Rows(options);
    for (const block of this.blocks) {
      chunk.take(block, ({ seq }, row) => state[seq[row] as number] === recordState.candidate);
      if (chunk.length < chunkRows && chunk.weight < chunkBytes) continue;
      chunk.sort();
      yield chunk;
      chunk = new Rows(options);
    }
    if (chunk.length === 0) return;
    chunk.sort();
    yield chunk;
  }

  /** Returns day and amount of each record by rank: `noDay` and NaN without one. */
  readings(amountScale: number): { days: Int32Array; units: Float64Array } {
    const days = new Int32Array(this.length).fill(noDay);
    const units = new Float64Array(this.length).fill(NaN);
    for (const block of this.blocks)
      for (let row = 0; row < block.rows; row++) {
        const at = this.rank[block.seq[row] as number] as number;
        days[at] = block.ownDay[row] as number;
        units[at] = unitsAt(block, row, amountScale);
      }
    return { days, units };
  }
}
