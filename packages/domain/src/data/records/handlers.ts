import type { Db, JobPayload } from '@tieout/infra';
import type { JobProducer, Jobs } from '../../kernel/jobs';
import type { DomainDeps } from '../../kernel/scope';
import { isActiveSql } from '../../kernel/sql';
import type { NormaliseRecords } from './normalise';
import { processRecords, type RecordJobScope } from './process';
import { reprocessDataset } from './reprocess';

interface RecordHandlerDeps {
  db: Db;
  queue: JobProducer;
}

/** Creates the handlers of record jobs of the ingest queue, which may be repeated and killed at any point. */
export function createRecordHandlers(deps: RecordHandlerDeps, normalise: NormaliseRecords) {
  const scope = (tenantId: string): RecordJobScope => ({
    tenantId,
    db: deps.db.forTenant(tenantId),
    queue: deps.queue,
  });
  return {
    'records.process': ({ tenantId, recordIds }: JobPayload<Jobs, 'records.process'>): Promise<void> =>
      processRecords(scope(tenantId), recordIds, normalise),
    'dataset.reprocess': ({ tenantId, datasetId }: JobPayload<Jobs, 'dataset.reprocess'>): Promise<void> =>
      reprocessDataset(scope(tenantId), datasetId),
  };
}

/** Number of rows read: a tenant that has just sent a record is among the newest. */
const newestCount = 2_000;

/** Returns whether other tenants have recently received records that wait for processing. */
export async function othersHaveReceivedRecords(deps: DomainDeps, tenantId: string): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (
       select 1 from (select tenant_id from records where status = 'received' order by updated_at desc limit $2::int) r
        where r.tenant_id <> $1::uuid and ${isActiveSql('r.tenant_id')}) as found`,
    [tenantId, newestCount],
  );
  return row?.found === true;
}
