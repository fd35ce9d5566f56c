import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../../kernel/jobs';
import { othersHaveReceivedRecords, type NormaliseRecords } from '../records';
import { tenantScope, type DomainDeps } from '../../kernel/scope';
import { isActiveSql } from '../../kernel/sql';
import { ingestFile } from './ingest';

/** Creates the handlers of file jobs of the ingest queue, which may be repeated and killed at any point. */
export function createFileHandlers(deps: DomainDeps, normalise: NormaliseRecords) {
  return {
    'file.ingest': ({ tenantId, fileId }: JobPayload<Jobs, 'file.ingest'>): Promise<void> => {
      const othersWait = async (): Promise<boolean> =>
        (await othersHaveOpenFiles(deps, tenantId)) || (await othersHaveReceivedRecords(deps, tenantId));
      return ingestFile(tenantScope(deps, tenantId), fileId, { normalise, othersWait });
    },
  };
}

/** Returns whether other tenants have files that are not read to the end. */
export async function othersHaveOpenFiles(deps: DomainDeps, tenantId: string): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (
       select 1 from data_source_files where status in ('uploaded', 'processing') and tenant_id <> $1::uuid
          and ${isActiveSql('tenant_id')}) as found`,
    [tenantId],
  );
  return row?.found === true;
}
