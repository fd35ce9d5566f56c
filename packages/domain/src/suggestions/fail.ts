import type { TenantScope } from '../kernel/scope';

/** Fails an open suggestion. One that has ended stays as it is. */
export async function failSuggestion(
  { db, tenantId }: TenantScope,
  id: string,
  error: { code: string; message: string },
): Promise<void> {
  await db.execute(
    `update suggestions set status = 'failed', error = $3::jsonb, finished_at = now()
      where tenant_id = $1::uuid and id = $2::uuid and status in ('queued', 'running')`,
    [tenantId, id, JSON.stringify(error)],
  );
}
