import type { Scope } from '@tieout/domain';

/** Access to the data of one tenant: by a tenant key with the scope, or by the platform key with x-tenant-id. */
export interface TenantAccess {
  kind: 'tenant';
  scope: Scope;
}

/** Access across tenants, by the platform key alone. */
export interface PlatformAccess {
  kind: 'platform';
}

/** Access without a key. */
interface PublicAccess {
  kind: 'public';
}

export type Access = TenantAccess | PlatformAccess | PublicAccess;

export const tenantAccess = (scope: Scope): TenantAccess => ({ kind: 'tenant', scope });
export const platformAccess = (): PlatformAccess => ({ kind: 'platform' });
export const publicAccess = (): PublicAccess => ({ kind: 'public' });

/** A caller that acts on the data of a tenant. */
export interface TenantPrincipal {
  kind: 'tenant';
  tenantId: string;
  /** null: the platform key, on behalf of the tenant. */
  apiKeyId: string | null;
  /** Scopes of the key; [] for an unrestricted one and for the platform key. */
  scopes: readonly string[];
}

interface PlatformPrincipal {
  kind: 'platform';
}

interface PublicPrincipal {
  kind: 'public';
}

export type Principal = TenantPrincipal | PlatformPrincipal | PublicPrincipal;

export type PrincipalOf<A extends Access> = Extract<Principal, { kind: A['kind'] }>;
