import { AppError, newId } from '@tieout/infra';
import { changesOf, recordAudit } from '../../audit';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { lockAccesses, readCaller, type Creator } from '../callers';
import { generateKey, keyPrefix } from './key-format';
import { assertMayRevoke, assertWithin } from '../limits';
import { scopesOfRole, type Role } from '../roles';
import type { Scope } from '../scopes';
import { endSessionsOf } from '../sessions';

/** A key without its secret. */
export interface ApiKey {
  id: string;
  label: string;
  scopes: string[];
  /** False once it is revoked or has expired. */
  active: boolean;
  createdAt: Date;
  prefix: string;
  last4: string;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  allowedCidrs: string[];
  /** null: the key was made before creators were recorded. */
  createdBy: Creator | null;
  /** The secret before the last rotation, while it is accepted. */
  previous: { prefix: string; last4: string; expiresAt: Date } | null;
}

interface ApiKeyRow {
  id: string;
  keyId: string;
  label: string;
  scopes: string[];
  active: boolean;
  createdAt: Date;
  last4: string;
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  allowedCidrs: string[];
  createdByType: string | null;
  createdById: string | null;
  createdByLabel: string | null;
  previousKeyId: string | null;
  previousLast4: string | null;
  previousUntil: Date | null;
}

const isPast = (date: Date | null): boolean => date !== null && date.getTime() <= Date.now();

function toApiKey(row: ApiKeyRow): ApiKey {
  const { id, label, scopes, createdAt, last4, lastUsedAt, expiresAt, allowedCidrs } = row;
  const { createdByType: type, previousKeyId, previousLast4, previousUntil } = row;
  const active = row.active && !isPast(expiresAt);
  const isPreviousAccepted = active && previousUntil !== null && !isPast(previousUntil);
  return {
    id,
    label,
    scopes,
    active,
    createdAt,
    prefix: keyPrefix(row.keyId),
    last4,
    lastUsedAt,
    expiresAt,
    allowedCidrs,
    createdBy:
      type === null
        ? null
        : { type: type as Creator['type'], id: row.createdById, label: row.createdByLabel ?? 'Platform' },
    previous: isPreviousAccepted
      ? { prefix: keyPrefix(previousKeyId ?? ''), last4: previousLast4 ?? '', expiresAt: previousUntil }
      : null,
  };
}

export interface CreateApiKey {
  label: string;
  /** []: everything that the tenant may do. */
  scopes: readonly Scope[];
  expiresAt: Date | null;
  /** Ranges as `parseAddressRange` gives them. */
  allowedCidrs: readonly string[];
}

/** A key with its text, which no other answer holds. */
export interface IssuedApiKey {
  apiKey: ApiKey;
  text: string;
}

/**
 * Creates a key.
 * @throws AppError insufficient_scope when the new key would reach further than the calling one
 */
export function createApiKey(scope: TenantScope, input: CreateApiKey): Promise<IssuedApiKey> {
  return scope.transaction(async (tx) => {
    await lockAccesses(tx);
    const { limits, creator, holderIds } = await readCaller(tx);
    assertWithin(limits, input);
    const key = generateKey();
    const row = await tx.db.orm.apiKey.create({
      data: {
        id: newId(),
        tenantId: tx.tenantId,
        keyId: key.keyId,
        secretHash: new Uint8Array(key.secretHash),
        last4: key.last4,
        label: input.label,
        scopes: [...new Set(input.scopes)],
        expiresAt: input.expiresAt,
        allowedCidrs: [...new Set(input.allowedCidrs)],
        createdByType: creator.type,
        createdById: creator.id,
        createdByLabel: creator.type === 'platform' ? null : creator.label,
        secretHolderIds: [...holderIds],
      },
    });
    const apiKey = toApiKey(row);
    const object = { type: 'api_key', id: row.id };
    await recordAudit(tx, { action: 'api_key.create', object, after: audited(apiKey) });
    return { apiKey, text: key.text };
  });
}

/** Returns the part of a key that an audit entry shows. */
const audited = ({ label, prefix, scopes, expiresAt, allowedCidrs, active, previous }: ApiKey): object => ({
  label,
  prefix,
  scopes,
  expires_at: expiresAt,
  allowed_cidrs: allowedCidrs,
  active,
  previous_until: previous?.expiresAt ?? null,
});

/**
 * Gives a key another secret. The present one is accepted for `overlapSeconds` more, one before it no longer.
 * @throws AppError api_key_not_found, insufficient_scope when the key reaches further than the calling one, conflict
 *   for a key that is not active
 */
export function rotateApiKey(scope: TenantScope, id: string, overlapSeconds: number): Promise<IssuedApiKey> {
  return scope.transaction(async (tx) => {
    await lockAccesses(tx);
    const { limits, holderIds } = await readCaller(tx);
    const before = await tx.db.orm.apiKey.findFirst({ where: { id } });
    if (!before) throw notFound();
    assertWithin(limits, before);
    if (!toApiKey(before).active) {
      throw new AppError('conflict', 'The key is revoked or has expired: create another one in its place');
    }
    const key = generateKey();
    const isOverlapping = overlapSeconds > 0;
    const holders = new Set([...holderIds, ...(isOverlapping ? before.secretHolderIds : [])]);
    const row = await tx.db.orm.apiKey.update({
      where: { id },
      data: {
        keyId: key.keyId,
        secretHash: new Uint8Array(key.secretHash),
        last4: key.last4,
        retiredKeyIds: { push: before.keyId },
        secretHolderIds: [...holders],
        previousKeyId: isOverlapping ? before.keyId : null,
        previousSecretHash: isOverlapping ? before.secretHash : null,
        previousLast4: isOverlapping ? before.last4 : null,
        previousUntil: isOverlapping ? new Date(Date.now() + overlapSeconds * 1000) : null,
      },
    });
    const apiKey = toApiKey(row);
    const changes = changesOf(audited(toApiKey(before)), audited(apiKey));
    await recordAudit(tx, { action: 'api_key.rotate', object: { type: 'api_key', id }, ...changes });
    return { apiKey, text: key.text };
  });
}

