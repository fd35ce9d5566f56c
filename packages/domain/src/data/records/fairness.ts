import type { DomainDeps } from '../../kernel/scope';

/** Rows that are looked at: a tenant that has just sent something is among the newest. */
const newest = 2_000;

/** Whether anybody but this tenant has records that were received lately and wait to be processed. */
export async function othersHaveReceivedRecords(deps: DomainDeps, tenantId: string): Promise<boolean> {
  const [row] = await deps.db.system.query<{ found: boolean }>(
    `select exists (
       select 1 from (select tenant_id from records where status = 'received' order by updated_at desc limit $2::int) r
        where r.tenant_id <> $1::uuid) as found`,
    [tenantId, newest],
  );
  return row?.found === true;
}
