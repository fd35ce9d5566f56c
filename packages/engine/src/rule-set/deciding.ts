import { parseExpression } from '../expression/compile';
import { ExpressionError } from '../expression/error';
import { effectiveParams } from '../definition/defaults';
import type { EffectiveBlocking } from '../definition/defaults';
import type { BlockingKeyParams, RuleSetDefinition, TextBlockingParams } from '../definition/types';

/**
 * Returns a text that is equal for definitions that decide alike: the same expressions, whatever their white space and
 * comments, and the same parameters, given or by default. Versions and names decide nothing.
 */
export function decidingText(def: RuleSetDefinition): string {
  // The number of POSSIBLE pairs to keep does not change what a pair is.
  const { matchers, filters, maxPossiblePerRecord: _max, ...params } = effectiveParams(def);
  return JSON.stringify([
    def.engine,
    def.jsonataExpr === null ? null : meaningOf(def.jsonataExpr),
    { ...params, blocking: blockingMeaning(params.blocking) },
    filters.map(meaningOf),
    matchers.map(({ id, expr, weight, required }) => [id, meaningOf(expr), weight, required]),
  ]);
}

/** Leaves out the names of rules, and white space in keys. */
function blockingMeaning({ keys, text, rules, ...blocking }: EffectiveBlocking): object {
  const meanings = (given: readonly BlockingKeyParams[] | undefined): unknown =>
    given?.map((key) => [key.left, key.right, key.expr].map((source) => source && meaningOf(source)));
  const textMeaning = (given: TextBlockingParams | undefined): unknown =>
    given && { ...given, left: meaningOf(given.left), right: meaningOf(given.right) };
  return {
    ...blocking,
    keys: meanings(keys),
    text: textMeaning(text),
    rules: rules?.map(({ name: _name, keys: own, text: texts, ...rule }) => ({
      ...rule,
      keys: meanings(own),
      text: textMeaning(texts),
    })),
  };
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