export interface ApiKeyFilter {
  /** Id of a key or a user, or `platform`. */
  createdBy?: string;
}

export async function listApiKeys(
  scope: TenantScope,
  { createdBy }: ApiKeyFilter,
  request: PageRequest,
): Promise<Page<ApiKey>> {
  const where =
    createdBy === undefined ? {} : createdBy === 'platform' ? { createdByType: createdBy } : { createdById: createdBy };
  const page = await readPage(request, {
    count: () => scope.db.orm.apiKey.count({ where }),
    rows: ({ skip, take }) => scope.db.orm.apiKey.findMany({ where, orderBy: { id: 'desc' }, skip, take }),
  });
  return { ...page, items: page.items.map(toApiKey) };
}

const notFound = (): AppError => new AppError('api_key_not_found', 'API key not found');

/** @throws AppError api_key_not_found */
export async function getApiKey(scope: TenantScope, id: string): Promise<ApiKey> {
  const row = await scope.db.orm.apiKey.findFirst({ where: { id } });
  if (!row) throw notFound();
  return toApiKey(row);
}

interface Revocation {
  id: string;
  /** Also revokes what the key has made, and what was given to it by rotation, in turn. */
  withDescendants: boolean;
}

interface Access {
  id: string;
  isUser: boolean;
  /** Scopes of the key, or of the user's role. */
  scopes: readonly string[];
  active: boolean;
}

/** Reads a key and, where asked for, the keys that it made or rotated and the users that it invited, in turn. */
async function readFamily(tx: TenantScope, { id, withDescendants }: Revocation): Promise<Access[]> {
  const rows = await tx.db.query<Access & { role: Role | null }>(
    `with recursive given (id, by_ids, is_user) as (
       select id, array_append(secret_holder_ids, created_by_id), false from api_keys where tenant_id = $1::uuid
       union all
       select id, array[invited_by_id], true from users where tenant_id = $1::uuid),
     found (id, is_user) as (
       select id, is_user from given where id = $2::uuid and not is_user
       union
       select g.id, g.is_user from given g join found f on f.id = any(g.by_ids) where $3::boolean)
     select f.id::text as id, f.is_user as "isUser", k.scopes, u.role, coalesce(k.active, u.active) as active
       from found f
       left join api_keys k on k.tenant_id = $1::uuid and k.id = f.id
       left join users u on u.tenant_id = $1::uuid and u.id = f.id`,
    [tx.tenantId, id, withDescendants],
  );
  return rows.map(({ role, ...access }) => ({ ...access, scopes: role ? scopesOfRole[role] : access.scopes }));
}

/**
 * Ends accesses: keys for good; users until a user activates and invites them again, as their creator may know their
 * password or invitation. Returns the ids of what was ended.
 */
async function endAccesses(tx: TenantScope, accesses: readonly Access[]): Promise<string[]> {
  const end = async (table: 'api_keys' | 'users', columns: string): Promise<string[]> => {
    const isUser = table === 'users';
    const ids = accesses.filter((access) => access.isUser === isUser).map((access) => access.id);
    const ended = await tx.db.query<{ id: string }>(
      `update ${table} set ${columns} where tenant_id = $1::uuid and id = any($2::uuid[]) and active
       returning id::text as id`,
      [tx.tenantId, ids],
    );
    return ended.map((row) => row.id);
  };
  const keys = await end('api_keys', 'active = false');
  const users = await end('users', 'active = false, password = null, invitation_hash = null, invitation_until = null');
  await endSessionsOf(tx, users);
  return [...keys, ...users];
}

/**
 * Revokes a key for good; a repetition changes nothing. Users that its descendants are can be made active again. A
 * calling user stays.
 * @throws AppError api_key_not_found, insufficient_scope when one of them has scopes that the caller lacks
 */
export function revokeApiKey(scope: TenantScope, { id, withDescendants }: Revocation): Promise<void> {
  return scope.transaction(async (tx) => {
    await lockAccesses(tx);
    const { limits } = await readCaller(tx);
    const found = await readFamily(tx, { id, withDescendants });
    if (found.length === 0) throw notFound();
    const isCaller = (access: Access): boolean => access.isUser && access.id === tx.origin.actor.id;
    const revoked = found.filter((access) => (access.active || access.id === id) && !isCaller(access));
    for (const { scopes } of revoked) assertMayRevoke(limits, scopes);
    const ended = await endAccesses(tx, revoked);
    if (ended.length === 0) return;
    await recordAudit(tx, {
      action: 'api_key.revoke',
      object: { type: 'api_key', id },
      before: { active: true },
      after: { active: false, ids: ended },
    });
  });
}
