import type { Issue, RuleSetDefinition } from './types';

export function validateRuleSet(def: RuleSetDefinition): Issue[] {
  return def.version < 0 ? [] : [];
}
