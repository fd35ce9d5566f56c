import { AppError, invalid, type SystemDb } from '@tieout/infra';
import { recordAudit } from '../../audit';
import { tenantScope, type DomainDeps, type TenantScope } from '../../kernel/scope';
import type { Identity } from '../api-keys';
import { checkPassword, faultOfPassword, hashPassword } from './passwords';
import { endSessionsOf, openSession, type OpenedSession, type SessionClient } from '../sessions';
import { scopesOfRole, type Role } from '../roles';
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

const suspended = (): AppError => new AppError('tenant_suspended', 'The tenant is suspended: ask its operator');

/** A key of a tenant as the authenticator finds it. */
type IdentifiedKey = Pick<
  Extract<Identity, { kind: 'tenant' }>,
  'tenantId' | 'apiKeyId' | 'keyId' | 'scopes' | 'isSuspended'
>;

interface SignInCandidate {
  userId: string;
  tenantId: string;
  tenantName: string;
  isSuspended: boolean;
}

interface PasswordCandidate extends SignInCandidate {
  password: string;
}

/** A person has few tenants; the limit bounds what one sign-in costs. */
const maxCandidates = 100;

/**
 * Signs a user in. What is wrong, and whether the email is known, shows neither in the answer nor in its time.
 * @throws AppError invalid_credentials, tenant_suspended
 */
export async function signIn(
  deps: DomainDeps,
  credentials: PasswordCredentials,
  request: SignInRequest,
): Promise<SignedIn | { tenants: TenantChoice[] }> {
  const { email, password, tenantId } = credentials;
  const candidates = await candidatesOf<PasswordCandidate>(deps, { email, tenantId }, 'u.password is not null');
  const checks = await checkPassword(
    password,
    candidates.map((one) => one.password),
    deps.settings.passwordCost,
  );
  const found = candidates.filter((_, i) => checks[i]);
  const [first] = found;
  if (!first) throw new AppError('invalid_credentials', 'Email or password is wrong');
  return enter(deps, { found, password: first.password }, request);
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
 * @throws AppError user_not_found, tenant_suspended
 */
export async function signInVerified(
  deps: DomainDeps,
  credentials: VerifiedCredentials,
  request: SignInRequest,
): Promise<SignedIn | { tenants: TenantChoice[] }> {
  const { email } = credentials;
  // Another mailbox may be written with letters that only look the same once they are normalised.
  const isPlain = emailKey(email) === email.trim().toLowerCase();
  const found = isPlain ? await candidatesOf<SignInCandidate>(deps, credentials, 'true') : [];
  if (found.length > 0) return enter(deps, { found, password: null }, request);
  const message = `Nobody with the email ${email} has been invited: ask an admin of your company`;
  throw new AppError('user_not_found', message);
}

/** Reads the active users with an email, of all tenants or of one. @param condition SQL that holds for them */
function candidatesOf<C extends SignInCandidate>(
  { db }: DomainDeps,
  { email, tenantId }: VerifiedCredentials,
  condition: string,
): Promise<C[]> {
  return db.system.query<C>(
    `select u.id::text as "userId", u.password, t.id::text as "tenantId", t.name as "tenantName",
            t.status = 'suspended' as "isSuspended"
       from users u join tenants t on t.id = u.tenant_id and t.status <> 'deleting'
      where u.email = $1 and u.active and ${condition} and ($2::uuid is null or u.tenant_id = $2::uuid)
      order by t.name, t.id limit ${maxCandidates}`,
    [emailKey(email), tenantId ?? null],
  );
}

/** Begins the session of the only user that was found; of several it lists the tenants. */
function enter(
  deps: DomainDeps,
  { found, password }: { found: readonly SignInCandidate[]; password: string | null },
  request: SignInRequest,
): Promise<SignedIn> | { tenants: TenantChoice[] } {
  const [first] = found;
  if (!first || found.length > 1) return { tenants: found.map((one) => ({ id: one.tenantId, name: one.tenantName })) };
  if (first.isSuspended) throw suspended();
  return beginSession(deps, { tenantId: first.tenantId, userId: first.userId, password }, request);
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

/** Begins the session of a key. @throws AppError tenant_suspended */
export function signInWithKey(
  deps: DomainDeps,
  { tenantId, apiKeyId, keyId, scopes, isSuspended }: IdentifiedKey,
  { client, requestId }: SignInRequest,
): Promise<SignedIn> {
  if (isSuspended) throw suspended();
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

/**
 * Sets the password of an invited user, whose other sessions end, and signs in. An invitation can be accepted once.
 * @throws AppError invitation_not_valid, tenant_suspended, validation_error
 */
export async function acceptInvitation(
  deps: DomainDeps,
  { token, password }: { token: string; password: string },
  { client, requestId }: SignInRequest,
): Promise<SignedIn> {
  const hash = hashToken(token);
  const [invited] = hash
    ? await deps.db.system.query<{ id: string; tenantId: string; email: string; isSuspended: boolean }>(
        `select u.id::text as id, u.tenant_id::text as "tenantId", u.email, t.status = 'suspended' as "isSuspended"
           from users u join tenants t on t.id = u.tenant_id and t.status <> 'deleting'
          where u.invitation_hash = $1 and u.invitation_until > now() and u.active`,
        [hash],
      )
    : [];
  if (!hash || !invited) throw voidInvitation();
  const { id, tenantId, email, isSuspended } = invited;
  if (isSuspended) throw suspended();
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
