import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import { grants, type Authenticator, type Identity } from '@tieout/domain';
import { AppError, extendContext } from '@tieout/infra';
import { readActorName } from './actor';
import {
  lacksScope,
  neededScopes,
  type PlatformAccess,
  type PlatformPrincipal,
  type Principal,
  type TenantAccess,
  type TenantPrincipal,
} from './access';
import type { Route } from './define-route';
import { operator, rateClassOf, type RequestLimits } from './limits';

export interface AdmissionDeps {
  authenticator: Authenticator;
  limits: RequestLimits;
}

/**
 * Identifies the caller, charges the request to its rate limit and checks that it may use the route.
 * @throws AppError missing_api_key, invalid_api_key, address_not_allowed, insufficient_scope, tenant_required,
 *   tenant_not_found, tenant_suspended, rate_limited, validation_error
 */
export async function admit(route: Route, request: Request, deps: AdmissionDeps): Promise<Principal> {
  const { access } = route;
  if (access.kind === 'public') return { kind: 'public' };
  const response = request.res as Response;
  const identity = await identify(request, response, deps);
  const tenantId = header(request.headers, 'x-tenant-id');
  if (identity.kind === 'platform') {
    extendContext({ apiKeyId: identity.isPrevious ? 'previous platform key' : 'platform key' });
    const principal = await asPlatform(access, deps.authenticator, tenantId);
    await charge(ownerOf(principal), { route, response, deps });
    return { ...principal, actorName: readActorName(request, []) };
  }
  await charge(identity.tenantId, { route, response, deps });
  const principal = asTenant(access, identity, tenantId);
  return { ...principal, actorName: readActorName(request, principal.scopes) };
}

/**
 * Makes the check that a tenant key which was admitted would be so still.
 * @throws AppError invalid_api_key, address_not_allowed, tenant_suspended
 */
export function admissionCheck({ headers, ip = '' }: Request, { authenticator }: AdmissionDeps): () => Promise<void> {
  const key = header(headers, 'x-api-key') ?? '';
  return async () => {
    const identity = await authenticator.identify({ key, address: ip }, (lookUp) => lookUp());
    if (!identity) throw new AppError('invalid_api_key', 'The API key is not valid');
    if (identity.kind === 'tenant' && identity.isSuspended) throw suspended();
  };
}

/** The id under which the limits count a principal's requests. */
export const ownerOf = (principal: Principal | Unnamed<Principal>): string =>
  principal.kind === 'tenant' ? principal.tenantId : operator;

async function identify(
  { headers, ip = '' }: Request,
  response: Response,
  { authenticator, limits }: AdmissionDeps,
): Promise<Identity> {
  const key = header(headers, 'x-api-key');
  try {
    if (key === undefined) throw new AppError('missing_api_key', 'Send an API key in the header x-api-key');
    const identity = await authenticator.identify({ key, address: ip }, (lookUp) => limits.lookUp(ip, lookUp));
    if (!identity) throw new AppError('invalid_api_key', 'The API key is not valid');
    return identity;
  } catch (error) {
    throw error instanceof AppError ? limits.refuse(response, ip, error) : error;
  }
}

/** Charges an owner, also for a request that is refused afterwards. */
async function charge(
  owner: string,
  { route, response, deps }: { route: Route; response: Response; deps: AdmissionDeps },
): Promise<void> {
  // First, so that the log names the tenant also when the limit refuses the request.
  if (owner !== operator) extendContext({ tenantId: owner });
  await deps.limits.charge(response, owner, rateClassOf(route));
}

/** A caller before the person behind the request is known. */
type Unnamed<P> = P extends unknown ? Omit<P, 'actorName'> : never;

async function asPlatform(
  access: TenantAccess | PlatformAccess,
  authenticator: Authenticator,
  tenantId: string | undefined,
): Promise<Unnamed<PlatformPrincipal | TenantPrincipal>> {
  if (access.kind === 'platform') return { kind: 'platform' };
  if (tenantId === undefined) {
    throw new AppError('tenant_required', 'With the platform key, name the tenant in the header x-tenant-id');
  }
  const tenant = await authenticator.tenantById(tenantId);
  if (!tenant) throw new AppError('tenant_not_found', 'Tenant not found');
  if (tenant.isSuspended && !isForSuspended(access)) throw suspended();
  return { kind: 'tenant', tenantId: tenantId.toLowerCase(), apiKeyId: null, scopes: [] };
}

function asTenant(
  access: TenantAccess | PlatformAccess,
  identity: { tenantId: string; apiKeyId: string; scopes: readonly string[]; isSuspended: boolean },
  tenantId: string | undefined,
): Unnamed<TenantPrincipal> {
  if (access.kind !== 'tenant') throw forbidden('This operation needs the platform key');
  const { apiKeyId, scopes } = identity;
  if (tenantId !== undefined && tenantId.toLowerCase() !== identity.tenantId) {
    throw forbidden('The header x-tenant-id names another tenant than the API key');
  }
  if (identity.isSuspended) throw suspended();
  const lacking = neededScopes(access).find((scope) => !grants(scopes, scope));
  if (lacking) throw lacksScope(lacking);
  return { kind: 'tenant', tenantId: identity.tenantId, apiKeyId, scopes };
}

/** The operator may still read what a suspended tenant has, and end its accesses. */
const isForSuspended = (access: TenantAccess): boolean =>
  access.scope.endsWith(':read') || access.isForSuspended === true;

const suspended = (): AppError =>
  new AppError('tenant_suspended', 'The tenant is suspended: its data and its work wait until the operator resumes it');

const forbidden = (message: string): AppError => new AppError('insufficient_scope', message);

const header = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
