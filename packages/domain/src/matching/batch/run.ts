import type { CompiledRuleSet } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { CompositionContext } from '../composition/pool';
import type { BatchRef } from '../jobs/protocol';
import type { Stage } from '../stage/staging';

/** One run of a batch: its connections, and the milliseconds spent by phase. */
export interface BatchRun {
  scope: TenantScope;
  context: CompositionContext;
  ref: BatchRef;
  compiled: CompiledRuleSet;
  stage: Stage;
  reader: PoolClient;
  writer: PoolClient;
  clock: Clock;
  /** Adds the time since the last call to a phase. */
  lap: (phase: keyof Clock) => void;
}

export interface Clock {
  readMs: number;
  scoreMs: number;
  writeMs: number;
}

export function lapsOf(clock: Clock): BatchRun['lap'] {
  let mark = performance.now();
  return (phase) => {
    const now = performance.now();
    clock[phase] += now - mark;
    mark = now;
  };
}
