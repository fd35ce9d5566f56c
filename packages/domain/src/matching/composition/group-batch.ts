import { targetSide, type CompiledRuleSet, type Composer, type Proposal, type Taken } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { CompositeOwner } from '../../results/composites';
import type { TenantScope } from '../../kernel/scope';
import type { JobContext } from '../jobs/handlers';
import { runningCheck, takeTurns } from '../jobs/running';
import type { GroupBounds } from './group-bounds';
import { readOutset } from './outset';
import { storeProposals } from './proposals';
import { readPool } from './read-pool';
import { compositionProblems, RecordErrors } from './record-errors';
import { withoutRejected } from './rejected';

export interface GroupBatch {
  entryId: string;
  batchNo: number;
  owner: CompositeOwner;
  bounds: GroupBounds;
  /** When the snapshot was taken: a job that is planned again has another one. */
  plannedAt: Date;
}

/** One snapshot of one entry. */
export const poolKey = (entryId: string, plannedAt: Date): string => `${entryId} ${plannedAt.toISOString()}`;

/**
 * Finds out what each target of a slice would take of what is free at the outset, and keeps it for the finish. Gives the
 * targets whose search ended on its limit and found nothing.
 */
export async function composeGroups(
  scope: TenantScope,
  reader: PoolClient,
  writer: PoolClient,
  batch: GroupBatch,
  compiled: CompiledRuleSet,
  { pools, onStep }: JobContext,
  lap: (kind: 'readMs' | 'scoreMs' | 'writeMs') => void,
): Promise<RecordErrors> {
  const { composition } = compiled;
  if (composition === null) throw new Error('groups of a rule set that does not compose');
  const { entryId, bounds, owner } = batch;
  const { records, composer, outset } = await pools.get(poolKey(entryId, batch.plannedAt), async () => {
    const records = await readPool(reader, entryId, bounds.pool);
    onStep();
    return {
      records,
      composer: composition.open(records.pool),
      outset: await readOutset(reader, owner, composition.skipAlreadyMatched, records),
    };
  });
  lap('readMs');
  const ended = new RecordErrors(compositionProblems.searchEnded, records.ids);
  const turns = proposeEach(
    withoutRejected(composition, composer, records.pool, outset.rejected),
    bounds,
    outset.taken,
    ended,
  );
  const proposals = await takeTurns(turns, onStep, runningCheck(scope, owner.jobId));
  lap('scoreMs');
  await storeProposals(writer, entryId, batch.batchNo, proposals);
  lap('writeMs');
  return ended;
}

function* proposeEach(
  composer: Composer,
  { direction, from, to }: GroupBounds,
  taken: Taken,
  ended: RecordErrors,
): Generator<void, Proposal[], void> {
  const proposals: Proposal[] = [];
  for (let target = from; target < to; target++) {
    const proposal = composer.propose(direction, target, taken);
    if (proposal) proposals.push(proposal);
    else if (composer.unfinished) ended.add(targetSide[direction], target);
    yield;
  }
  return proposals;
}
