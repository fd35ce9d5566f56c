import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../jobs';
import { tenantScope, type DomainDeps } from '../scope';
import type { NormaliseRecords } from './normalise';
import { processRecords } from './process';
import { reprocessDataset } from './reprocess';

/** The record jobs of the ingest queue. Safe to repeat and to be killed at any point. */
export function createRecordHandlers(deps: DomainDeps, normalise: NormaliseRecords) {
  return {
    'records.process': ({ tenantId, recordIds }: JobPayload<Jobs, 'records.process'>): Promise<void> =>
      processRecords(tenantScope(deps, tenantId), recordIds, normalise),
    'dataset.reprocess': ({ tenantId, datasetId }: JobPayload<Jobs, 'dataset.reprocess'>): Promise<void> =>
      reprocessDataset(tenantScope(deps, tenantId), datasetId),
  };
}
