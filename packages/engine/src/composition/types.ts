import type { AmountReading } from '../values/decimal';
import type { References } from '../expression/types';
import type { JsonObject, Side } from '../values/types';

/** `one_to_many`: targets are left, members right; `many_to_one`: targets are right, members left. */
export type CompositeDirection = 'one_to_many' | 'many_to_one';

/** What composition reads of a record. */
export interface CompositionFacts {
  amount: AmountReading;
  /** Days since 1970-01-01; noDay without a readable date. */
  day: number;
  /** The groupByField as text; null where the record has none. */
  group: string | null;
  /** Installments of the plan, planTooLong where it states too many, and which of them this is, both counted from 1. */
  totalCount: number | null;
  position: number | null;
  /** The value of one installment. */
  unitValue: AmountReading;
}

/** One side of the pool, in the order of the records' ids: a row is an index into each array. */
export interface CompositionSide {
  length: number;
  /** Integers at the pool's scale; NaN takes no part, nor does what is beyond maxComposedUnits. */
  units: Float64Array;
  /** noDay: none. */
  day: Int32Array;
  /** Code of the group; -1: none. */
  group: Int32Array;
  /** 0: none, and so is `position`; planTooLong counts as none. */
  totalCount: Int32Array;
  position: Int32Array;
  /** At the pool's scale; NaN: none. */
  unitValue: Float64Array;
}

/** All records that may take part in the composites of a rule set. */
export interface CompositionPool {
  left: CompositionSide;
  right: CompositionSide;
  /** Decimals of `units`, 2..4. */
  amountScale: number;
  /** By code. */
  groupNames: readonly string[];
}

/**
 * By row, 1 where the record is not free. Once a composer has seen it, marks are added by the composer alone; another
 * object may hold anything.
 */
export interface Taken {
  left: Uint8Array;
  right: Uint8Array;
}

export type CompositeKind = 'installments' | 'group' | 'subset' | 'partial';

/** What a target would take. Plain JSON: it is stored between the two phases. */
export interface Proposal {
  direction: CompositeDirection;
  /** Row of the target. */
  target: number;
  /** Rows of the members: by position where all have one, else by (day, id). */
  members: number[];
  kind: CompositeKind;
  status: 'COMPLETE' | 'PARTIAL';
  decision: 'MATCH' | 'POSSIBLE';
  /** On the scale of the rule set. */
  score: number;
  /** Installments: their number. With groupByField: what is left of the group. Else the number of members. */
  expectedMemberCount: number;
  /** Integers at the pool's scale, signed as the records are. */
  targetUnits: number;
  composedUnits: number;
  /** Days from the first to the last member. */
  spread: number;
  /** Members inside the date rule; members whose position in their plan is known. */
  inside: number;
  placed: number;
  explanation: JsonObject;
}

export interface Composer {
  /** Whether the latest `propose` gave null without having seen all that could be: its limits ended it. */
  readonly unfinished: boolean;
  /** What the target would take of what is free now; null when nothing reaches Tpossible. Deterministic. */
  propose(direction: CompositeDirection, target: number, taken: Taken): Proposal | null;
  /** Equal texts for targets that are always proposed the same members. */
  likeness(direction: CompositeDirection, target: number): string;
  /** Marks target and members as taken. */
  take(proposal: Proposal, taken: Taken): void;
}

export interface CompiledComposition {
  readonly directions: readonly CompositeDirection[];
  /** The fields that composition reads. */
  readonly references: References;
  /** Whether records with a MATCH pair of the rule set are taken from the outset. */
  readonly skipAlreadyMatched: boolean;
  read(side: Side, record: JsonObject): CompositionFacts;
  open(pool: CompositionPool): Composer;
}
