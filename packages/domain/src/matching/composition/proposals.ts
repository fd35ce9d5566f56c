import type { Proposal } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { StageLostError, lostWithStage, stageBlocks, stageSides, stageTable } from '../stage/staging';

/** Keeps what the targets of a batch would take, inside the transaction that marks the batch as done. */
export async function storeProposals(
  client: PoolClient,
  entryId: string,
  batchNo: number,
  proposals: readonly Proposal[],
): Promise<void> {
  try {
    await client.query(
      `insert into ${stageTable(entryId)} (side, run, block, row_count, from_bucket, from_day, to_bucket, to_day, data)
       values (${stageSides.proposals}, $1, 0, $2, 0, 0, 0, 0, $3)`,
      [batchNo, proposals.length, Buffer.from(JSON.stringify(proposals))],
    );
  } catch (error) {
    throw lostWithStage(error);
  }
}

/** All proposals of an entry. @throws StageLostError unless so many batches have stored theirs */
export async function readProposals(client: PoolClient, entryId: string, batches: number): Promise<Proposal[]> {
  const proposals: Proposal[] = [];
  let found = 0;
  for await (const { bytes } of stageBlocks(client, entryId, `side = ${stageSides.proposals} order by run`)) {
    for (const proposal of JSON.parse(bytes.toString('utf8')) as Proposal[]) proposals.push(proposal);
    found++;
  }
  if (found !== batches) throw new StageLostError();
  return proposals;
}
