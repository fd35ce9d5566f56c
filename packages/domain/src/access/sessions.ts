import { AppError, newId, type SystemDb } from '@tieout/infra';
import { recordAudit } from '../audit';
import { repeatWithPauses } from '../kernel/retention';
import type { Actor, TenantScope } from '../kernel/scope';
import { hashToken, newToken } from './tokens';
import { scopesOfRole, type Role } from './roles';
import { isUsableSql, stateSql, type TenantState } from './tenants';

const idleHours = 12;
const maxDays = 30;
/** Accuracy of the time of last use. */
const touchSeconds = 60;

const isRunningSql = (session: string): string =>
  `${session}.expires_at > now() and ${session}.last_seen_at > now() - interval '${idleHours} hours'`;

/** An access of a browser, without its secret. */
export interface UserSession {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  /** When it ends even if it is in use. */
  expiresAt: Date;
  address: string | null;
  userAgent: string | null;
}

/** The browser that signs in. */
export interface SessionClient {
  address: string;
  userAgent: string | null;
}

/** The owner of a session: a user, or the key with this public part. */
export type SessionOwner = { userId: string } | { keyId: string };

/** A session with its token, which no other answer holds. */
export interface OpenedSession {
  session: UserSession;
  token: string;
}

const maxUserAgent = 200;

/** Begins a session, in the transaction of the scope, whose origin is its owner. */
export async function openSession(
  tx: TenantScope,
  owner: SessionOwner,
  { address, userAgent }: SessionClient,
): Promise<OpenedSession> {
  const { text, hash } = newToken();
  const now = new Date();
  const session: UserSession = {
    id: newId(),
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + maxDays * 86_400_000),
    address,
    userAgent: userAgent?.slice(0, maxUserAgent) ?? null,
  };
  await tx.db.orm.userSession.create({ data: { ...session, ...owner, tenantId: tx.tenantId, tokenHash: hash } });
  await recordAudit(tx, { action: 'session.begin', object: { type: 'session', id: session.id }, after: { address } });
  return { session, token: text };
}

/** The owner of a presented session. */
export type SessionIdentity = {
  sessionId: string;
  tenantId: string;
  state: TenantState;
} & ({ user: { id: string; email: string }; scopes: readonly string[] } | { keyId: string });

interface IdentityRow {
  sessionId: string;
  tenantId: string;
  state: TenantState;
  isIdle: boolean;
  keyId: string | null;
  userId: string | null;
  email: string | null;
  role: string | null;
}

/**
 * Finds the owner of a session by its token, as it is now; undefined for one that has ended. It is not cached: people
 * send few requests, and the end of an access holds at once.
 */
export async function identifySession(db: SystemDb, token: string): Promise<SessionIdentity | undefined> {
  const hash = hashToken(token);
  if (!hash) return undefined;
  const [row] = await db.query<IdentityRow>(
    `select s.id::text as "sessionId", s.tenant_id::text as "tenantId", ${stateSql} as state,
            s.last_seen_at < now() - interval '${touchSeconds} seconds' as "isIdle", s.key_id as "keyId",
            u.id::text as "userId", u.email, u.role
       from sessions s
       join tenants t on t.id = s.tenant_id and ${isUsableSql}
       left join users u on u.tenant_id = s.tenant_id and u.id = s.user_id and u.active
      where s.token_hash = $1 and ${isRunningSql('s')} and (u.id is not null or s.key_id is not null)`,
    [hash],
  );
  if (!row) return undefined;
  const { sessionId, tenantId, state, isIdle, keyId, userId, email, role } = row;
  if (isIdle)
    await db.execute(`update sessions set last_seen_at = now() where tenant_id = $1::uuid and id = $2::uuid`, [
      tenantId,
      sessionId,
    ]);
  const found = { sessionId, tenantId, state };
  if (userId === null) return { ...found, keyId: keyId as string };
  return { ...found, user: { id: userId, email: email as string }, scopes: scopesOfRole[role as Role] };
}

/** Selects the sessions of a user, or those that a key has begun with any of its secrets. */
const ownSql = `tenant_id = $1::uuid and ($2 = 'user' and user_id = $3::uuid or $2 = 'key' and key_id = any(array(
  select unnest(array[k.key_id, k.previous_key_id] || k.retired_key_ids) from api_keys k
   where k.tenant_id = $1::uuid and k.id = $3::uuid)))`;

const ownedBy = (tenantId: string, { type, id }: Actor) => [tenantId, type, id] as const;

/** Lists the running sessions of the caller, the one last used first. */
export function listSessions({ db, tenantId, origin }: TenantScope): Promise<UserSession[]> {
  return db.query<UserSession>(
    `select id::text as id, created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt", address,
            user_agent as "userAgent"
       from sessions s where ${ownSql} and ${isRunningSql('s')} order by last_seen_at desc, s.id desc limit 100`,
    ownedBy(tenantId, origin.actor),
  );
}

/** Ends a session of the caller. @throws AppError session_not_found */
export function endSession(scope: TenantScope, id: string): Promise<void> {
  return scope.transaction(async (tx) => {
    const ended = await tx.db.execute(`delete from sessions where ${ownSql} and id = $4::uuid`, [
      ...ownedBy(tx.tenantId, tx.origin.actor),
      id,
    ]);
    if (ended === 0) throw new AppError('session_not_found', 'Session not found');
    await recordAudit(tx, { action: 'session.end', object: { type: 'session', id } });
  });
}

/** Ends the sessions of users, but for one. Returns how many it ended. */
export const endSessionsOf = (
  { db, tenantId }: TenantScope,
  userIds: readonly string[],
  exceptId: string | null = null,
): Promise<number> =>
  db.execute(
    `delete from sessions where tenant_id = $1::uuid and user_id = any($2::uuid[]) and id is distinct from $3::uuid`,
    [tenantId, userIds, exceptId],
  );

const batchSize = 5_000;

/** Removes sessions that have ended by themselves. */
export async function deleteEndedSessions(db: SystemDb): Promise<void> {
  const deleteBatch = `delete from sessions where ctid = any(array(
    select ctid from sessions s
     where s.last_seen_at < now() - interval '${idleHours} hours'
        or s.created_at < now() - interval '${maxDays} days'
     limit ${batchSize} for update skip locked))`;
  await repeatWithPauses(async () => (await db.execute(deleteBatch)) === batchSize);
}
