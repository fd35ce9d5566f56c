import { AppError, newId } from '@tieout/infra';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { generateKey, keyPrefix } from './key-format';
import { mayMint, type Scope } from './scopes';

/** A key without its secret. */
export interface ApiKey {
  id: string;
  label: string;
  scopes: string[];
  active: boolean;
  createdAt: Date;
  prefix: string;
  last4: string;
  lastUsedAt: Date | null;
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
}

function toApiKey(row: ApiKeyRow): ApiKey {
  const { id, label, scopes, active, createdAt, last4, lastUsedAt } = row;
  return { id, label, scopes, active, createdAt, prefix: keyPrefix(row.keyId), last4, lastUsedAt };
}

export interface CreateApiKey {
  label: string;
  /** []: everything that the tenant may do. */
  scopes: readonly Scope[];
  /** Scopes of the calling key; [] for an unrestricted one. */
  mintedBy: readonly string[];
}

/**
 * Creates a key; only this result holds its text.
 * @throws AppError insufficient_scope when the calling key lacks a scope of the new one
 */
export async function createApiKey(scope: TenantScope, input: CreateApiKey): Promise<{ apiKey: ApiKey; text: string }> {
  if (!mayMint(input.mintedBy, input.scopes)) {
    throw new AppError('insufficient_scope', 'A key cannot create a key with scopes that it lacks itself');
  }
  const key = generateKey();
  const row = await scope.db.orm.apiKey.create({
    data: {
      id: newId(),
      tenantId: scope.tenantId,
      keyId: key.keyId,
      secretHash: new Uint8Array(key.secretHash),
      last4: key.last4,
      label: input.label,
      scopes: [...new Set(input.scopes)],
    },
  });
  return { apiKey: toApiKey(row), text: key.text };
}

export async function listApiKeys(scope: TenantScope, request: PageRequest): Promise<Page<ApiKey>> {
  const page = await readPage(request, {
    count: () => scope.db.orm.apiKey.count(),
    rows: ({ skip, take }) => scope.db.orm.apiKey.findMany({ orderBy: { id: 'desc' }, skip, take }),
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

/**
 * Revokes a key for good; a repetition changes nothing.
 * @throws AppError api_key_not_found
 */
export async function revokeApiKey(scope: TenantScope, id: string): Promise<void> {
  const { count } = await scope.db.orm.apiKey.updateMany({ where: { id }, data: { active: false } });
  if (count === 0) throw notFound();
}
