import type { MaybePromise } from '../values/types';

/** Top-level keys read off one side; `all` when the whole record may be used. */
export type FieldSelection = { all: boolean; keys: string[] };

export interface References {
  left: FieldSelection;
  right: FieldSelection;
}

export interface Expression {
  readonly source: string;
  readonly mode: 'compiled' | 'reference';
  readonly references: References;
  /** Input is `{left, right}`. Throws (or rejects with) an ExpressionError. */
  evaluate(input: unknown): MaybePromise<unknown>;
}

export interface ExpressionLimits {
  /** Nodes of the syntax tree. */
  maxNodes: number;
  /** Nesting of the syntax tree. */
  maxDepth: number;
  /** Wall clock of one evaluation. */
  timeoutMs: number;
  /** Nested evaluations of one evaluation. */
  stackDepth: number;
  /** Items of one result sequence. */
  sequenceLength: number;
}
