import { createCoalescer, currentContext, isDatabaseUnavailable, withContext, type Db } from '@tieout/infra';
import type { JobProducer } from '../../kernel/jobs';
import { enqueueChunks, PROCESSING_CHUNK } from './enqueue';
import { storeRecords, type SentRecord, type Stored } from './store';

/** Stores a record together with those that other requests send at the same time, and has them processed. */
export type StoreInGroup = (tenantId: string, dataset: string, record: SentRecord) => Promise<Stored>;

interface Member {
  record: SentRecord;
  requestId: string | undefined;
}

/** Characters of data in one statement. */
const mostCharacters = 2 << 20;
/** A lock that one record has to wait for holds up the others for so long. */
const patienceMs = 50;
const mostAtOnce = 4;
/** Requests of a group that the log and the queue job name: with all of them, a line would be longer than the records. */
const namedRequests = 10;

/**
 * Records of requests are stored by the group: one statement, one transaction and one queue job for all that a dataset is sent
 * while the group before is under way. Each request is answered when its record is durable, or with its own failure.
 */
export function createGroupCommit({ db, queue }: { db: Db; queue: JobProducer }): StoreInGroup {
  const keyOf = (tenantId: string, dataset: string): string => `${tenantId} ${dataset}`;
  const add = createCoalescer<Member, Stored>({
    isSharedFailure: isDatabaseUnavailable,
    weigh: ({ record }) => record.data.length,
    maxItems: PROCESSING_CHUNK,
    maxWeight: mostCharacters,
    slowAfterMs: patienceMs,
    maxConcurrent: mostAtOnce,
    run: (key, members) => {
      const tenant = db.forTenant(key.slice(0, key.indexOf(' ')));
      const dataset = key.slice(key.indexOf(' ') + 1);
      const requestIds = members.flatMap(({ requestId }) => requestId ?? []).slice(0, namedRequests);
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
