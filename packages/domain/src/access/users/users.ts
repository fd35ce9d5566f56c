import { AppError, isUniqueViolation, newId } from '@tieout/infra';
import { changesOf, recordAudit } from '../../audit';
import { readPage, type Page, type PageRequest } from '../../kernel/paging';
import type { TenantScope } from '../../kernel/scope';
import { lockAccesses, readCaller } from '../callers';
import { assertWithin } from '../limits';
import { scopesOfRole, type Role } from '../roles';
import { endSessionsOf } from '../sessions';
import { newToken } from '../tokens';

/** A person of a tenant. */
export interface User {
  id: string;
  email: string;
  name: string;
  role: Role;
  /** False: the user cannot sign in. */
  active: boolean;
  /** The user has accepted an invitation and set a password. */
  hasPassword: boolean;
  /** The end of the open invitation; null without one. */
  invitedUntil: Date | null;
  createdAt: Date;
  lastSignInAt: Date | null;
}

/** A token that lets its bearer set the password of a user, once. */
export interface Invitation {
  token: string;
  expiresAt: Date;
}

export interface InvitedUser {
  user: User;
  invitation: Invitation;
}

interface UserRow {
  id: string;
  email: string;
  name: string;
  role: string;
  active: boolean;
  password: string | null;
  invitationUntil: Date | null;
  createdAt: Date;
  lastSignInAt: Date | null;
}

const invitedForMs = 7 * 86_400_000;

function toUser({ password, invitationUntil, ...row }: UserRow): User {
  const { id, email, name, role, active, createdAt, lastSignInAt } = row;
  const isOpen = invitationUntil !== null && invitationUntil.getTime() > Date.now();
  return {
    id,
    email,
    name,
    role: role as Role,
    active,
    hasPassword: password !== null,
    invitedUntil: isOpen ? invitationUntil : null,
    createdAt,
    lastSignInAt,
  };
}

/** Returns the part of a user that an audit entry shows. */
const audited = ({ email, name, role, active }: User): object => ({ email, name, role, active });

const notFound = (): AppError => new AppError('user_not_found', 'User not found');

/** Emails are compared without case: one mailbox is one person. */
export const emailKey = (email: string): string => email.trim().normalize('NFKC').toLowerCase();

/**
 * Refuses a role beyond the caller's own limits: a user may act from any address and without an end date.
 * @throws AppError insufficient_scope, invalid_api_key, invalid_session
 */
async function assertMayGive(tx: TenantScope, role: string): Promise<void> {
  const { limits } = await readCaller(tx);
  assertWithin(limits, { scopes: scopesOfRole[role as Role], expiresAt: null, allowedCidrs: [] });
}

/** Creates an invitation, and the columns of the user that store it. */
function newInvitation({ origin: { actor } }: TenantScope) {
  const { text, hash } = newToken();
  const expiresAt = new Date(Date.now() + invitedForMs);
  const columns = { invitationHash: hash, invitationUntil: expiresAt, invitedById: actor.id };
  return { invitation: { token: text, expiresAt } satisfies Invitation, columns };
}

export interface NewUser {
  email: string;
  name: string;
  role: Role;
}

/**
 * Creates a user, who sets a password with the invitation.
 * @throws AppError conflict where the tenant has a user with this email; insufficient_scope for a role that may do more
 *   than the caller
 */
