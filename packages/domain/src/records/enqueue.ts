import { newId, type BulkItem } from '@tieout/infra';
import type { JobProducer } from '../jobs';
import type { TenantScope } from '../scope';
import { Lanes } from './lanes';

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

const lanes = new Lanes(PROCESSING_CHUNK);

/**
 * The number of a chunk in its tenant's lane is its priority: the first one of any tenant comes before the second of another, however much
 * one of them has sent, at once or record by record.
 */
export async function enqueueChunks(queue: JobProducer, tenantId: string, recordIds: readonly string[], { once = false, sinceMs = Date.now() }: ChunkOptions = {}): Promise<void> {
  const items: BulkItem<{ tenantId: string; recordIds: string[] }>[] = [];
  for (let i = 0; i < recordIds.length; i += PROCESSING_CHUNK) {
    const ids = recordIds.slice(i, i + PROCESSING_CHUNK);
    items.push({ payload: { tenantId, recordIds: ids }, priority: lanes.next(tenantId, ids.length), once, jobId: chunkId({ tenantId, sinceMs }) });
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
