import type { Side } from '@tieout/engine';
import type { PoolClient } from '@tieout/infra';
import { sideNumber } from '../../results/unmatched';
import type { JobLimits } from '../jobs/limits';
import type { BatchBounds, LeftKey } from '../plan/batch-cuts';
import { readBlock, type Block } from '../stage/block';
import { Rows, type RowsOptions } from '../stage/rows';
import { StageLostError, type Stage } from '../stage/staging';

/** The stage of an entry, and a connection to read it. */
export interface StageSource {
  client: PoolClient;
  stage: Stage;
}

async function* readBlocks(
  { client, stage }: StageSource,
  side: Side,
  narrowed: string,
): AsyncGenerator<Block, void, void> {
  for await (const { rows, bytes } of stage.read(client, { side: sideNumber[side], order: 'key', narrowed }))
    yield readBlock(bytes, rows);
}

/** Reads the left rows of a batch in key order. @throws StageLostError unless all rows are there */
export async function readLeft(
  source: StageSource,
  { from, to }: BatchBounds['left'],
  expectedRows: number,
  options: RowsOptions,
): Promise<Rows> {
  const lefts = new Rows(options);
  const narrowed = `(from_bucket, from_day) <= (${to[0]}, ${to[1]})
    and (to_bucket, to_day) >= (${from[0]}, ${from[1]})`;
  for await (const block of readBlocks(source, 'left', narrowed)) {
    lefts.take(block, (b, row) => compareKey(b, row, from) >= 0 && compareKey(b, row, to) <= 0);
  }
  if (lefts.length !== expectedRows) throw new StageLostError();
  lefts.sort();
  return lefts;
}

interface RightOptions extends RowsOptions {
  limits: Pick<JobLimits, 'chunkRows' | 'chunkBytes'>;
  /** Restricts the rows of the window to these seqs. */
  isWanted?: ((seq: number) => boolean) | undefined;
}

/** Reads the window of the right side in chunks of bounded size, each in key order. */
export async function* readRight(
  source: StageSource,
  bounds: BatchBounds['right'],
  { limits, isWanted, ...options }: RightOptions,
): AsyncGenerator<Rows, void, void> {
  const { bucketFrom, bucketTo } = bounds;
  const dayFrom = bounds.dayFrom ?? -Infinity;
  const dayTo = bounds.dayTo ?? Infinity;
  let chunk = new Rows(options);
  for await (const block of readBlocks(source, 'right', windowCondition(bounds))) {
    chunk.take(
      block,
      ({ bucket, day, seq }, row) =>
        (bucket[row] as number) >= bucketFrom &&
        (bucket[row] as number) <= bucketTo &&
        (day[row] as number) >= dayFrom &&
        (day[row] as number) <= dayTo &&
        isWanted?.(seq[row] as number) !== false,
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

/** Selects the blocks that may hold rows of the window. A block inside one bucket is also selected by its days. */
function windowCondition({ bucketFrom, bucketTo, dayFrom, dayTo, buckets: ranges }: BatchBounds['right']): string {
  if (ranges !== undefined) {
    const [froms, tos] = [0, 1].map((end) => `'{${ranges.map((range) => range[end]).join(',')}}'::bigint[]`);
    return `exists (select 1 from unnest(${froms}, ${tos}) as r (first, last)
      where from_bucket <= r.last and to_bucket >= r.first)`;
  }
  const buckets = `from_bucket <= ${bucketTo} and to_bucket >= ${bucketFrom}`;
  if (dayFrom === null || dayTo === null) return buckets;
  return `${buckets} and (from_bucket, from_day) <= (${bucketTo}, ${dayTo})
    and (to_bucket, to_day) >= (${bucketFrom}, ${dayFrom})
    and (from_bucket < to_bucket or (from_day <= ${dayTo} and to_day >= ${dayFrom}))`;
}

function compareKey({ bucket, day, seq }: Block, row: number, key: LeftKey): number {
  return (bucket[row] as number) - key[0] || (day[row] as number) - key[1] || (seq[row] as number) - key[2];
}
