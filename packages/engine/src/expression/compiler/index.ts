import type { SyntaxNode } from '../syntax';

export interface CompiledTree {
  /**
   * Evaluates synchronously. Throws jsonata's plain error objects and ExpressionErrors; a RangeError means that the
   * reference has to evaluate: the native stack was exhausted, or only jsonata knows the result.
   */
  run(input: unknown): unknown;
}

export interface CompilerOptions {
  /** Runs through closures instead of generated code. */
  closures?: boolean;
  /** Items of one result sequence. */
  sequenceLength?: number;
}

/** Null when the tree needs the reference. */
export function compileTree(_tree: SyntaxNode, _options: CompilerOptions = {}): CompiledTree | null {
  return null;
}
