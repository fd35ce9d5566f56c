import { newId, type BulkItem, type FairPriorities } from '@tieout/infra';
import type { JobProducer } from '../../kernel/jobs';
import { fairPriorities } from '../../kernel/priorities';
import type { TenantScope } from '../../kernel/scope';

/** Max records of one processing job: enough for set-based work, few enough to repeat after a crash. */
export const processingChunkSize = 500;

/** Enqueues the processing of records after the commit of the current transaction, if any. */
export async function enqueueProcessing(scope: TenantScope, recordIds: readonly string[]): Promise<void> {
  await scope.db.afterCommit(() => enqueueChunks(scope.queue, scope.tenantId, recordIds));
}

interface ChunkOptions {
  /** See EnqueueOptions. */
  once?: boolean;
  /** Time since which the oldest of these records waits. Default: now. */
  sinceMs?: number;
}

/** Min cost of a job, in whole chunks: for one record, most of the time is overhead. */
const minChunkCost = 0.05;

/** Cost of a job, in whole chunks. */
const chunkCost = (records: number): number => Math.max(records / processingChunkSize, minChunkCost);

const prioritiesOf = (queue: JobProducer): FairPriorities => fairPriorities(queue, 'records.process');

/** Informs the consumer how chunks were prioritized: as if all records took the same time. */
export const costedChunks = (queue: JobProducer) => ({
  names: ['records.process'],
  costOf: (payload: unknown): number => chunkCost((payload as { recordIds: string[] }).recordIds.length),
  priorities: prioritiesOf(queue),
});

/** Enqueues chunks with fair priorities: a tenant gains nothing by sending many records, in bulk or one by one. */
export async function enqueueChunks(
  queue: JobProducer,
  tenantId: string,
  recordIds: readonly string[],
  { once = false, sinceMs = Date.now() }: ChunkOptions = {},
): Promise<void> {
  if (recordIds.length === 0) return;
  const priorities = prioritiesOf(queue);
  await priorities.ready();
  const items: BulkItem<{ tenantId: string; recordIds: string[] }>[] = [];
  for (let i = 0; i < recordIds.length; i += processingChunkSize) {
    const ids = recordIds.slice(i, i + processingChunkSize);
    items.push({
      payload: { tenantId, recordIds: ids },
      priority: priorities.next(tenantId, chunkCost(ids.length)),
      once,
      jobId: chunkId({ tenantId, sinceMs }),
    });
  }
  await queue.enqueueMany('records.process', items);
}

/** Parts of the id of a chunk's queue job. The sweep for lost records reads ids only, however many records wait. */
interface ChunkKey {
  tenantId: string;
  sinceMs: number;
}

const chunkId = ({ tenantId, sinceMs }: ChunkKey): string => `records-${tenantId}-${Math.floor(sinceMs)}-${newId()}`;

/** Parses the id of a queue job; undefined if the job is not a chunk. */
export function readChunkId(jobId: string): ChunkKey | undefined {
  const [, tenantId, sinceMs] = /^records-(.{36})-(\d+)-/.exec(jobId) ?? [];
  return tenantId === undefined ? undefined : { tenantId, sinceMs: Number(sinceMs) };
}
