import { AppError } from '@tieout/infra';
import type { TenantScope } from '../kernel/scope';
import { scopesOfRole, type Role } from './roles';
import { unlimited, type KeyLimits } from './limits';

/** The maker of a key: a key of the tenant, a person, or the platform key. */
export interface Creator {
  type: 'key' | 'user' | 'platform';
  /** null: the platform key. */
  id: string | null;
  label: string;
}

/** A caller that creates keys or users. */
export interface AccessGrantor {
  limits: KeyLimits;
  creator: Creator;
  /** The calling key and the keys that hold its secret now: they receive what it receives. */
  holderIds: readonly string[];
}

/**
 * Serializes the changes of one tenant's keys and users until the transaction ends. Without this lock, a key that is
 * being revoked with its descendants could create one more that the revocation does not see.
 */
export async function lockAccesses(tx: TenantScope): Promise<void> {
  await tx.db.query(`select pg_advisory_xact_lock(hashtextextended('keys of ' || $1::text, 0))::text`, [tx.tenantId]);
}

/**
 * Reads the caller as it is now.
 * @throws AppError invalid_api_key, invalid_session when it has ended since the request arrived
 */
export async function readCaller(tx: TenantScope): Promise<AccessGrantor> {
  const { type, id } = tx.origin.actor;
  if (type === 'user' && id !== null) return readUser(tx, id);
  if (type === 'operator' || id === null)
    return { limits: unlimited, creator: { type: 'platform', id: null, label: 'Platform' }, holderIds: [] };
  const row = await tx.db.orm.apiKey.findFirst({ where: { id, active: true } });
  if (!row || (row.expiresAt !== null && row.expiresAt.getTime() <= Date.now()))
    throw new AppError('invalid_api_key', 'The API key is not valid');
  const creator: Creator = { type: 'key', id: row.id, label: row.label };
  return { limits: row, creator, holderIds: [...new Set([row.id, ...row.secretHolderIds])] };
}

async function readUser(tx: TenantScope, id: string): Promise<AccessGrantor> {
  const row = await tx.db.orm.user.findFirst({ where: { id, active: true } });
  if (!row) throw new AppError('invalid_session', 'The session has ended: sign in again');
  const limits = { ...unlimited, scopes: scopesOfRole[row.role as Role] };
  return { limits, creator: { type: 'user', id, label: row.email }, holderIds: [id] };
}
