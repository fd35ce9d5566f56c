import type { CompiledRuleSet, Composer, Proposal, Taken } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import type { CompositeOwner } from '../../composite-matches';
import type { TenantScope } from '../../scope';
import type { JobContext } from '../handlers';
import { runningCheck, takeTurns } from '../running';
import type { GroupBounds } from './group-bounds';
import { readOutset, withoutRejected } from './outset';
import { storeProposals } from './proposals';
import { readPool } from './read-pool';

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

/** Finds out what each target of a slice would take of what is free at the outset, and keeps it for the finish. */
export async function composeGroups(
  scope: TenantScope,
  reader: PoolClient,
  writer: PoolClient,
  batch: GroupBatch,
  compiled: CompiledRuleSet,
  { pools, onStep }: JobContext,
  lap: (kind: 'readMs' | 'scoreMs' | 'writeMs') => void,
): Promise<void> {
  const { composition } = compiled;
  if (composition === null) throw new Error('groups of a rule set that does not compose');
  const { entryId, bounds, owner } = batch;
  const { composer, outset } = await pools.get(poolKey(entryId, batch.plannedAt), async () => {
    const records = await readPool(reader, entryId, bounds.pool);
    onStep();
    return { records, composer: composition.open(records.pool), outset: await readOutset(reader, owner, composition.skipAlreadyMatched, records) };
  });
  lap('readMs');
  const turns = proposeEach(withoutRejected(composer, outset.rejected), bounds, outset.taken);
  const proposals = await takeTurns(turns, onStep, runningCheck(scope, owner.jobId));
  lap('scoreMs');
  await storeProposals(writer, entryId, batch.batchNo, proposals);
  lap('writeMs');
}

function* proposeEach(composer: Composer, { direction, from, to }: GroupBounds, taken: Taken): Generator<void, Proposal[], void> {
  const proposals: Proposal[] = [];
  for (let target = from; target < to; target++) {
    const proposal = composer.propose(direction, target, taken);
    if (proposal) proposals.push(proposal);
    yield;
  }
  return proposals;
}
