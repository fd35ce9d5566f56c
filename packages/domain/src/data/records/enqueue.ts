import { FairPriorities, newId, type BulkItem } from '@tieout/infra';
import type { JobProducer } from '../../kernel/jobs';
import type { TenantScope } from '../../kernel/scope';

/** Records of one processing job: enough to work set-based, few enough to repeat after a crash. */
export const PROCESSING_CHUNK = 500;

/** Enqueues the processing of records once the transaction in hand, if any, is durable. */
export async function enqueueProcessing(scope: TenantScope, recordIds: readonly string[]): Promise<void> {
  await scope.db.afterCommit(() => enqueueChunks(scope.queue, scope.tenantId, recordIds));
}

export interface ChunkOptions {
  /** See EnqueueOptions. */
  once?: boolean;
  /** Since when the one of these records waits that waits longest. Default: now. */
  sinceMs?: number;
}

/** A job of one record takes as long as so much of a whole chunk, since most of its time is no work on records. */
const leastPart = 0.05;

/** What a job of so many records costs, in whole chunks. */
const partOfChunk = (records: number): number => Math.max(records / PROCESSING_CHUNK, leastPart);

const lanesByQueue = new WeakMap<JobProducer, FairPriorities>();

function lanesOf(queue: JobProducer): FairPriorities {
  const lanes = lanesByQueue.get(queue) ?? new FairPriorities(() => queue.headPriority('records.process'));
  lanesByQueue.set(queue, lanes);
  return lanes;
}

/** How whoever takes them up finds chunks numbered: as if all records took as long. */
export const pacedChunks = (queue: JobProducer) => ({
  names: ['records.process'],
  costOf: (payload: unknown): number => partOfChunk((payload as { recordIds: string[] }).recordIds.length),
  priorities: lanesOf(queue),
});

/** Chunks are numbered by tenant: nobody gets ahead by sending much, at once or record by record. */
export async function enqueueChunks(
  queue: JobProducer,
  tenantId: string,
  recordIds: readonly string[],
  { once = false, sinceMs = Date.now() }: ChunkOptions = {},
): Promise<void> {
  if (recordIds.length === 0) return;
  const lanes = lanesOf(queue);
  await lanes.ready();
  const items: BulkItem<{ tenantId: string; recordIds: string[] }>[] = [];
  for (let i = 0; i < recordIds.length; i += PROCESSING_CHUNK) {
    const ids = recordIds.slice(i, i + PROCESSING_CHUNK);
    items.push({
      payload: { tenantId, recordIds: ids },
      priority: lanes.next(tenantId, partOfChunk(ids.length)),
      once,
      jobId: chunkId({ tenantId, sinceMs }),
    });
  }
  const [first, ...others] = items;
  if (first && others.length === 0) await queue.enqueue('records.process', first.payload, first);
  else await queue.enqueueMany('records.process', items);
}

/** What the id of a chunk's queue job says: whoever looks for what is lost reads ids only, however many records wait. */
export interface ChunkOf {
  tenantId: string;
  sinceMs: number;
}

const chunkId = ({ tenantId, sinceMs }: ChunkOf): string => `records-${tenantId}-${Math.floor(sinceMs)}-${newId()}`;

/** Nothing where the job is none of a chunk. */
export function readChunkId(jobId: string): ChunkOf | undefined {
  const [, tenantId, sinceMs] = /^records-(.{36})-(\d+)-/.exec(jobId) ?? [];
  return tenantId === undefined ? undefined : { tenantId, sinceMs: Number(sinceMs) };
}
