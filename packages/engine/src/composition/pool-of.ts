import type { JsonObject, Side } from '../values/types';
import { PoolBuilder } from './fact-columns';
import type { CompiledComposition, CompositionPool } from './types';

/** Makes a pool of few records, in the order given. */
export function poolOf(
  composition: CompiledComposition,
  records: Record<Side, readonly JsonObject[]>,
): CompositionPool {
  const pool = new PoolBuilder(composition);
  for (const side of ['left', 'right'] as const)
    for (const record of records[side]) pool[side].add(composition.read(side, record));
  return pool.build();
}
