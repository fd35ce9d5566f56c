/** A pair of the assignment. Small integers identify the records of each side; null where a difference is unknown. */
export interface RankedPair {
  left: number;
  right: number;
  score: number;
  days: number | null;
  gap: number | null;
}

/** Reasons why a pair is no match: a record of it has a better pair, or an equal one. */
export type Loss = 'conflict' | 'ambiguous';

export interface OneToOneAssignment {
  /** Takes the next pair; pairs come best first. */
  push(pair: RankedPair): void;
  /**
   * Returns why a pair is no match, or null for a match, once all pairs have been pushed. Pairs may come in any
   * order.
   */
  lossOf(pair: RankedPair): Loss | null;
}

const noRecord = -1;
const valuesPerLevel = 3;

/**
 * Creates a one-to-one assignment over pairs that arrive best first: score descending, |days| and |gap| ascending
 * with null last.
 *
 * The tie rule: pairs of equal score, |days| and |gap| form one level and are decided together, so that ids never
 * break a tie. Among the pairs of a level whose records are both still free, a pair that shares no record with
 * another is a match; pairs that share one are ambiguous, and their records take no part in lower levels. All other
 * pairs are in conflict.
 *
 * The assignment keeps at most 32 bytes per record and no pairs: the outcome of a pair follows from the levels that
 * took its records and from their partners.
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
      // Pairs of the level that share one of these records lose.
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
  /** Level that has taken each record. */
  readonly level: Int32Array;
  /** Other record of each record's match. */
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
