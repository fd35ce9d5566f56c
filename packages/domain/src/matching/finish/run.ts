import type { RuleSetDefinition, Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { TenantScope } from '../../kernel/scope';
import type { CompositionContext } from '../composition/pool';
import { runningCheck, type RunningCheck } from '../jobs/context';
import type { Directory } from '../stage/directory';
import type { Stage } from '../stage/staging';

/** The finish of one job, in the transaction of `client`. */
export interface FinishRun {
  scope: TenantScope;
  client: PoolClient;
  jobId: string;
  context: CompositionContext;
  /** Ids of records that were removed since the job was created, and of items that changed since a run was planned. */
  removed: readonly string[];
  /** Records that earlier passes of a run have tied. */
  taken: readonly string[];
  /** Null for a job that is not a run. */
  reconciliationId: string | null;
  /** True for a job that this process works as a whole. */
  isSmall: boolean;
}

export interface FinishEntry {
  id: string;
  position: number;
  ruleSetId: string;
  ruleSetVersion: number;
  definition: RuleSetDefinition;
  stagedRows: number;
  /** Holds once its pairs were assigned, which precedes the composition of groups. */
  assigned: boolean;
  /** Holds once it is completed: a pass is before those that follow it. */
  completed: boolean;
  plannedAt: Date;
  /** True if a dataset is compared with itself. */
  isOneSide: boolean;
}

/** The owner of the results of an entry. */
export const ownerOf = (
  { scope, jobId, reconciliationId }: FinishRun,
  { ruleSetId, ruleSetVersion, isOneSide }: FinishEntry,
) => ({
  tenantId: scope.tenantId,
  jobId,
  ruleSetId,
  ruleSetVersion,
  isOneSide,
  isRun: reconciliationId !== null,
});

/** Creates a check that also reports progress. */
export function steppingCheck({ scope, jobId, context }: FinishRun): RunningCheck {
  const check = runningCheck(scope, jobId);
  return () => {
    context.onStep();
    return check();
  };
}

/** The snapshot of an entry. */
export const stageOf = ({ context }: Pick<FinishRun, 'context'>, { id, plannedAt }: FinishEntry): Stage =>
  context.stages.of(id, plannedAt);

export async function readDirectories(run: FinishRun, entry: FinishEntry): Promise<Record<Side, Directory>> {
  const stage = stageOf(run, entry);
  return { left: await stage.directory(run.client, 'left'), right: await stage.directory(run.client, 'right') };
}
