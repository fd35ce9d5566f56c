import type { IncomingHttpHeaders } from 'node:http';
import type { Request, Response } from 'express';
import {
  grants,
  tenantMoving,
  type Authenticator,
  type Identity,
  type PresentedKey,
  type RunWithPermit,
  type TenantState,
} from '@tieout/domain';
import { AppError, extendContext } from '@tieout/infra';
import { assertMayChange } from './agent';
import { assertNoActorHeaders, readActorHeaders } from './actor';
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
import type { RequestSender } from './sender';
import { assertCsrfToken, assertSameOrigin, readSessionToken, sessionEnded } from './session-cookie';

export interface AdmissionDeps {
  authenticator: Authenticator;
  limits: RequestLimits;
}

/**
 * Identifies the caller, charges the request to its rate limit and checks that it may use the route.
 * @throws AppError missing_api_key, invalid_api_key, invalid_session, cross_site_request, address_not_allowed,
 *   insufficient_scope, tenant_required, tenant_not_found, tenant_suspended, tenant_moving, rate_limited,
 *   validation_error
 */
export async function admit(route: Route, request: Request, deps: AdmissionDeps): Promise<Principal> {
  const { access } = route;
  if (access.kind === 'public') {
    // Otherwise a page of another site could sign its visitor in to an account of its author.
    if (route.method !== 'get') assertSameOrigin(request);
    return { kind: 'public' };
  }
  const response = request.res as Response;
  const identity = await identify(route, request, deps);
  const tenantId = header(request.headers, 'x-tenant-id');
  if (identity.kind === 'platform') {
    extendContext({ apiKeyId: identity.isPrevious ? 'previous platform key' : 'platform key' });
    const principal = await asPlatform(access, deps.authenticator, tenantId);
    await charge(ownerOf(principal), { route, response, deps });
    return assertMayChange(route, { ...principal, ...readActorHeaders(request, []) });
  }
  const { user, keyId, sessionId } = identity;
  if (user) extendContext({ userId: user.id });
  if (keyId !== null) extendContext({ apiKeyId: keyId });
  if (sessionId !== null) extendContext({ sessionId });
  await charge(identity.tenantId, { route, response, deps });
  const principal = asTenant(access, identity, tenantId);
  if (!user) return assertMayChange(route, { ...principal, ...readActorHeaders(request, principal.scopes) });
  assertNoActorHeaders(request);
  return { ...principal, actorName: user.email, agentName: null };
}

/**
 * Returns a check that an admitted tenant key or session would still be admitted.
 * @throws AppError invalid_api_key, invalid_session, address_not_allowed, tenant_suspended, tenant_moving
 */
export function admissionCheck(request: Request, { authenticator }: AdmissionDeps): () => Promise<void> {
  const find = finderOf(request, authenticator);
  return async () => {
    const identity = await find((lookUp) => lookUp());
    if (identity.kind === 'tenant') assertServed(identity.state);
  };
}

/** The id under which the limits count a principal's requests. */
export const ownerOf = (principal: Principal | Unnamed<Principal>): string =>
  principal.kind === 'tenant' ? principal.tenantId : operator;

type FindIdentity = (withPermit: RunWithPermit) => Promise<Identity>;

const keyFinder =
  (authenticator: Authenticator, presented: PresentedKey): FindIdentity =>
  async (withPermit) => {
    const identity = await authenticator.identify(presented, withPermit);
    if (!identity) throw new AppError('invalid_api_key', 'The API key is not valid');
    return identity;
  };

/** Finds the owner of the key of a request, or of its cookie where it has no key. */
function finderOf(request: Request, authenticator: Authenticator): FindIdentity {
  const { headers, ip: address = '' } = request;
  const key = header(headers, 'x-api-key');
  if (key !== undefined) return keyFinder(authenticator, { key, address });
  const token = readSessionToken(request);
  if (token === undefined) throw new AppError('missing_api_key', 'Send an API key in the header x-api-key, or sign in');
  return async (withPermit) => {
    const identity = await withPermit(() => authenticator.identifySession({ token, address }));
    if (!identity) throw sessionEnded();
    return identity;
  };
}

