import { createHash } from 'node:crypto';
import {
  changePassword,
  emailKey,
  endSession,
  listSessions,
  signIn,
  signInVerified,
  signInWithKey,
  type PasswordCredentials,
} from '@tieout/domain';
import { AppError, invalid, type FieldError, type Static } from '@tieout/infra';
import { Type } from '@sinclair/typebox';
import { beginPath, personCookie } from '../../identity';
import {
  closed,
  csrfTokenOf,
  defineRoute,
  ownAccess,
  placesOf,
  publicAccess,
  reply,
  setSessionCookie,
  type Route,
  type TenantPrincipal,
} from '../../http';
import {
  changePasswordBody,
  choiceAnswer,
  listedSessionSchema,
  meAnswerSchema,
  methodsSchema,
  presentMe,
  presentSession,
  replySignedIn,
  signInAnswer,
  signInBody,
  signInByProviderBody,
} from './schemas';

const tag = 'Sessions';

/** @throws AppError validation_error unless a body holds a key, or email and password */
function readCredentials({ apiKey, ...sent }: Static<typeof signInBody>): PasswordCredentials | { apiKey: string } {
  const { email, password, tenantId } = sent;
  if (apiKey !== undefined) {
    const other = Object.keys(sent)[0];
    if (other === undefined) return { apiKey };
    throw invalid([{ path: `/${other}`, code: 'beside_api_key', message: 'must be absent beside apiKey' }]);
  }
  if (email !== undefined && password !== undefined) return { email, password, tenantId };
  const missing = [...(email === undefined ? ['email'] : []), ...(password === undefined ? ['password'] : [])];
  const message = 'is required, or apiKey in place of email and password';
  throw invalid(missing.map((name): FieldError => ({ path: `/${name}`, code: 'required', message })));
}

/** Names an account in the limits, whether it exists or not. */
const accountOf = (email: string): string => createHash('sha256').update(emailKey(email)).digest('base64url');

const begin = defineRoute({
  method: 'post',
  path: '/v1/sessions',
  operationId: 'signIn',
  tag,
  summary: 'Sign in',
  description:
    'Begins the session of a user, or of an API key, which may do what the key may. It ends 12 hours after its last ' +
    'request, 30 days after its first. Requests with its cookie must come from a page of the same origin; one that ' +
    'changes something needs csrf_token in the header x-tieout-csrf.',
  access: publicAccess(),
  body: signInBody,
  responses: { ...signInAnswer, ...choiceAnswer },
  handler: async ({ body, sender, deps, requestId }) => {
    const from = sender();
    const credentials = readCredentials(body);
    if ('apiKey' in credentials) {
      const key = await from.identifyKey(credentials.apiKey);
      if (key.kind === 'platform')
        throw invalid([{ path: '/apiKey', code: 'platform_key', message: 'must be the key of a tenant' }]);
      const own = deps.cells?.of(key.tenantId).deps ?? deps;
      return replySignedIn(await signInWithKey(own, key, { client: from, requestId }), from.host);
    }
    const done = await from.attempt(accountOf(credentials.email), () =>
      signIn(placesOf(deps), credentials, { client: from, requestId }),
    );
    if ('tenants' in done) return reply(200, { status: 'choose_tenant', tenants: done.tenants });
    return replySignedIn(done, from.host);
  },
});

const methods = defineRoute({
  method: 'get',
  path: '/v1/sessions/methods',
  operationId: 'listSignInMethods',
  tag,
  summary: 'How people sign in here',
  access: publicAccess(),
  responses: { 200: { description: 'The ways in', schema: methodsSchema } },
  handler: ({ deps: { identityProvider } }) =>
    reply(200, {
      password: true,
      api_key: true,
      provider: identityProvider && { name: identityProvider.name, begin: beginPath },
    }),
});

