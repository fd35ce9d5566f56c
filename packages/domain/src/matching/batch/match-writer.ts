import { type KeptPairs, sortedOrder } from '@tieout/engine';
import { copyInto, newIdBytes, writeId, type BinaryCopyWriter, type PoolClient } from '@tieout/infra';
import type { Rows } from '../stage/rows';
import type { PossibleBound } from './possible-bound';

interface MatchOwner {
  tenantId: string;
  jobId: string;
  ruleSetId: string;
}

/** Returns one more member of a pair's explanation, as JSON text. */
export type PairNote = (leftRow: number, rightSeq: number) => string;

const columns = 'id, tenant_id, job_id, rule_set_id, left_record_id, right_record_id, score, decision, explanation';

/**
 * Writes kept pairs as rows of `matches`, each group in the order of the left records, which is fastest for the
 * indexes.
 */
export class MatchWriter {
  private readonly copy: BinaryCopyWriter;
  private readonly id = Buffer.alloc(16);
  private readonly owner: readonly Buffer[];

  constructor(
    client: PoolClient,
    owner: MatchOwner,
    private readonly bound: PossibleBound,
    private readonly noteOf?: PairNote,
  ) {
    this.copy = copyInto(client, 'matches', columns);
    this.owner = [owner.tenantId, owner.jobId, owner.ruleSetId].map((text) => {
      const bytes = Buffer.alloc(16);
      writeId(bytes, 0, text);
      return bytes;
    });
  }

  /** Writes pairs of these rows. */
  async write(kept: KeptPairs, lefts: Rows, rights: Rows): Promise<void> {
    const { length } = kept;
    const leftSeqs = new Uint32Array(length);
    const rightSeqs = new Uint32Array(length);
    for (let i = 0; i < length; i++) {
      leftSeqs[i] = lefts.seqOf(kept.left(i));
      rightSeqs[i] = rights.seqOf(kept.right(i));
    }
    const order = sortedOrder(length, [leftSeqs, rightSeqs]);
    const { copy } = this;
    for (const i of order) {
      const left = kept.left(i);
      const right = kept.right(i);
      const isPossible = kept.decision(i) === 'POSSIBLE';
      if (
        isPossible &&
        !this.bound.keeps(leftSeqs[i] as number, kept.score(i), rights.idsOf(right), rights.idAt(right))
      ) {
        this.bound.noteCut(rightSeqs[i] as number);
        continue;
      }
      copy.beginRow(9);
      copy.bytes(newIdBytes(this.id));
      for (const bytes of this.owner) copy.bytes(bytes);
      copy.bytes(lefts.idsOf(left), lefts.idAt(left), lefts.idAt(left) + 16);
      copy.bytes(rights.idsOf(right), rights.idAt(right), rights.idAt(right) + 16);
      copy.float8(kept.score(i));
      copy.text(kept.decision(i));
      const stored = kept.stored(i);
      // The stored form always has members before this one.
      copy.jsonb(this.noteOf ? `${stored.slice(0, -1)},${this.noteOf(left, rightSeqs[i] as number)}}` : stored);
      const full = copy.endRow();
      if (full) await full;
    }
  }

  /** Resolves when the server has taken all rows. */
  end(): Promise<void> {
    return this.copy.end();
  }
}
