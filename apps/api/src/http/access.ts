import { grants, type Scope } from '@tieout/domain';
import { AppError } from '@tieout/infra';

/** The scope that a key needs for what records hold, whichever operation shows it. */
export const recordsScope = 'records:read' satisfies Scope;

/**
 * The share of what records hold that an operation shows. Without the scope for it a key is refused where the whole
 * answer is made of records (`whole`), is refused what it asks for (`asked`), or gets the answer without those parts
 * (`parts`). Where it may choose by a filter what to change, it is refused the filter (`chosen`): the number of what is
 * found tells what records hold.
 */
type ShownRecords = 'none' | 'parts' | 'asked' | 'chosen' | 'whole';

/** Access to the data of one tenant: by a tenant key with the scope, or by the platform key with x-tenant-id. */
export interface TenantAccess {
  kind: 'tenant';
  /** null: every access to the tenant suffices, because it concerns that access alone. */
  scope: Scope | null;
  /** Further scopes without which a tenant key is refused. */
  otherScopes?: readonly Scope[];
  records: ShownRecords;
  /** Lets the platform key use it on a suspended tenant, as it may use all that only reads. */
  isForSuspended?: boolean;
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

/** @param records declared for every operation, so that none shows records by oversight */
export const tenantAccess = (scope: Scope, records: ShownRecords): TenantAccess => ({ kind: 'tenant', scope, records });
/** The same for an operation whose answer holds what other scopes protect too. */
export const alsoScopes = (access: TenantAccess, ...otherScopes: readonly Scope[]): TenantAccess => ({
  ...access,
  otherScopes,
});
/** The same for an operation that ends an access: the operator may need it on a suspended tenant. */
export const alsoSuspended = (access: TenantAccess): TenantAccess => ({ ...access, isForSuspended: true });
/** Access to what belongs to the caller's own access, whatever that may do. */
export const ownAccess = (): TenantAccess => ({ kind: 'tenant', scope: null, records: 'none' });
export const platformAccess = (): PlatformAccess => ({ kind: 'platform' });
export const publicAccess = (): PublicAccess => ({ kind: 'public' });

/** A caller that acts on the data of a tenant. */
export interface TenantPrincipal {
  kind: 'tenant';
  tenantId: string;
  /** null: a user, or the platform key on behalf of the tenant. */
  apiKeyId: string | null;
  /** Set for a user. */
  user: { id: string; email: string } | null;
  /** Set for a caller with the cookie of a session. */
  sessionId: string | null;
  /** Scopes of the key or role; [] for an unrestricted one and for the platform key. */
  scopes: readonly string[];
  /** The person behind the request, as the caller names them. */
  actorName: string | null;
  /** The agent that sends the request, as it names itself. */
  agentName: string | null;
}

export interface PlatformPrincipal {
  kind: 'platform';
  actorName: string | null;
  agentName: string | null;
}

interface PublicPrincipal {
  kind: 'public';
}

export type Principal = TenantPrincipal | PlatformPrincipal | PublicPrincipal;

export type PrincipalOf<A extends Access> = Extract<Principal, { kind: A['kind'] }>;

/** The scopes without which a tenant key is refused whatever it asks for. */
export const neededScopes = ({ scope, otherScopes = [], records }: TenantAccess): readonly Scope[] => [
  ...(scope === null ? [] : [scope]),
  ...(records === 'whole' && scope !== null && !grants([scope], recordsScope) ? ([recordsScope] as const) : []),
  ...otherScopes,
];

/** Returns whether a caller may see what records hold. */
export const seesRecords = ({ scopes }: TenantPrincipal): boolean => grants(scopes, recordsScope);

/** Returns whether a caller may decide on what others have tied. */
export const mayApprove = ({ scopes }: TenantPrincipal): boolean => grants(scopes, 'matches:approve');

/** @throws AppError insufficient_scope for a caller that may not approve */
export function assertMayApprove(principal: TenantPrincipal, part: string): void {
  if (!mayApprove(principal)) throw lacksScope('matches:approve', `With ${part} this operation also needs`);
}

/** @throws AppError insufficient_scope for a caller that may not see what records hold */
export function assertSeesRecords(principal: TenantPrincipal, part: string): void {
  if (!seesRecords(principal)) throw lacksScope(recordsScope, `With ${part} this operation also needs`);
}

/** @throws AppError insufficient_scope for a caller without a scope that its request needs */
export function assertHasScope(principal: TenantPrincipal, scope: Scope, part: string): void {
  if (!grants(principal.scopes, scope)) throw lacksScope(scope, `With ${part} this operation also needs`);
}

export const lacksScope = (scope: Scope, need = 'This operation needs'): AppError =>
  new AppError('insufficient_scope', `${need} the scope ${scope}`);
