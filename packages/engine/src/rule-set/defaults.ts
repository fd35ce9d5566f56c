import type { RuleSetDefinition } from './types';

export function effectiveParams(def: RuleSetDefinition): object {
  return def.params;
}
