import type { NearestSearch, Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { cpuMs } from '../jobs/context';
import { NearestBlock } from '../stage/nearest-block';
import type { Stage } from '../stage/staging';
import type { Rows } from '../stage/rows';
import type { ComparedChunk, NearestSearcher } from './score';

/** CPU time of a batch for nearest pairs: much where a job has few pairs, a few percent where it has many. */
const maxMs = { few: 1_500, many: 30 } as const;
const fewPairs = 4_000_000;
/** Pairs between two looks at the clock, and pairs that a record begins with. */
const stepPairs = 8_192;
const firstPairs = 8;

/**
 * Finds the best pairs of the records of a batch that have no pair of Tpossible. It scores their pairs a second time,
 * without a threshold: the first time, scoring stops once a pair cannot reach Tpossible, which gives a job most of its
 * speed. Nothing that it finds is counted or stored as a match.
 */
export class NearestFinder implements NearestSearcher {
  private readonly found = { left: new NearestBlock(), right: new NearestBlock() };
  private readonly maxMs: number;
  private isSpent = false;
  private untilStep = stepPairs;
  private startedMs = 0;
  private tookMs = 0;

  /** @param jobPairs pairs of all batches of the entry */
  constructor(jobPairs: number) {
    this.maxMs = jobPairs <= fewPairs ? maxMs.few : maxMs.many;
  }

  /** Searches the pairs of a chunk that was compared. */
  async find(chunk: ComparedChunk): Promise<void> {
    const { lefts, rights, hasKept } = chunk;
    const hasOpenRight = hasKept.right.includes(0);
    if (this.isSpent || (!hasOpenRight && !hasKept.left.includes(0))) return;
    this.startedMs = cpuMs();
    const search = chunk.batch.openNearest();
    const candidates = chunk.candidatesAmong(lefts, rights);
    for (let left = 0; left < lefts.length && !this.isSpent; left++) {
      if (!hasOpenRight && hasKept.left[left] === 1) continue;
      candidates.seek(left);
      let pairs = firstPairs;
      for (let range = 0; range < candidates.count; range++) {
        const to = candidates.to[range] as number;
        for (let from = candidates.from[range] as number; from < to && !this.isSpent;) {
          const isOpen = hasKept.left[left] === 0 && !search.hasBest('left', left);
          if (!isOpen && (hasKept.right[from] === 1 || search.hasBest('right', from))) {
            from++;
            continue;
          }
          const past = isOpen ? Math.min(to, from + pairs) : from + 1;
          const next = search.score(left, from, past);
          if (next === null) {
            this.isSpent = true;
            break;
          }
          const isStep = this.spend(next - from) || next < past;
          from = next;
          pairs = Math.min(2 * pairs, stepPairs);
          if (!isStep) continue;
          this.lookAtClock();
          chunk.onStep();
          const checking = chunk.check();
          if (checking) await checking;
        }
      }
    }
    this.lookAtClock();
    this.note(search, chunk);
  }

  /** Stages the pairs found. @param batchNo the batch of their records */
  async write(client: PoolClient, stage: Stage, batchNo: number): Promise<void> {
    for (const side of ['left', 'right'] as const) await this.found[side].write(client, stage, { side, batchNo });
  }

  /** Returns whether a step is due. */
  private spend(pairs: number): boolean {
    this.untilStep -= pairs;
    if (this.untilStep > 0) return false;
    this.untilStep = stepPairs;
    return true;
  }

  private lookAtClock(): void {
    const nowMs = cpuMs();
    this.tookMs += nowMs - this.startedMs;
    this.startedMs = nowMs;
    if (this.tookMs > this.maxMs) this.isSpent = true;
  }

  private note(search: NearestSearch, { lefts, rights, hasKept }: ComparedChunk): void {
    const note = (side: Side, own: Rows, others: Rows): void => {
      const best = search[side];
      for (let row = 0; row < own.length; row++) {
        const partner = hasKept[side][row] === 1 ? -1 : best.partnerOf(row);
        if (partner === -1) continue;
        const pair = { score: best.scoreOf(row), values: best.valuesOf(row) };
        this.found[side].add([own.idsOf(row), own.idAt(row)], [others.idsOf(partner), others.idAt(partner)], pair);
      }
    };
    note('left', lefts, rights);
    note('right', rights, lefts);
  }
}
