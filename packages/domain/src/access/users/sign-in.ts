import { AppError, invalid, isDatabaseUnavailable, type SystemDb } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { defaultSettings, tenantScope, type DomainDeps, type TenantScope } from '../../kernel/scope';
import type { Identity } from '../api-keys';
import { checkPassword, faultOfPassword, hashPassword } from './passwords';
import { endSessionsOf, openSession, type OpenedSession, type SessionClient } from '../sessions';
import { scopesOfRole, type Role } from '../roles';
import { isUsableSql, stateSql, tenantMoving, type TenantState } from '../tenants';
import { hashToken } from '../tokens';
import { emailKey, getUser } from './users';

export interface PasswordCredentials {
  email: string;
  password: string;
  /** Needed where several tenants know email and password. */
  tenantId?: string | undefined;
}

/** A tenant that a person may sign in to. */
export interface TenantChoice {
  id: string;
  name: string;
}

/** A new session, and the scope in which its owner acts. */
export interface SignedIn {
  scope: TenantScope;
  /** Scopes of the key or role; []: everything that the tenant may do. */
  scopes: readonly string[];
  opened: OpenedSession;
}

/** @throws AppError tenant_suspended, tenant_moving */
function assertActive(state: TenantState): void {
  if (state === 'suspended') throw new AppError('tenant_suspended', 'The tenant is suspended: ask its operator');
  if (state === 'moving') throw tenantMoving();
}

/** A key of a tenant as the authenticator finds it. */
type IdentifiedKey = Pick<
  Extract<Identity, { kind: 'tenant' }>,
  'tenantId' | 'apiKeyId' | 'keyId' | 'scopes' | 'state'
>;

interface SignInCandidate {
  /** The database of the tenant. */
  deps: DomainDeps;
  userId: string;
  tenantId: string;
  tenantName: string;
  state: TenantState;
}

interface PasswordCandidate extends SignInCandidate {
  password: string;
}

/** A person has few tenants; the limit bounds what one sign-in costs. */
const maxCandidates = 100;

/**
 * Signs a user in, of whichever of the places. What is wrong, and whether the email is known, shows neither in the
 * answer nor in its time.
 * @throws AppError invalid_credentials, tenant_suspended, tenant_moving
 */
export async function signIn(
  places: readonly DomainDeps[],
  credentials: PasswordCredentials,
  request: SignInRequest,
): Promise<SignedIn | { tenants: TenantChoice[] }> {
  const { email, password, tenantId } = credentials;
  const { candidates, failure } = await candidatesIn<PasswordCandidate>(
    places,
    { email, tenantId },
    'u.password is not null',
  );
  const checks = await checkPassword(
    password,
    candidates.map((one) => one.password),
    places[0]?.settings.passwordCost ?? defaultSettings.passwordCost,
  );
  const found = candidates.filter((_, i) => checks[i]);
  const [first] = found;
  if (!first && failure !== undefined) throw failure;
  if (!first) throw new AppError('invalid_credentials', 'Email or password is wrong');
  return enter(found, first.password, request);
}

/** A person whose email another party has verified. */
export interface VerifiedCredentials {
  email: string;
  /** Needed where several tenants know the email. */
  tenantId?: string | undefined;
}

/**
 * Signs in a user by an email that an identity provider has verified. It creates no user: a user of the tenant must
 * have invited the person, and an open invitation is void from then on.
 * @throws AppError user_not_found, tenant_suspended, tenant_moving
 */
export async function signInVerified(
  places: readonly DomainDeps[],
  credentials: VerifiedCredentials,
  request: SignInRequest,
): Promise<SignedIn | { tenants: TenantChoice[] }> {
  const { email } = credentials;
  // Another mailbox may be written with letters that only look the same once they are normalised.
  const isPlain = emailKey(email) === email.trim().toLowerCase();
  const none = { candidates: [], failure: undefined };
  const { candidates: found, failure } = isPlain
    ? await candidatesIn<SignInCandidate>(places, credentials, 'true')
    : none;
  if (found.length > 0) return enter(found, null, request);
  if (failure !== undefined) throw failure;
  const message = `Nobody with the email ${email} has been invited: ask an admin of your company`;
  throw new AppError('user_not_found', message);
}

/**
 * Reads the active users with an email, of all tenants or of one. A tenant that moves is in two places.
 * @returns also the failure of a place that is away, where the person may be known
 */
