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

export interface OneToOneAssignment {
  /** Takes the next pair, best first. */
  push(pair: RankedPair): void;
  /** What became of a pair, null where it is a match, once all have been pushed: of any of them, in any order. */
  lossOf(pair: RankedPair): Loss | null;
}

const noRecord = -1;
const valuesPerLevel = 3;

/**
 * One-to-one assignment over pairs that arrive best first: score descending, |days| and |gap|
 * ascending with null last. Pairs of equal score, |days| and |gap| form one level and are
 * decided together, so that ids never break a tie: of the pairs whose records are both still free,
 * one that shares no record with another is a match; those that do share one are ambiguous, and
 * their records take no part in lower levels. Every other pair is in conflict.
 * Keeps at most 32 bytes a record and no pairs: what becomes of one follows from the level that has taken each of its records, and
 * from the partners that these have.
 */
export function createAssignment(leftCount: number, rightCount: number): OneToOneAssignment {
  const lefts = new AssignedSide(leftCount);
  const rights = new AssignedSide(rightCount);
  /** Score, days and gap of each level that has taken a record. */
  const ranks = new Float64Array(Math.min(leftCount, rightCount) * valuesPerLevel);
  let levels = 0;
  let last: RankedPair | null = null;
  let isCounted = false;

  return {
    push: (pair) => {
      if (last === null || !sameLevel(last, pair)) isCounted = false;
      last = pair;
      const { left, right } = pair;
      const [leftLevel, rightLevel] = [lefts.level[left] as number, rights.level[right] as number];
      const current = isCounted ? levels - 1 : levels;
      if ((leftLevel !== noRecord && leftLevel !== current) || (rightLevel !== noRecord && rightLevel !== current))
        return;
      if (!isCounted) {
        ranks.set([pair.score, distance(pair.days), distance(pair.gap)], current * valuesPerLevel);
        levels++;
        isCounted = true;
      }
      lefts.level[left] = current;
      rights.level[right] = current;
      if (leftLevel === noRecord && rightLevel === noRecord) {
        lefts.partner[left] = right;
        rights.partner[right] = left;
        return;
      }
      // The pairs of the level that share one of these records lose.
      lefts.leave(rights.partner[right] as number);
      rights.leave(lefts.partner[left] as number);
      lefts.leave(left);
      rights.leave(right);
    },
    lossOf: ({ left, right, score, days, gap }) => {
      if (lefts.partner[left] === right) return null;
      const level = lefts.level[left] as number;
      if (level !== rights.level[right]) return 'conflict';
      const at = level * valuesPerLevel;
      return ranks[at] === score && ranks[at + 1] === distance(days) && ranks[at + 2] === distance(gap)
        ? 'ambiguous'
        : 'conflict';
    },
  };
}

class AssignedSide {
  /** The level that has taken a record. */
  readonly level: Int32Array;
  /** The other record of its match. */
  readonly partner: Int32Array;

  constructor(count: number) {
    this.level = new Int32Array(count).fill(noRecord);
    this.partner = new Int32Array(count).fill(noRecord);
  }

  leave(record: number): void {
    if (record !== noRecord) this.partner[record] = noRecord;
  }
}

function sameLevel(one: RankedPair, other: RankedPair): boolean {
  return (
    one.score === other.score &&
    distance(one.days) === distance(other.days) &&
    distance(one.gap) === distance(other.gap)
  );
}

function distance(value: number | null): number {
  return value === null ? Infinity : Math.abs(value);
}
