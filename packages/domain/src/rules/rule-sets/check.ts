import { undeclaredReferences, validateRuleSet, type RuleSetDefinition } from '@tieout/engine';
import type { FieldError } from '@tieout/infra';

/** What crosses to the evaluating process. */
export interface CheckRequest {
  definition: RuleSetDefinition;
  /** Set: the fields that expressions may refer to. */
  declared?: { left: string[]; right: string[] };
}

/**
 * What keeps a rule set from running: faults of params, expressions that do not parse, then references to
 * undeclared fields. Runs in a process that may block: megabytes of expressions take seconds to parse.
 */
export function checkRuleSet({ definition, declared }: CheckRequest): Promise<FieldError[]> {
  const faults = validateRuleSet(definition);
  if (faults.length > 0 || !declared) return Promise.resolve(faults.map((issue) => ({ ...issue })));
  const fields = { left: new Set(declared.left), right: new Set(declared.right) };
  return Promise.resolve(undeclaredReferences(definition, fields).map((issue) => ({ ...issue })));
}