const beginVerified = defineRoute({
  method: 'post',
  path: '/v1/sessions/provider',
  operationId: 'signInByProvider',
  tag,
  summary: 'Sign in as the person whom the identity provider has named',
  description:
    'The console sends this request after a sign-in at the identity provider, which has set a cookie with the ' +
    'verified email. 404 user_not_found: no user was invited with that email.',
  access: publicAccess(),
  body: signInByProviderBody,
  responses: { ...signInAnswer, ...choiceAnswer },
  handler: async ({ body, headers, sender, deps, requestId }) => {
    const from = sender();
    const cookie = personCookie(deps.cipher);
    const person = deps.identityProvider === null ? undefined : cookie.read(headers);
    const done = await from.attempt(null, () => {
      if (person === undefined)
        throw new AppError('invalid_credentials', 'The sign-in has taken too long, or did not begin here: begin again');
      return signInVerified(placesOf(deps), { ...person, ...body }, { client: from, requestId });
    });
    if ('tenants' in done) return reply(200, { status: 'choose_tenant', tenants: done.tenants });
    const answer = await replySignedIn(done, from.host);
    const begun = String(answer.headers['Set-Cookie']);
    return { ...answer, headers: { 'Set-Cookie': [begun, cookie.set(from.host, null)] } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  tag,
  summary: 'List your own sessions, the last used first',
  access: ownAccess(),
  responses: {
    200: { description: 'At most 100 sessions', schema: closed({ items: Type.Array(listedSessionSchema) }) },
  },
  handler: async ({ scope, principal }) => {
    const sessions = await listSessions(scope);
    return reply(200, {
      items: sessions.map((one) => ({ ...presentSession(one), current: one.id === principal.sessionId })),
    });
  },
});

/** @throws AppError session_not_found for a request with a key */
function currentOf({ sessionId }: TenantPrincipal): string {
  if (sessionId === null) throw new AppError('session_not_found', 'The request has no session: nobody is signed in');
  return sessionId;
}

const endCurrent = defineRoute({
  method: 'delete',
  path: '/v1/sessions/current',
  operationId: 'signOut',
  tag,
  summary: 'Sign out',
  access: ownAccess(),
  responses: { 204: { description: 'The session has ended and its cookie is removed' } },
  handler: async ({ scope, principal, sender }) => {
    await endSession(scope, currentOf(principal));
    return reply(204, undefined, setSessionCookie(sender().host, null));
  },
});

const end = defineRoute({
  method: 'delete',
  path: '/v1/sessions/:id',
  operationId: 'endSession',
  tag,
  summary: 'End one of your own sessions',
  access: ownAccess(),
  params: { id: 'session' },
  responses: { 204: { description: 'The session has ended' } },
  handler: async ({ scope, params }) => {
    await endSession(scope, params.id);
    return reply(204);
  },
});

const me = defineRoute({
  method: 'get',
  path: '/v1/me',
  operationId: 'getMe',
  tag,
  summary: 'Who sends this request, and what they may do',
  access: ownAccess(),
  responses: { 200: { description: 'The caller', schema: meAnswerSchema } },
  handler: async ({ scope, principal, sender }) => {
    const { sessionToken } = sender();
    return reply(200, {
      status: 'ok',
      me: await presentMe(scope, principal.scopes),
      ...(sessionToken === undefined ? {} : { csrf_token: csrfTokenOf(sessionToken) }),
    });
  },
});

const password = defineRoute({
  method: 'post',
  path: '/v1/me/password',
  operationId: 'changePassword',
  tag,
  summary: 'Change your own password',
  description: 'Your other sessions end. The rules of passwords are those of POST /v1/users/accept.',
  access: ownAccess(),
  body: changePasswordBody,
  responses: { 204: { description: 'The password is changed' } },
  handler: async ({ scope, body, principal, sender, deps }) => {
    const { user } = principal;
    if (!user) throw new AppError('insufficient_scope', 'Only a user who is signed in has a password');
    const sessionId = currentOf(principal);
    await sender().attempt(accountOf(user.email), () =>
      changePassword(scope, deps.db.system, { sessionId, change: body }),
    );
    return reply(204);
  },
});

export const sessionRoutes: readonly Route[] = [begin, methods, beginVerified, list, endCurrent, end, me, password];
