import { ExpressionError } from '../expression/error';
import type { CompiledRuleSet } from './compiled';
import type { RuleSetDefinition } from './types';

export function compileRuleSet(def: RuleSetDefinition): CompiledRuleSet {
  throw new ExpressionError('not_ready', def.engine);
}
