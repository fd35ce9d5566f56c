import { parseExpression } from '../expression/compile';
import { ExpressionError } from '../expression/error';
import { effectiveParams } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';

/**
 * Returns a text that is equal for definitions that decide alike: the same expressions, whatever their white space and
 * comments, and the same parameters, given or by default. Versions and names decide nothing.
 */
export function decidingText(def: RuleSetDefinition): string {
  const { matchers, filters, ...params } = effectiveParams(def);
  return JSON.stringify([
    def.engine,
    def.jsonataExpr === null ? null : meaningOf(def.jsonataExpr),
    params,
    filters.map(meaningOf),
    matchers.map(({ id, expr, weight, required }) => [id, meaningOf(expr), weight, required]),
  ]);
}

/** Writes the syntax tree without the positions in the source; the source itself where it has no tree. */
function meaningOf(source: string): string {
  try {
    return JSON.stringify(parseExpression(source).tree, (key, value: unknown) =>
      key === 'position' ? undefined : value instanceof RegExp ? String(value) : value,
    );
  } catch (error) {
    // A tree may be too deep to be written.
    if (error instanceof ExpressionError || error instanceof RangeError) return source;
    throw error;
  }
}
