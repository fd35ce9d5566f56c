/** Small integers identify the records of each side. `days` and `gap` are absolute; null = unknown. */
export interface RankedPair {
  left: number;
  right: number;
  score: number;
  days: number | null;
  gap: number | null;
}

export type Verdict =
  | { kind: 'match' }
  | { kind: 'conflict'; leftTakenBy: number | null; rightTakenBy: number | null }
  | { kind: 'ambiguous' };

export type Decide = (pair: RankedPair, verdict: Verdict) => void;

export interface OneToOne {
  push(pair: RankedPair, decide: Decide): void;
  end(decide: Decide): void;
}

export function oneToOne(leftCount: number, rightCount: number): OneToOne {
  return { push: () => { void leftCount; }, end: () => { void rightCount; } };
}
