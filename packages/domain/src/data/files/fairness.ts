import type { DomainDeps } from '../../kernel/scope';

/** Whether anybody but this tenant has files that are not read to their end. */
export async function othersHaveOpenFiles(deps: DomainDeps, tenantId: string): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (select 1 from data_source_files where status in ('uploaded', 'processing') and tenant_id <> $1::uuid) as found`,
    [tenantId],
  );
  return row?.found === true;
}
