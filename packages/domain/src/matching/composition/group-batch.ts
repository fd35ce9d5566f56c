import {
  targetSide,
  type CompiledRuleSet,
  type Composer,
  type CompositeDirection,
  type Proposal,
  type Side,
  type Taken,
} from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { CompositeOwner } from '../../results/composites';
import type { TenantScope } from '../../kernel/scope';
import { runningCheck, runSteps } from '../jobs/context';
import type { HeavyFailure } from '../jobs/errors';
import type { JobLimits } from '../jobs/limits';
import { snapshotKey } from '../stage/kept-stages';
import { StageLostError, stageSides, type Stage } from '../stage/staging';
import { readOutset } from './outset';
import { readPool, type CompositionContext } from './pool';
import { compositionProblems, RecordErrors, RelationErrors } from './record-errors';
import { withoutRejected } from './rejected';

/** A slice of the possible targets, and the size of the pool that they compose from. */
export interface GroupBounds {
  direction: CompositeDirection;
  /** Rows [from, to) of the target's side, in the order of the ids. */
  from: number;
  to: number;
  /** Records of each side. A pool of another size is not the planned one. */
  pool: Record<Side, number>;
}

/** Cuts the targets of every direction into slices. */
export function cutGroups(
  directions: readonly CompositeDirection[],
  pool: Record<Side, number>,
  limits: Pick<JobLimits, 'groupTargets' | 'groupBatches'>,
): GroupBounds[] {
  if (pool.left === 0 || pool.right === 0) return [];
  const targets = directions.reduce((sum, direction) => sum + pool[targetSide[direction]], 0);
  // The last slice of each direction may be a short one.
  const size = Math.max(limits.groupTargets, Math.ceil(targets / (limits.groupBatches - directions.length)));
  const slices: GroupBounds[] = [];
  for (const direction of directions) {
    const length = pool[targetSide[direction]];
    for (let from = 0; from < length; from += size)
      slices.push({ direction, from, to: Math.min(from + size, length), pool });
  }
  return slices;
}

/** A batch that composes groups, and the connections for it. */
interface GroupBatchRun {
  scope: TenantScope;
  reader: PoolClient;
  writer: PoolClient;
  context: CompositionContext;
  compiled: CompiledRuleSet;
  stage: Stage;
  entryId: string;
  batchNo: number;
  owner: CompositeOwner;
  bounds: GroupBounds;
  /** Time of the snapshot: a job that is planned again has another one. */
  plannedAt: Date;
  /** Receives failed evaluations that used most of their limits. */
  onHeavyFailure: (failure: HeavyFailure) => void;
  /** Adds the time since the last call to a phase. */
  lap: (phase: 'readMs' | 'scoreMs' | 'writeMs') => void;
}

/** Problems that a batch met. */
interface GroupProblems {
  /** Targets whose search ended at its limit and found nothing. */
  ended: RecordErrors;
  failed: RelationErrors;
}

/**
 * Finds the best group of each target of a slice among the records that are free at the outset, and stores it for the
 * finish.
 */
export async function composeGroups(run: GroupBatchRun): Promise<GroupProblems> {
  const { scope, reader, stage, entryId, bounds, owner, lap } = run;
  const { pools, onStep } = run.context;
  const { composition } = run.compiled;
  if (composition === null) throw new Error('groups of a rule set that does not compose');
  const { records, composer, outset } = await pools.get(snapshotKey(entryId, run.plannedAt), async () => {
    const pool = await readPool(reader, stage, { expected: bounds.pool, isKeyed: composition.isKeyed });
    onStep();
    const outset = await readOutset(reader, owner, composition, pool);
    return { records: pool, composer: composition.open(outset.records.pool), outset };
  });
  lap('readMs');
  const ended = new RecordErrors(compositionProblems.searchEnded, records.ids);
  const failed = new RelationErrors(records.ids, run.onHeavyFailure);
  const accepting = withoutRejected(composition, composer, outset.records.pool, outset.rejected);
  const steps = proposeEach(accepting, bounds, outset.taken, { ended, failed });
  const proposals = await runSteps(steps, onStep, runningCheck(scope, owner.jobId));
  lap('scoreMs');
  await storeProposals(run.writer, stage, run.batchNo, proposals);
  lap('writeMs');
  return { ended, failed };
}

function* proposeEach(
  composer: Composer,
  { direction, from, to }: GroupBounds,
  taken: Taken,
  { ended, failed }: GroupProblems,
): Generator<void, Proposal[], void> {
  const proposals: Proposal[] = [];
  for (let target = from; target < to; target++) {
    const proposal = composer.propose(direction, target, taken);
    failed.add(direction, target, composer.failures);
    if (proposal) proposals.push(proposal);
    else if (composer.unfinished) ended.add(targetSide[direction], target);
    yield;
  }
  return proposals;
}

/** Stores the proposals of a batch inside the transaction that marks the batch as done. */
async function storeProposals(
  client: PoolClient,
  stage: Stage,
  batchNo: number,
  proposals: readonly Proposal[],
): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(proposals));
  await stage.add(client, { side: stageSides.proposals, run: batchNo, block: 0, rows: proposals.length, bytes });
}

/** Reads all proposals of an entry. @throws StageLostError unless all `batches` have stored theirs */
export async function readProposals(client: PoolClient, stage: Stage, batches: number): Promise<Proposal[]> {
  const proposals: Proposal[] = [];
  let found = 0;
  for await (const { bytes } of stage.read(client, { side: stageSides.proposals, order: 'run' })) {
    for (const proposal of JSON.parse(bytes.toString('utf8')) as Proposal[]) proposals.push(proposal);
    found++;
  }
  if (found !== batches) throw new StageLostError();
  return proposals;
}
