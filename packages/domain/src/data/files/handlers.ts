import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../../kernel/jobs';
import { othersHaveReceivedRecords, type NormaliseRecords } from '../records';
import { tenantScope, type DomainDeps } from '../../kernel/scope';
import { othersHaveOpenFiles } from './fairness';
import { ingestFile } from './ingest';

/** The file jobs of the ingest queue. Safe to repeat and to be killed at any point. */
export function createFileHandlers(deps: DomainDeps, normalise: NormaliseRecords) {
  return {
    'file.ingest': ({ tenantId, fileId }: JobPayload<Jobs, 'file.ingest'>): Promise<void> => {
      const othersWait = async (): Promise<boolean> =>
        (await othersHaveOpenFiles(deps, tenantId)) || (await othersHaveReceivedRecords(deps, tenantId));
      return ingestFile(tenantScope(deps, tenantId), fileId, { normalise, othersWait });
    },
  };
}
