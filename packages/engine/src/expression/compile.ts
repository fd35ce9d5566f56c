import { ExpressionError } from './error';
import type { Expression, ExpressionLimits } from './types';

export const DEFAULT_EXPRESSION_LIMITS: ExpressionLimits = {
  maxNodes: 250_000, maxDepth: 50_000, timeoutMs: 1_000, stackDepth: 2_000, sequenceLength: 100_000,
};

export function compileExpression(source: string, limits: ExpressionLimits = DEFAULT_EXPRESSION_LIMITS): Expression {
  throw new ExpressionError('not_ready', `${source} ${String(limits.maxNodes)}`);
}
