import type { Tenant } from '@tieout/domain';

export const presentTenant = (tenant: Tenant) => ({
  id: tenant.id,
  name: tenant.name,
  created_at: tenant.createdAt.toISOString(),
});
