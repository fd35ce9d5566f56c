/** Small integers identify the records of each side; null = the difference is not known. */
export interface RankedPair {
  left: number;
  right: number;
  score: number;
  days: number | null;
  gap: number | null;
}

/** `leftTakenBy` is the right record that has the left one, null where none has (or a tie blocks it). */
export type Verdict =
  | { kind: 'match' }
  | { kind: 'conflict'; leftTakenBy: number | null; rightTakenBy: number | null }
  | { kind: 'ambiguous' };

export type Decide = (pair: RankedPair, verdict: Verdict) => void;

export interface OneToOne {
  push(pair: RankedPair, decide: Decide): void;
  /** Decides the last rank level. */
  end(decide: Decide): void;
}

const FREE = -1;
const BLOCKED = -2;

/**
 * One-to-one assignment over pairs that arrive best first: score descending, |days| and |gap|
 * ascending with null last, left, right. Pairs of equal score, |days| and |gap| form one level and are
 * decided together, so that ids never break a tie: of the pairs whose records are both still free,
 * one that shares no record with another is a match; those that do share one are ambiguous, and
 * their records take no part in lower levels. Every other pair is in conflict.
 * Keeps one number per record and the pairs of one level.
 */
export function oneToOne(leftCount: number, rightCount: number): OneToOne {
  const left = sideState(leftCount);
  const right = sideState(rightCount);
  let level: RankedPair[] = [];

  function settle(decide: Decide): void {
    const free = level.map((pair) => left.taken[pair.left] === FREE && right.taken[pair.right] === FREE);
    level.forEach((pair, index) => { if (free[index]) count(pair, 1); });
    const alone = level.map((pair, index) => free[index] === true && isAlone(pair));
    level.forEach((pair, index) => { if (free[index]) take(pair, alone[index] === true); });
    level.forEach((pair, index) => {
      decide(pair, free[index] ? { kind: alone[index] ? 'match' : 'ambiguous' } : conflict(pair));
    });
    level = [];
  }

  function count(pair: RankedPair, step: number): void {
    left.rivals[pair.left] = (left.rivals[pair.left] ?? 0) + step;
    right.rivals[pair.right] = (right.rivals[pair.right] ?? 0) + step;
  }

  function isAlone(pair: RankedPair): boolean {
    return left.rivals[pair.left] === 1 && right.rivals[pair.right] === 1;
  }

  function take(pair: RankedPair, matched: boolean): void {
    count(pair, -1);
    left.taken[pair.left] = matched ? pair.right : BLOCKED;
    right.taken[pair.right] = matched ? pair.left : BLOCKED;
  }

  function conflict(pair: RankedPair): Verdict {
    return { kind: 'conflict', leftTakenBy: owner(left.taken, pair.left), rightTakenBy: owner(right.taken, pair.right) };
  }

  return {
    push: (pair, decide) => {
      const last = level[0];
      if (last !== undefined && !sameLevel(last, pair)) settle(decide);
      level.push(pair);
    },
    end: settle,
  };
}

interface SideState {
  /** Per record: FREE, BLOCKED, or the record of the other side that has it. */
  taken: Int32Array;
  /** Per record: free pairs of the level at hand that hold it. */
  rivals: Int32Array;
}

function sideState(count: number): SideState {
  return { taken: new Int32Array(count).fill(FREE), rivals: new Int32Array(count) };
}

function owner(taken: Int32Array, record: number): number | null {
  const by = taken[record] ?? FREE;
  return by >= 0 ? by : null;
}

function sameLevel(one: RankedPair, other: RankedPair): boolean {
  return one.score === other.score && distance(one.days) === distance(other.days) && distance(one.gap) === distance(other.gap);
}

function distance(value: number | null): number {
  return value === null ? Infinity : Math.abs(value);
}
