/** A pair as three numbers: its score, and the first twelve bytes of the id of its right record. */
const pairSize = 3;
const halfBytes = 6;

/**
 * Keeps the POSSIBLE pairs of each left record within a maximum while a batch finds them, so that a rule that makes
 * every pair POSSIBLE fills no disk. A pair that is not among the best of its left record so far never will be. Between
 * equal scores the smaller right id wins. The completion of the job deletes the pairs that better ones displace.
 */
export class PossibleBound {
  /** Pairs that were cut, and the sum of their scores. */
  cut = 0;
  cutScore = 0;
  private rights = Buffer.alloc(0);
  private readonly best = new Map<number, { count: number; pairs: Float64Array }>();

  constructor(private readonly max: number) {}

  /** A bitmap of the right records of cut pairs, by rows of the snapshot; null if none was cut. */
  get cutRights(): Buffer | null {
    return this.rights.length === 0 ? null : this.rights;
  }

  /** Notes the right record of a cut pair: it may have no other pair. */
  noteCut(rightSeq: number): void {
    const at = rightSeq >>> 3;
    if (at >= this.rights.length) {
      const larger = Buffer.alloc(2 * at + 1);
      this.rights.copy(larger);
      this.rights = larger;
    }
    this.rights[at] = (this.rights[at] as number) | (1 << (rightSeq & 7));
  }

  /** Returns whether a pair is kept. The id of the right record is the 16 bytes at `idAt`. */
  keeps(leftSeq: number, score: number, ids: Uint8Array, idAt: number): boolean {
    const { max } = this;
    let own = this.best.get(leftSeq);
    if (own === undefined) this.best.set(leftSeq, (own = { count: 0, pairs: new Float64Array(pairSize) }));
    const high = numberAt(ids, idAt);
    const low = numberAt(ids, idAt + halfBytes);
    if (own.count === max && !isBetter(own.pairs, max - 1, { score, high, low })) {
      this.cut++;
      this.cutScore += score;
      return false;
    }
    if (own.count < max) own.count++;
    if (own.count * pairSize > own.pairs.length) {
      const larger = new Float64Array(Math.min(max * pairSize, own.pairs.length * 2));
      larger.set(own.pairs);
      own.pairs = larger;
    }
    const { pairs } = own;
    let place = own.count - 1;
    for (; place > 0 && isBetter(pairs, place - 1, { score, high, low }); place--)
      pairs.copyWithin(place * pairSize, (place - 1) * pairSize, place * pairSize);
    pairs.set([score, high, low], place * pairSize);
    return true;
  }
}

/** Returns whether a pair is better than the one at a place. */
function isBetter(pairs: Float64Array, place: number, pair: Record<'score' | 'high' | 'low', number>): boolean {
  const at = place * pairSize;
  const order = pair.score - (pairs[at] as number);
  if (order !== 0) return order > 0;
  return (pair.high - (pairs[at + 1] as number) || pair.low - (pairs[at + 2] as number)) < 0;
}

function numberAt(bytes: Uint8Array, at: number): number {
  let value = 0;
  for (let i = at; i < at + halfBytes; i++) value = value * 256 + (bytes[i] as number);
  return value;
}