export async function createUser(scope: TenantScope, { email, name, role }: NewUser): Promise<InvitedUser> {
  try {
    return await scope.transaction(async (tx) => {
      await lockAccesses(tx);
      await assertMayGive(tx, role);
      const { invitation, columns } = newInvitation(tx);
      const row = await tx.db.orm.user.create({
        data: {
          id: newId(),
          tenantId: tx.tenantId,
          email: emailKey(email),
          name,
          role,
          ...columns,
        },
      });
      const user = toUser(row);
      await recordAudit(tx, { action: 'user.create', object: { type: 'user', id: user.id }, after: audited(user) });
      return { user, invitation };
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', 'A user with this email exists');
    throw error;
  }
}

export interface UserFilter {
  role?: Role | undefined;
  active?: boolean | undefined;
}

export async function listUsers(scope: TenantScope, filter: UserFilter, request: PageRequest): Promise<Page<User>> {
  const { role, active } = filter;
  const where = { ...(role === undefined ? {} : { role }), ...(active === undefined ? {} : { active }) };
  const page = await readPage(request, {
    count: () => scope.db.orm.user.count({ where }),
    rows: ({ skip, take }) => scope.db.orm.user.findMany({ where, orderBy: { id: 'desc' }, skip, take }),
  });
  return { ...page, items: page.items.map(toUser) };
}

/** @throws AppError user_not_found */
export async function getUser(scope: TenantScope, id: string): Promise<User> {
  const row = await scope.db.orm.user.findFirst({ where: { id } });
  if (!row) throw notFound();
  return toUser(row);
}

export interface UserChange {
  name?: string | undefined;
  role?: Role | undefined;
  active?: boolean | undefined;
}

/**
 * Locks the accesses of the tenant, and reads a user whom the caller may change.
 * @throws AppError user_not_found, insufficient_scope
 */
async function readForChange(tx: TenantScope, id: string): Promise<User> {
  await lockAccesses(tx);
  const user = await getUser(tx, id);
  await assertMayGive(tx, user.role);
  return user;
}

/** Users cannot take away their own access, so that an admin remains who can give it back. */
function assertOther({ origin: { actor } }: TenantScope, id: string, wish: string): void {
  if (actor.type === 'user' && actor.id === id)
    throw new AppError('conflict', `You cannot ${wish} your own user: ask another admin`);
}

/**
 * Changes a user. A new role applies to open sessions from their next request on; those of an inactive user end.
 * @throws AppError user_not_found, insufficient_scope, conflict for one's own role or activity
 */
export function updateUser(scope: TenantScope, id: string, change: UserChange): Promise<User> {
  return scope.transaction(async (tx) => {
    const before = await readForChange(tx, id);
    const { name = before.name, role = before.role, active = before.active } = change;
    if (role !== before.role || active !== before.active) assertOther(tx, id, 'change role or activity of');
    if (role !== before.role) await assertMayGive(tx, role);
    const data = { name, role, active, ...(active ? {} : { invitationHash: null, invitationUntil: null }) };
    const after = toUser(await tx.db.orm.user.update({ where: { id }, data }));
    if (!active) await endSessionsOf(tx, [id]);
    const changes = changesOf(audited(before), audited(after));
    if (Object.keys(changes.after).length > 0)
      await recordAudit(tx, { action: 'user.update', object: { type: 'user', id }, ...changes });
    return after;
  });
}

/**
 * Removes a user and ends their sessions. The audit still names them for what they did.
 * @throws AppError user_not_found, insufficient_scope, conflict for one's own user
 */
export function deleteUser(scope: TenantScope, id: string): Promise<void> {
  return scope.transaction(async (tx) => {
    const before = await readForChange(tx, id);
    assertOther(tx, id, 'delete');
    await endSessionsOf(tx, [id]);
    await tx.db.orm.user.delete({ where: { id } });
    await recordAudit(tx, { action: 'user.delete', object: { type: 'user', id }, before: audited(before) });
  });
}

/**
 * Invites a user again, such as one who forgot the password. An earlier invitation is void; the password and the
 * sessions stay until this one is accepted.
 * @throws AppError user_not_found, insufficient_scope, conflict for an inactive user
 */
export function inviteUser(scope: TenantScope, id: string): Promise<InvitedUser> {
  return scope.transaction(async (tx) => {
    const before = await readForChange(tx, id);
    if (!before.active) throw new AppError('conflict', 'The user is inactive: set active to true first');
    const { invitation, columns } = newInvitation(tx);
    const user = toUser(await tx.db.orm.user.update({ where: { id }, data: columns }));
    await recordAudit(tx, {
      action: 'user.invite',
      object: { type: 'user', id },
      after: { expires_at: invitation.expiresAt },
    });
    return { user, invitation };
  });
}
