import { Type } from '@sinclair/typebox';
import { readOwnAccess, roles, scopes, type SignedIn, type TenantScope, type UserSession } from '@tieout/domain';
import {
  closed,
  csrfTokenOf,
  nullable,
  reply,
  setSessionCookie,
  textEnum,
  timestamp,
  uuid,
  type Reply,
} from '../../http';
import { passwordSchema } from '../users/schemas';

const session = {
  id: uuid(),
  created_at: timestamp(),
  last_seen_at: timestamp({ description: 'Accurate to a minute' }),
  expires_at: timestamp({ description: 'When it ends even in use; unused it ends after 12 hours' }),
  address: nullable(Type.String(), { description: 'Where it began' }),
  user_agent: nullable(Type.String()),
};

export const sessionSchema = closed(session, { $id: 'Session', description: 'An access of a browser' });

export const listedSessionSchema = closed(
  { ...session, current: Type.Boolean({ description: 'The session of this request' }) },
  { $id: 'ListedSession' },
);

const meSchema = closed(
  {
    kind: textEnum(['user', 'key', 'platform']),
    user: Type.Optional(closed({ id: uuid(), email: Type.String(), name: Type.String(), role: textEnum(roles) })),
    key: Type.Optional(closed({ id: uuid(), label: Type.String() })),
    tenant: closed({ id: uuid(), name: Type.String() }),
    scopes: Type.Array(textEnum(scopes), { description: '[]: everything that the tenant may do' }),
  },
  { $id: 'Me', description: 'Who sends the request, and what they may do' },
);

const csrfToken = Type.String({ description: 'What the header x-tieout-csrf of each change has to hold' });

export const meAnswerSchema = closed(
  { status: Type.Literal('ok'), me: meSchema, csrf_token: Type.Optional(csrfToken) },
  { $id: 'MeAnswer', description: 'csrf_token is there for a session only' },
);

const signedInSchema = closed(
  { status: Type.Literal('ok'), session: sessionSchema, me: meSchema, csrf_token: csrfToken },
  { $id: 'SignedIn' },
);

const choiceSchema = closed(
  {
    status: Type.Literal('choose_tenant'),
    tenants: Type.Array(closed({ id: uuid(), name: Type.String() })),
  },
  { $id: 'TenantChoice' },
);

export const signInAnswer = {
  201: { description: 'Signed in: the cookie tieout_session is set', schema: signedInSchema },
} as const;

export const choiceAnswer = {
  200: { description: 'Several tenants know email and password: send tenantId too', schema: choiceSchema },
} as const;

export const signInBody = closed(
  {
    email: Type.Optional(Type.String({ minLength: 1, maxLength: 254 })),
    password: Type.Optional(passwordSchema),
    tenantId: Type.Optional(uuid({ description: 'Needed where several tenants know email and password' })),
    apiKey: Type.Optional(Type.String({ maxLength: 200, description: 'In place of email and password' })),
  },
  { examples: [{ email: 'ana@example.com', password: 'four words that rhyme' }] },
);

export const signInByProviderBody = closed({
  tenantId: Type.Optional(uuid({ description: 'Needed where several tenants know the email' })),
});

export const methodsSchema = closed(
  {
    password: Type.Boolean(),
    api_key: Type.Boolean(),
    provider: nullable(
      closed({
        name: Type.String({ description: 'What people call it' }),
        begin: Type.String({
          description: 'Where a browser begins, with the page of the console to come back to in `to`',
        }),
      }),
      { description: 'The identity provider of the deployment' },
    ),
  },
  { $id: 'SignInMethods' },
);

export const changePasswordBody = closed({ currentPassword: passwordSchema, newPassword: passwordSchema });

export const presentSession = (one: UserSession) => ({
  id: one.id,
  created_at: one.createdAt.toISOString(),
  last_seen_at: one.lastSeenAt.toISOString(),
  expires_at: one.expiresAt.toISOString(),
  address: one.address,
  user_agent: one.userAgent,
});

/** Describes the caller of a scope. */
export async function presentMe(scope: TenantScope, granted: readonly string[]) {
  const { user, key, tenant } = await readOwnAccess(scope);
  return {
    kind: user ? 'user' : key ? 'key' : 'platform',
    ...(user ? { user: { id: user.id, email: user.email, name: user.name, role: user.role } } : {}),
    ...(key ? { key } : {}),
    tenant,
    scopes: granted,
  };
}

/** Answers with a new session: its token is in the cookie alone. */
export async function replySignedIn({ scope, scopes: granted, opened }: SignedIn, host: string): Promise<Reply> {
  const { session: begun, token } = opened;
  const body = {
    status: 'ok',
    session: presentSession(begun),
    me: await presentMe(scope, granted),
    csrf_token: csrfTokenOf(token),
  };
  return reply(201, body, setSessionCookie(host, { token, expiresAt: begun.expiresAt }));
}
