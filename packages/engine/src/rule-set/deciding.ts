import { effectiveParams } from './defaults';
import type { RuleSetDefinition } from './types';

/**
 * Returns a text that is equal for definitions that decide alike: the same expressions and the same parameters, given
 * or by default. Versions and names decide nothing.
 */
export function decidingText(def: RuleSetDefinition): string {
  const { matchers, ...params } = effectiveParams(def);
  return JSON.stringify([
    def.engine,
    def.jsonataExpr,
    params,
    matchers.map(({ id, expr, weight, required }) => [id, expr, weight, required]),
  ]);
}