const identify = (route: Route, request: Request, { authenticator, limits }: AdmissionDeps): Promise<Identity> =>
  limited(request, limits, async (withPermit) => {
    const identity = await finderOf(request, authenticator)(withPermit);
    if (identity.kind === 'tenant' && identity.sessionId !== null) assertOwnPage(route, request);
    return identity;
  });

/** Finds the owner of a key or session within the limits of the sender's address; a failure is charged to them. */
async function limited(request: Request, limits: RequestLimits, find: FindIdentity): Promise<Identity> {
  const { ip = '' } = request;
  try {
    return await find((lookUp) => limits.lookUp(ip, lookUp));
  } catch (error) {
    throw error instanceof AppError ? limits.refuse(request.res as Response, ip, error) : error;
  }
}

/** Accepts only pages of this service: a browser sends the cookie for pages of other sites too. */
function assertOwnPage({ method }: Route, request: Request): void {
  assertSameOrigin(request);
  if (method !== 'get') assertCsrfToken(request, readSessionToken(request) ?? '');
}

/** Describes the sender of a request, and lets it prove its identity. */
export function senderOf(request: Request, { authenticator, limits }: AdmissionDeps): RequestSender {
  const { ip: address = '', headers, host, protocol } = request;
  return {
    address,
    userAgent: header(headers, 'user-agent') ?? null,
    host,
    origin: `${protocol}://${host}`,
    sessionToken: header(headers, 'x-api-key') === undefined ? readSessionToken(request) : undefined,
    identifyKey: (key) => limited(request, limits, keyFinder(authenticator, { key, address })),
    attempt: (account, task) => limits.attempt(request.res as Response, { address, account }, task),
  };
}

/** Charges a request to its owner, even if it is refused afterwards. */
async function charge(
  owner: string,
  { route, response, deps }: { route: Route; response: Response; deps: AdmissionDeps },
): Promise<void> {
  // This comes first, so that the log names the tenant even when the limit refuses the request.
  if (owner !== operator) extendContext({ tenantId: owner });
  await deps.limits.charge(response, owner, rateClassOf(route));
}

/** A caller without the names of the person and the agent behind the request. */
type Unnamed<P> = P extends unknown ? Omit<P, 'actorName' | 'agentName'> : never;

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
  if (tenant.state === 'moving' || !isForSuspended(access)) assertServed(tenant.state);
  return { kind: 'tenant', tenantId: tenantId.toLowerCase(), apiKeyId: null, user: null, sessionId: null, scopes: [] };
}

function asTenant(
  access: TenantAccess | PlatformAccess,
  identity: Extract<Identity, { kind: 'tenant' }>,
  tenantId: string | undefined,
): Unnamed<TenantPrincipal> {
  if (access.kind !== 'tenant') throw forbidden('This operation needs the platform key');
  const { apiKeyId, user, sessionId, scopes } = identity;
  if (tenantId !== undefined && tenantId.toLowerCase() !== identity.tenantId) {
    throw forbidden(
      `The header x-tenant-id names another tenant than the ${sessionId === null ? 'API key' : 'session'}`,
    );
  }
  assertServed(identity.state);
  const lacking = neededScopes(access).find((scope) => !grants(scopes, scope));
  if (lacking) throw lacksScope(lacking);
  return { kind: 'tenant', tenantId: identity.tenantId, apiKeyId, user, sessionId, scopes };
}

/** Returns whether the operator may still use an operation on a suspended tenant: to read, or to end its accesses. */
const isForSuspended = (access: TenantAccess): boolean =>
  access.scope?.endsWith(':read') === true || access.isForSuspended === true;

/** @throws AppError tenant_suspended, tenant_moving */
function assertServed(state: TenantState): void {
  if (state === 'moving') throw tenantMoving();
  if (state === 'active') return;
  throw new AppError(
    'tenant_suspended',
    'The tenant is suspended: its data and its work wait until the operator resumes it',
  );
}

const forbidden = (message: string): AppError => new AppError('insufficient_scope', message);

const header = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
