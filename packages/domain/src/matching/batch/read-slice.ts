import type { PoolClient } from '@tieout/infra';
import type { BatchBounds, Key } from './batch-cuts';
import type { JobLimits } from '../jobs/limits';
import { readBlock, type Block } from '../stage/block';
import { sideNumber } from '../stage/directory';
import { Rows, type RowsOptions } from '../stage/rows';
import { StageLostError, stageBlocks } from '../stage/staging';

async function* readBlocks(client: PoolClient, entryId: string, condition: string): AsyncGenerator<Block, void, void> {
  for await (const { rows, bytes } of stageBlocks(
    client,
    entryId,
    `${condition} order by from_bucket, from_day, run`,
  )) {
    yield readBlock(bytes, rows);
  }
}

/** The left rows of a batch, in key order. @throws StageLostError when they are not all there */
export async function readLeft(
  client: PoolClient,
  entryId: string,
  { from, to }: BatchBounds['left'],
  expectedRows: number,
  options: RowsOptions,
): Promise<Rows> {
  const lefts = new Rows(options);
  const condition = `side = ${sideNumber.left} and (from_bucket, from_day) <= (${to[0]}, ${to[1]}) and (to_bucket, to_day) >= (${from[0]}, ${from[1]})`;
  for await (const block of readBlocks(client, entryId, condition)) {
    lefts.take(block, (b, row) => compareKey(b, row, from) >= 0 && compareKey(b, row, to) <= 0);
  }
  if (lefts.length !== expectedRows) throw new StageLostError();
  lefts.sort();
  return lefts;
}

/** The window of the right side in chunks of bounded size, each of them in key order. */
export async function* readRight(
  client: PoolClient,
  entryId: string,
  bounds: BatchBounds['right'],
  limits: Pick<JobLimits, 'chunkRows' | 'chunkBytes'>,
  options: RowsOptions,
): AsyncGenerator<Rows, void, void> {
  const { bucketFrom, bucketTo } = bounds;
  const dayFrom = bounds.dayFrom ?? -Infinity;
  const dayTo = bounds.dayTo ?? Infinity;
  let chunk = new Rows(options);
  for await (const block of readBlocks(client, entryId, windowCondition(bounds))) {
    chunk.take(
      block,
      ({ bucket, day }, row) =>
        (bucket[row] as number) >= bucketFrom &&
        (bucket[row] as number) <= bucketTo &&
        (day[row] as number) >= dayFrom &&
        (day[row] as number) <= dayTo,
    );
    if (chunk.length < limits.chunkRows && chunk.weight < limits.chunkBytes) continue;
    chunk.sort();
    yield chunk;
    chunk = new Rows(options);
  }
  if (chunk.length === 0) return;
  chunk.sort();
  yield chunk;
}

/** Blocks that may hold rows of the window; one that lies inside a bucket can be told by its days too. */
function windowCondition({ bucketFrom, bucketTo, dayFrom, dayTo }: BatchBounds['right']): string {
  const buckets = `side = ${sideNumber.right} and from_bucket <= ${bucketTo} and to_bucket >= ${bucketFrom}`;
  if (dayFrom === null || dayTo === null) return buckets;
  return `${buckets} and (from_bucket, from_day) <= (${bucketTo}, ${dayTo}) and (to_bucket, to_day) >= (${bucketFrom}, ${dayFrom})
    and (from_bucket < to_bucket or (from_day <= ${dayTo} and to_day >= ${dayFrom}))`;
}

function compareKey({ bucket, day, seq }: Block, row: number, key: Key): number {
  return (bucket[row] as number) - key[0] || (day[row] as number) - key[1] || (seq[row] as number) - key[2];
}
