/** Small integers identify the records of each side; null = the difference is not known. */
export interface RankedPair {
  left: number;
  right: number;
  score: number;
  days: number | null;
  gap: number | null;
}

/** Why a pair is no match: one of its records has a better pair, or an equal one. */
export type Loss = 'conflict' | 'ambiguous';

export type OnLoss = (left: number, right: number, loss: Loss) => void;

export interface OneToOne {
  /**
   * Tells of each pair that has lost by now, this one or an earlier one of its rank level, once.
   * @returns whether this one has not: it is a match unless a later call tells otherwise
   */
  push(pair: RankedPair, onLoss: OnLoss): boolean;
}

/** Of a record: in no pair so far, in one of the level at hand, in one of a level before. */
const State = { FREE: 0, SEEN: 1, USED: 2 } as const;

const NONE = -1;

/**
 * One-to-one assignment over pairs that arrive best first: score descending, |days| and |gap|
 * ascending with null last. Pairs of equal score, |days| and |gap| form one level and are
 * decided together, so that ids never break a tie: of the pairs whose records are both still free,
 * one that shares no record with another is a match; those that do share one are ambiguous, and
 * their records take no part in lower levels. Every other pair is in conflict.
 * Keeps some bytes a record and no pairs, however many are of one level: of those that share no record so far there is one a record.
 */
export function oneToOne(leftCount: number, rightCount: number): OneToOne {
  const lefts = new LevelSide(leftCount);
  const rights = new LevelSide(rightCount);
  let level: RankedPair | null = null;

  /** The pairs of the level that share one of these records lose. */
  function lose(left: number, right: number, onLoss: OnLoss): void {
    const partnerOfLeft = lefts.partner[left] as number;
    const partnerOfRight = rights.partner[right] as number;
    if (partnerOfLeft !== NONE) rights.partner[partnerOfLeft] = NONE;
    if (partnerOfRight !== NONE) lefts.partner[partnerOfRight] = NONE;
    lefts.partner[left] = NONE;
    rights.partner[right] = NONE;
    if (partnerOfLeft !== NONE) onLoss(left, partnerOfLeft, 'ambiguous');
    if (partnerOfRight !== NONE) onLoss(partnerOfRight, right, 'ambiguous');
    onLoss(left, right, 'ambiguous');
  }

  return {
    push: (pair, onLoss) => {
      if (level === null || !sameLevel(level, pair)) {
        lefts.endLevel();
        rights.endLevel();
        level = pair;
      }
      const { left, right } = pair;
      const [leftState, rightState] = [lefts.state[left], rights.state[right]];
      if (leftState === State.USED || rightState === State.USED) {
        onLoss(left, right, 'conflict');
        return false;
      }
      lefts.see(left);
      rights.see(right);
      if (leftState === State.SEEN || rightState === State.SEEN) {
        lose(left, right, onLoss);
        return false;
      }
      lefts.partner[left] = right;
      rights.partner[right] = left;
      return true;
    },
  };
}

class LevelSide {
  readonly state: Uint8Array;
  /** Of a record that is in one pair of the level, the other record of that. */
  readonly partner: Int32Array;
  /** Records of the level. */
  private readonly seen: Int32Array;
  private seenCount = 0;

  constructor(count: number) {
    this.state = new Uint8Array(count);
    this.partner = new Int32Array(count).fill(NONE);
    this.seen = new Int32Array(count);
  }

  see(record: number): void {
    if (this.state[record] !== State.FREE) return;
    this.state[record] = State.SEEN;
    this.seen[this.seenCount++] = record;
  }

  endLevel(): void {
    for (let index = 0; index < this.seenCount; index += 1) {
      const record = this.seen[index] as number;
      this.state[record] = State.USED;
      this.partner[record] = NONE;
    }
    this.seenCount = 0;
  }
}

function sameLevel(one: RankedPair, other: RankedPair): boolean {
  return one.score === other.score && distance(one.days) === distance(other.days) && distance(one.gap) === distance(other.gap);
}

function distance(value: number | null): number {
  return value === null ? Infinity : Math.abs(value);
}
