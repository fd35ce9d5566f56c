import type { MaybePromise } from '../values/types';
import type { SyntaxNode } from './syntax';

/** Top-level keys read off one side; `all` when the whole record may be used. */
export type FieldSelection = { all: boolean; keys: string[] };

export interface References {
  left: FieldSelection;
  right: FieldSelection;
}

export interface ParsedExpression {
  /** The syntax tree. Readers share it and must not change it. */
  readonly tree: SyntaxNode;
  readonly references: References;
}

export interface Expression extends ParsedExpression {
  readonly mode: 'compiled' | 'reference';
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
