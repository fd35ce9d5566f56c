import type { ApiKey } from '@tieout/domain';

export const presentApiKey = (apiKey: ApiKey) => ({
  id: apiKey.id,
  label: apiKey.label,
  scopes: apiKey.scopes,
  active: apiKey.active,
  created_at: apiKey.createdAt.toISOString(),
  prefix: apiKey.prefix,
  last4: apiKey.last4,
  last_used_at: apiKey.lastUsedAt?.toISOString() ?? null,
});