async function candidatesIn<C extends SignInCandidate>(
  places: readonly DomainDeps[],
  credentials: VerifiedCredentials,
  condition: string,
): Promise<{ candidates: C[]; failure: Error | undefined }> {
  const { found, failure } = await inPlaces(places, (deps) => candidatesOf<C>(deps, credentials, condition));
  const byTenant = new Map<string, C>();
  for (const one of found) if (one.state !== 'moving' || !byTenant.has(one.tenantId)) byTenant.set(one.tenantId, one);
  return { candidates: [...byTenant.values()], failure };
}

/** Asks all places at once. @returns what was found, and the failure of one that is away */
async function inPlaces<T>(
  places: readonly DomainDeps[],
  ask: (deps: DomainDeps) => Promise<T[]>,
): Promise<{ found: T[]; failure: Error | undefined }> {
  const results = await Promise.allSettled(places.map(ask));
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  const fault = failures.find((reason) => !isDatabaseUnavailable(reason));
  if (fault !== undefined) throw fault;
  return {
    found: results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
    failure: failures[0],
  };
}

/** @param condition SQL that holds for the users */
async function candidatesOf<C extends SignInCandidate>(
  deps: DomainDeps,
  { email, tenantId }: VerifiedCredentials,
  condition: string,
): Promise<C[]> {
  const rows = await deps.db.system.query<Omit<C, 'deps'>>(
    `select u.id::text as "userId", u.password, t.id::text as "tenantId", t.name as "tenantName",
            ${stateSql} as state
       from users u join tenants t on t.id = u.tenant_id and ${isUsableSql}
      where u.email = $1 and u.active and ${condition} and ($2::uuid is null or u.tenant_id = $2::uuid)
      order by t.name, t.id limit ${maxCandidates}`,
    [emailKey(email), tenantId ?? null],
  );
  return rows.map((row) => ({ ...row, deps }) as unknown as C);
}

/** Begins the session of the only user that was found; of several it lists the tenants. */
function enter(
  found: readonly SignInCandidate[],
  password: string | null,
  request: SignInRequest,
): Promise<SignedIn> | { tenants: TenantChoice[] } {
  const [first] = found;
  if (!first || found.length > 1) return { tenants: found.map((one) => ({ id: one.tenantId, name: one.tenantName })) };
  assertActive(first.state);
  return beginSession(first.deps, { tenantId: first.tenantId, userId: first.userId, password }, request);
}

/** The request by which a person signs in. */
export interface SignInRequest {
  client: SessionClient;
  requestId: string;
}

interface SigningIn {
  tenantId: string;
  userId: string;
  /** The stored password that was checked; null: another party has checked who this is. */
  password: string | null;
}

/** Begins the session of a user, unless the user was changed since the password was checked. */
export async function beginSession(
  deps: DomainDeps,
  { tenantId, userId, password }: SigningIn,
  { client, requestId }: SignInRequest,
): Promise<SignedIn> {
  const { email } = await getUser(tenantScope(deps, tenantId), userId);
  const scope = tenantScope(deps, tenantId, { actor: { type: 'user', id: userId, label: email }, requestId });
  return scope.transaction(async (tx) => {
    const [row] = await tx.db.query<{ role: Role }>(
      `update users set last_sign_in_at = now(),
              invitation_hash = case when $3::text is null then null else invitation_hash end,
              invitation_until = case when $3::text is null then null else invitation_until end
        where tenant_id = $1::uuid and id = $2::uuid and active and ($3::text is null or password = $3)
        returning role`,
      [tenantId, userId, password],
    );
    if (!row) throw new AppError('invalid_credentials', 'Email or password is wrong');
    return { scope, scopes: scopesOfRole[row.role], opened: await openSession(tx, { userId }, client) };
  });
}

/** Begins the session of a key. @throws AppError tenant_suspended, tenant_moving */
export function signInWithKey(
  deps: DomainDeps,
  { tenantId, apiKeyId, keyId, scopes, state }: IdentifiedKey,
  { client, requestId }: SignInRequest,
): Promise<SignedIn> {
  assertActive(state);
  const scope = tenantScope(deps, tenantId, { actor: { type: 'key', id: apiKeyId, label: null }, requestId });
  return scope.transaction(async (tx) => ({
    scope,
    scopes,
    opened: await openSession(tx, { keyId: keyId as string }, client),
  }));
}

/** Reads the password that some tenant knows for an email, whose salt others use too. */
async function knownPassword(db: SystemDb, email: string): Promise<string | undefined> {
  const [row] = await db.query<{ password: string }>(
    `select password from users where email = $1 and password is not null order by created_at, id limit 1`,
    [email],
  );
  return row?.password;
}

