import type { TenantScope } from '../../kernel/scope';
import { getUser, type User } from './users';

/** The caller and the tenant for which it acts. */
export interface OwnAccess {
  /** Null for a key. */
  user: User | null;
  /** Null for a user and for the platform key. */
  key: { id: string; label: string } | null;
  tenant: { id: string; name: string };
}

/** Reads the caller's own user or key, and its tenant. */
export async function readOwnAccess(scope: TenantScope): Promise<OwnAccess> {
  const { db, tenantId, origin } = scope;
  const { type, id } = origin.actor;
  const [tenant] = await db.query<{ id: string; name: string }>(
    'select id::text as id, name from tenants where id = $1::uuid',
    [tenantId],
  );
  const [key] =
    (type === 'key' || type === 'agent') && id !== null
      ? await db.query<{ id: string; label: string }>(
          'select id::text as id, label from api_keys where tenant_id = $1::uuid and id = $2::uuid',
          [tenantId, id],
        )
      : [];
  const user = type === 'user' ? await getUser(scope, id as string) : null;
  return { user, key: key ?? null, tenant: tenant as { id: string; name: string } };
}
