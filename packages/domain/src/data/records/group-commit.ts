import { createCoalescer, currentContext, isDatabaseUnavailable, withContext, type Db } from '@tieout/infra';
import type { JobProducer } from '../../kernel/jobs';
import type { SentRecord, StoreInGroup, StoreOutcome } from '../../kernel/ports';
import { enqueueChunks, processingChunkSize } from './enqueue';
import { storeRecords } from './store';

interface Member {
  record: SentRecord;
  requestId: string | undefined;
}

/** Max characters of data in one statement. */
const maxCharacters = 2 << 20;
/**
 * Time after which the next group no longer waits for a running one, which may wait for a lock on one of its records.
 */
const slowAfterMs = 50;
const maxConcurrent = 4;
/** Max request ids in log lines and the queue job of a group: all of them could be longer than the records. */
const maxNamedRequests = 10;

/**
 * Implements `StoreInGroup`: one statement, one transaction and one queue job store all records that a dataset is sent
 * while the group before is running. Each request is answered when its record is durable, or with its own failure.
 */
export function createGroupCommit({ db, queue }: { db: Db; queue: JobProducer }): StoreInGroup {
  const keyOf = (tenantId: string, dataset: string): string => `${tenantId} ${dataset}`;
  const add = createCoalescer<Member, StoreOutcome>({
    isSharedFailure: isDatabaseUnavailable,
    weigh: ({ record }) => record.data.length,
    maxItems: processingChunkSize,
    maxWeight: maxCharacters,
    slowAfterMs,
    maxConcurrent,
    run: (key, members) => {
      const tenant = db.forTenant(key.slice(0, key.indexOf(' ')));
      const dataset = key.slice(key.indexOf(' ') + 1);
      const requestIds = members.flatMap(({ requestId }) => requestId ?? []).slice(0, maxNamedRequests);
      const context = requestIds.length > 0 ? { requestId: requestIds.join(' ') } : {};
      return withContext({ ...context, tenantId: tenant.tenantId }, async () => {
        const stored = await storeRecords(
          tenant,
          dataset,
          members.map(({ record }) => record),
        );
        const ids = new Set(stored.flatMap((one) => (one && 'id' in one ? [one.id] : [])));
        if (ids.size > 0) await tenant.afterCommit(() => enqueueChunks(queue, tenant.tenantId, [...ids]));
        return stored;
      });
    },
  });
  return (tenantId, dataset, record) =>
    add(keyOf(tenantId, dataset), { record, requestId: currentContext().requestId });
}
