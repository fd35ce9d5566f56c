import type { Db, JobPayload } from '@tieout/infra';
import type { JobProducer, Jobs } from '../../kernel/jobs';
import type { NormaliseRecords } from './normalise';
import { processRecords } from './process';
import { reprocessDataset } from './reprocess';
import type { RecordJobScope } from './job-scope';

export interface RecordHandlerDeps {
  db: Db;
  queue: JobProducer;
}

/** The record jobs of the ingest queue. Safe to repeat and to be killed at any point. */
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
