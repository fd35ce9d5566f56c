import type { IncomingHttpHeaders } from 'node:http';
import { grants, type Authenticator, type Identity, type RunWithPermit } from '@tieout/domain';
import { AppError } from '@tieout/infra';
import type { PlatformAccess, Principal, TenantAccess, TenantPrincipal } from './access';
import { operator } from './limits';

const header = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

const forbidden = (message: string): AppError => new AppError('insufficient_scope', message);

/**
 * Finds out who asks.
 * @throws AppError missing_api_key, invalid_api_key
 */
export async function identify(
  authenticator: Authenticator,
  headers: IncomingHttpHeaders,
  turn: RunWithPermit,
): Promise<Identity> {
  const key = header(headers, 'x-api-key');
  if (key === undefined) throw new AppError('missing_api_key', 'Send an API key in the header x-api-key');
  const identity = await authenticator.identify(key, turn);
  if (!identity) throw new AppError('invalid_api_key', 'The API key is not valid');
  return identity;
}

export interface AuthorizeOptions {
  authenticator: Authenticator;
  access: TenantAccess | PlatformAccess;
  headers: IncomingHttpHeaders;
  /** Called with whose allowance the request uses, once that is known: also for a request that is refused then. */
  charge: (owner: string) => Promise<void>;
}

/**
 * Finds out whether they may.
 * @throws AppError insufficient_scope, tenant_required, tenant_not_found, rate_limited
 */
export async function authorize(
  identity: Identity,
  { authenticator, access, headers, charge }: AuthorizeOptions,
): Promise<Principal> {
  const tenantId = header(headers, 'x-tenant-id');
  if (identity.kind === 'platform') {
    const principal: Principal =
      access.kind === 'platform' ? { kind: 'platform' } : await onBehalf(authenticator, tenantId);
    await charge(principal.kind === 'tenant' ? principal.tenantId : operator);
    return principal;
  }
  await charge(identity.tenantId);
  if (access.kind === 'platform') throw forbidden('This operation needs the platform key');
  return asTenant(access, identity, tenantId);
}

async function onBehalf(authenticator: Authenticator, tenantId: string | undefined): Promise<TenantPrincipal> {
  if (tenantId === undefined) {
    throw new AppError('tenant_required', 'With the platform key, name the tenant in the header x-tenant-id');
  }
  if (!(await authenticator.isTenant(tenantId))) throw new AppError('tenant_not_found', 'Tenant not found');
  return { kind: 'tenant', tenantId: tenantId.toLowerCase(), apiKeyId: null, scopes: [] };
}

function asTenant(
  access: TenantAccess,
  identity: { tenantId: string; apiKeyId: string; scopes: readonly string[] },
  tenantId: string | undefined,
): TenantPrincipal {
  const { apiKeyId, scopes } = identity;
  if (tenantId !== undefined && tenantId.toLowerCase() !== identity.tenantId) {
    throw forbidden('The header x-tenant-id names another tenant than the API key');
  }
  if (!grants(scopes, access.scope)) throw forbidden(`This operation needs the scope ${access.scope}`);
  return { kind: 'tenant', tenantId: identity.tenantId, apiKeyId, scopes };
}
