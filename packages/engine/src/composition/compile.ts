import { effectiveParams } from '../definition/defaults';
import type { RuleSetDefinition } from '../definition/types';
import { PoolComposer } from './composer';
import { readFacts } from './facts';
import { compositionReferences } from './fields';
import { compositionSettings } from './settings';
import type { CompiledComposition } from './types';

/** Null unless the rule set composes. Its parameters are valid. */
export function compileComposition(def: RuleSetDefinition): CompiledComposition | null {
  const { composition } = effectiveParams(def);
  if (!composition.enabled) return null;
  const settings = compositionSettings(def);
  return {
    directions: settings.directions,
    references: compositionReferences(def),
    skipAlreadyMatched: composition.skipAlreadyMatched,
    read: (side, record) => readFacts(composition, side, record),
    open: (pool) => new PoolComposer(settings, pool),
  };
}
