import type { AmountReading } from '../values/decimal';
import type { References } from '../expression/types';
import type { JsonObject, Side } from '../values/types';
import type { RelationFailures } from './relation-failures';

/** Side of the target of a composite; its members are on the other side. */
export const targetSide = { one_to_many: 'left', many_to_one: 'right' } as const;
export const memberSide = { one_to_many: 'right', many_to_one: 'left' } as const;

/** `one_to_many`: targets are left, members right; `many_to_one`: targets are right, members left. */
export type CompositeDirection = 'one_to_many' | 'many_to_one';

/** Facts of a record that composition needs. */
export interface CompositionFacts {
  amount: AmountReading;
  /** Days since 1970-01-01; noDay without a readable date. */
  day: number;
  /** The groupByField as text; null where the record has none. */
  group: string | null;
  /**
   * Number of installments of the plan (planTooLong where it states too many) and position among them, counted from
   * 1.
   */
  totalCount: number | null;
  position: number | null;
  /** The value of one installment. */
  unitValue: AmountReading;
  /** The values of matchKeys as one text; null where there are no keys, or a value is missing. */
  matchKey: string | null;
  /** The fields that pair filters and evidence read, as JSON; null where there are none. */
  related: string | null;
  /** Hash of all that the rule set reads of the record, apart from its amount and day. */
  content: number;
}

/** One side of the pool, in the order of the records' ids; a row is an index into each array. */
export interface CompositionSide {
  length: number;
  /** Integers at the pool's scale. NaN and amounts beyond maxComposedUnits take no part. */
  units: Float64Array;
  /** Day of each row; noDay without one. */
  day: Int32Array;
  /** Group code of each row; -1 where it has no group. */
  group: Int32Array;
  /** Number of installments and position of each row; 0 without one. planTooLong counts as none. */
  totalCount: Int32Array;
  position: Int32Array;
  /** Value of one installment at the pool's scale; NaN without one. */
  unitValue: Float64Array;
  /** The part of each row that is held; `units` are the rest. Absent where nothing is. */
  heldUnits?: Float64Array;
  /** True where a row of which a part is held may be a member, with its rest. */
  restsAreMembers?: boolean;
  /** Code of the matchKeys of each row, in common for both sides; -1 without one. Absent without matchKeys. */
  matchKey?: Int32Array;
  /** Index in the related texts of the pool. Absent without pair filters and evidence. */
  related?: Int32Array;
  /** Hash of what else the rule set reads of each row. Absent where all rows count as alike. */
  content?: Float64Array;
}

/** All records that may take part in the composites of a rule set. */
export interface CompositionPool {
  left: CompositionSide;
  right: CompositionSide;
  /** Decimals of `units`, 2..4. */
  amountScale: number;
  /** Names of the groups, by code. */
  groupNames: readonly string[];
  /** The distinct `related` texts of both sides. Absent without pair filters and evidence. */
  related?: readonly string[];
}

/**
 * Marks, by row, records that are not free with 1. Once a composer has seen it, only the composer adds marks;
 * another object may hold anything.
 */
export interface Taken {
  left: Uint8Array;
  right: Uint8Array;
}

export type CompositeKind = 'installments' | 'group' | 'subset' | 'partial';

/** A set of members that a target would take. Plain JSON, since it is stored between the two phases. */
export interface Proposal {
  direction: CompositeDirection;
  /** Row of the target. */
  target: number;
  /** Rows of the members, by position where all have one, else by (day, id). */
  members: number[];
  kind: CompositeKind;
  status: 'COMPLETE' | 'PARTIAL';
  decision: 'MATCH' | 'POSSIBLE';
  /** Score on the scale of the rule set. */
  score: number;
  /** Number of installments; with groupByField the number of free rows of the group; else the number of members. */
  expectedMemberCount: number;
  /** Integers at the pool's scale, signed as the records are. */
  targetUnits: number;
  composedUnits: number;
  /** Days from the first to the last member. */
  spread: number;
  /** Number of members inside the date rule, and of those whose position in their plan is known. */
  inside: number;
  placed: number;
  /** Mean evidence of the members, 0..1; absent without `evidence`. */
  evidence?: number;
  explanation: JsonObject;
}

export interface Composer {
  /** True if the latest `propose` returned null because a limit ended it before it had seen all sets. */
  readonly unfinished: boolean;
  /** Failed evaluations of pair filters and evidence in the latest `propose`. */
  readonly failures: RelationFailures;
  /** Proposes the best free members for a target; null when nothing reaches Tpossible. Deterministic. */
  propose(direction: CompositeDirection, target: number, taken: Taken): Proposal | null;
  /** Returns a text that is equal for targets that always get the same proposal. */
  equivalenceKey(direction: CompositeDirection, target: number): string;
  /** Marks target and members as taken. */
  take(proposal: Proposal, taken: Taken): void;
}

export interface CompiledComposition {
  readonly directions: readonly CompositeDirection[];
  /** Fields that composition reads. */
  readonly references: References;
  /** True if records with a MATCH pair of the rule set are taken from the outset. */
  readonly skipAlreadyMatched: boolean;
  /** True if members need the match keys of their target. */
  readonly isKeyed: boolean;
  /** Signs that `read` gives the amounts of each side. */
  readonly signs: Record<Side, 1 | -1>;
  read(side: Side, record: JsonObject): CompositionFacts;
  /** @param maxNodes bound on the search of a target */
  open(pool: CompositionPool, maxNodes?: number): Composer;
}