function assertGood(password: string, email: string, path: string): void {
  const fault = faultOfPassword(password, email);
  if (fault !== undefined) throw invalid([{ path, code: 'weak_password', message: fault }]);
}

const voidInvitation = (): AppError =>
  new AppError('invitation_not_valid', 'The invitation is not valid or was used: ask an admin for another one');

interface Invited {
  deps: DomainDeps;
  id: string;
  tenantId: string;
  email: string;
  state: TenantState;
}

const noneInvited: { found: Invited[]; failure: Error | undefined } = { found: [], failure: undefined };

async function invitedIn(deps: DomainDeps, hash: Uint8Array): Promise<Invited[]> {
  const rows = await deps.db.system.query<Omit<Invited, 'deps'>>(
    `select u.id::text as id, u.tenant_id::text as "tenantId", u.email, ${stateSql} as state
       from users u join tenants t on t.id = u.tenant_id and ${isUsableSql}
      where u.invitation_hash = $1 and u.invitation_until > now() and u.active`,
    [hash],
  );
  return rows.map((row) => ({ ...row, deps }));
}

/**
 * Sets the password of an invited user, whose other sessions end, and signs in. An invitation can be accepted once.
 * @throws AppError invitation_not_valid, tenant_suspended, tenant_moving, validation_error
 */
export async function acceptInvitation(
  places: readonly DomainDeps[],
  { token, password }: { token: string; password: string },
  { client, requestId }: SignInRequest,
): Promise<SignedIn> {
  const hash = hashToken(token);
  const { found, failure } = hash ? await inPlaces(places, (deps) => invitedIn(deps, hash)) : noneInvited;
  const invited = found.find(({ state }) => state !== 'moving') ?? found[0];
  if (!invited && failure !== undefined) throw failure;
  if (!hash || !invited) throw voidInvitation();
  const { deps, id, tenantId, email, state } = invited;
  assertActive(state);
  assertGood(password, email, '/password');
  const known = await knownPassword(deps.db.system, email);
  const stored = await hashPassword(password, deps.settings.passwordCost, known);
  const scope = tenantScope(deps, tenantId, { actor: { type: 'user', id, label: email }, requestId });
  return scope.transaction(async (tx) => {
    // The token again: of two who accept at once one wins.
    const { count } = await tx.db.orm.user.updateMany({
      where: { id, invitationHash: hash, active: true },
      data: { password: stored, invitationHash: null, invitationUntil: null, lastSignInAt: new Date() },
    });
    if (count === 0) throw voidInvitation();
    await endSessionsOf(tx, [id]);
    await recordAudit(tx, { action: 'user.accept', object: { type: 'user', id } });
    const { role } = await getUser(tx, id);
    return { scope, scopes: scopesOfRole[role], opened: await openSession(tx, { userId: id }, client) };
  });
}

export interface PasswordChange {
  currentPassword: string;
  newPassword: string;
}

/**
 * Changes the password of the calling user, whose other sessions end.
 * @throws AppError validation_error; conflict where another change came first
 */
export async function changePassword(
  scope: TenantScope,
  system: SystemDb,
  { sessionId, change }: { sessionId: string; change: PasswordChange },
): Promise<void> {
  const id = scope.origin.actor.id as string;
  const row = await scope.db.orm.user.findFirst({ where: { id } });
  const { passwordCost } = scope.settings;
  const present = row?.password == null ? [] : [row.password];
  const [isRight] = await checkPassword(change.currentPassword, present, passwordCost);
  if (!row || isRight !== true)
    throw invalid([{ path: '/currentPassword', code: 'wrong_password', message: 'is wrong' }]);
  const { email } = row;
  assertGood(change.newPassword, email, '/newPassword');
  const password = await hashPassword(change.newPassword, passwordCost, await knownPassword(system, email));
  await scope.transaction(async (tx) => {
    // The old password again: one that was changed in the meantime stays.
    const where = { id, active: true, password: row.password };
    const data = { password, invitationHash: null, invitationUntil: null };
    const { count } = await tx.db.orm.user.updateMany({ where, data });
    if (count === 0) throw new AppError('conflict', 'The password was changed meanwhile: sign in again');
    const ended = await endSessionsOf(tx, [id], sessionId);
    await recordAudit(tx, { action: 'user.password', object: { type: 'user', id }, after: { ended_sessions: ended } });
  });
}
