import { heavyEffort } from '../pairs/types';

/** Failed evaluations that are kept in full. */
const maxKept = 20;

/** An evaluation for a target and the member in a row that failed. */
export interface RelationFailure {
  member: number;
  code: string;
  message: string;
  /** `jsonataExpr`, a matcher id, or `filters/0`… */
  expression: string;
  /** Share of its step limit that the evaluation used, 0..1. */
  effort: number;
}

/** Counts the failed evaluations of one target, and keeps the first and the heavy ones. */
export class RelationFailures {
  count = 0;
  readonly kept: RelationFailure[] = [];

  add(failure: RelationFailure): void {
    this.count++;
    if (this.kept.length < maxKept || failure.effort >= heavyEffort) this.kept.push(failure);
  }
}
