import type { Role } from '@tieout/domain';
import type { ApiAnswer, ApiCall } from './call';
import type { KeyedApi, TestApi, TestTenant } from './test-api';

export const password = 'four words that rhyme';

/** A user with a session. */
export interface SignedInUser {
  id: string;
  email: string;
  sessionId: string;
  cookie: string;
  csrf: string;
  /** Requests of the user's own page. */
  api: KeyedApi;
}

/** The cookie that an answer sets, as a browser sends it back. */
export const cookieOf = ({ headers }: ApiAnswer): string =>
  String((headers['set-cookie'] as unknown as string[] | undefined)?.[0]).split(';')[0] as string;

/** The caller that an answer has signed in. */
export function signedIn(api: TestApi, answer: ApiAnswer): Omit<SignedInUser, 'id' | 'email'> {
  const { session, csrf_token: csrf } = answer.body as { session: { id: string }; csrf_token: string };
  const cookie = cookieOf(answer);
  const send = (method: 'get' | 'delete' | 'post' | 'patch' | 'put', path: string, body?: object): ApiCall => {
    const call = api.request[method](path).set('cookie', cookie).set('x-tieout-csrf', csrf);
    return body === undefined ? call : call.send(body);
  };
  return {
    sessionId: session.id,
    cookie,
    csrf,
    api: {
      get: (path) => send('get', path),
      delete: (path) => send('delete', path),
      post: (path, body) => send('post', path, body),
      patch: (path, body) => send('patch', path, body),
      put: (path, body) => send('put', path, body),
    },
  };
}

let users = 0;

/** A user of the tenant who has accepted the invitation. */
export async function openUser(
  api: TestApi,
  tenant: TestTenant,
  { role, email = `${role}-${users++}@example.com` }: { role: Role; email?: string },
): Promise<SignedInUser> {
  const invited = await tenant.api.post('/v1/users', { email, name: `The ${role}`, role }).expect(201);
  const { id, invitation } = invited.body as { id: string; invitation: { token: string } };
  const { token } = invitation;
  const accepted = await api.request.post('/v1/users/accept').send({ token, password }).expect(201);
  return { id, email, ...signedIn(api, accepted) };
}
