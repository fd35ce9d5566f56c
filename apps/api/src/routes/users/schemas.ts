import { Type } from '@sinclair/typebox';
import { roles, type Invitation, type User } from '@tieout/domain';
import { closed, label, nullable, textEnum, timestamp, uuid } from '../../http';

const maxEmailLength = 254;

const email = Type.String({
  maxLength: maxEmailLength,
  pattern: '^[^@\\s\\p{C}]+@[^@\\s\\p{C}]+$',
  title: 'an email: name@example.com',
});
const name = label(200);
const role = textEnum(roles, { description: 'What each may do: docs/reference/people.md' });

/** The rules of passwords answer with reasons of their own. */
export const passwordSchema = Type.String({ minLength: 1, maxLength: 1_000 });

const user = {
  id: uuid(),
  email: Type.String(),
  name: Type.String(),
  role: textEnum(roles),
  active: Type.Boolean({ description: 'false: cannot sign in' }),
  has_password: Type.Boolean({ description: 'false until an invitation is accepted' }),
  invited_until: nullable(timestamp(), { description: 'When the open invitation ends; null: there is none' }),
  created_at: timestamp(),
  last_sign_in_at: nullable(timestamp()),
};

const example = {
  id: '01994e6c-2b20-7d55-8a13-7c2e4f6a8b32',
  email: 'ana@example.com',
  name: 'Ana Souza',
  role: 'preparer',
  active: true,
  has_password: false,
  invited_until: '2026-09-22T08:31:00.000Z',
  created_at: '2026-09-15T08:31:00.000Z',
  last_sign_in_at: null,
};

export const userSchema = closed(user, { $id: 'User', description: 'A person of the tenant', examples: [example] });

const invitation = closed(
  {
    token: Type.String({ description: 'What POST /v1/users/accept takes: shown in this answer only' }),
    url: Type.String({ description: 'The page of the console that takes it' }),
    expires_at: timestamp(),
  },
  { $id: 'Invitation', description: 'Lets its bearer set the password, once' },
);

export const invitedUserSchema = closed({ ...user, invitation }, { $id: 'InvitedUser' });

export const createUserBody = closed(
  { email, name, role },
  { examples: [{ email: 'ana@example.com', name: 'Ana Souza', role: 'preparer' }] },
);

export const updateUserBody = closed(
  { name: Type.Optional(name), role: Type.Optional(role), active: Type.Optional(Type.Boolean()) },
  { examples: [{ role: 'approver' }, { active: false }] },
);

export const acceptBody = closed(
  { token: Type.String({ maxLength: 100 }), password: passwordSchema },
  { examples: [{ token: 'hP3k…', password: 'four words that rhyme' }] },
);

export const presentUser = (one: User) => ({
  id: one.id,
  email: one.email,
  name: one.name,
  role: one.role,
  active: one.active,
  has_password: one.hasPassword,
  invited_until: one.invitedUntil?.toISOString() ?? null,
  created_at: one.createdAt.toISOString(),
  last_sign_in_at: one.lastSignInAt?.toISOString() ?? null,
});

/** The token is in the fragment, which a browser sends to no server. */
export const presentInvitation = ({ token, expiresAt }: Invitation, origin: string) => ({
  token,
  url: `${origin}/app/invitation#${token}`,
  expires_at: expiresAt.toISOString(),
});
