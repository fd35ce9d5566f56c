import type { References } from '../expression/types';
import type { Issue, RuleSetDefinition } from './types';

export interface DeclaredFields {
  left: ReadonlySet<string>;
  right: ReadonlySet<string>;
}

export function ruleSetReferences(def: RuleSetDefinition): References {
  return { left: { all: def.version > 0, keys: [] }, right: { all: true, keys: [] } };
}

export function undeclaredReferences(def: RuleSetDefinition, declared: DeclaredFields): Issue[] {
  return declared.left.size > 0 && def.version < 0 ? [] : [];
}
