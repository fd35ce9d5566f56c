import { TieoutError, type components } from '@tieout/client';
import { useSyncExternalStore } from 'react';
import { keyHeader, lostKeys } from './lost-keys';

/** The caller, as GET /v1/me answers. */
export type Me = components['schemas']['Me'];

export type SessionState =
  | { status: 'starting'; me: null }
  /** With a fault it is not known whether there is a session. */
  | { status: 'out'; me: null; fault?: unknown; arrival?: Arrival }
  | { status: 'in'; me: Me }
  /** The session has ended while its person was at work: the screen stays, and asks to sign in. */
  | { status: 'ended'; me: Me };

type SessionAnswer = Pick<components['schemas']['MeAnswer'], 'me' | 'csrf_token'>;

export type SignInInput = { email: string; password: string; tenantId?: string } | { apiKey: string };

/** The way in which a person has come back from the identity provider of the deployment. */
export interface Arrival {
  /** The reason for a refusal; undefined: the person has to choose one of the tenants. */
  failure: string | undefined;
  tenants: TenantOption[];
}

let state: SessionState = { status: 'starting', me: null };
let csrfToken: string | undefined;
const listeners = new Set<() => void>();

function become(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

export const sessionState = (): SessionState => state;

export const useSession = (): SessionState =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, sessionState);

/** Headers that the session adds to a request, beside the cookie, which the browser adds. */
export const sessionHeaders = (): Record<string, string> => ({
  ...(csrfToken !== undefined && { 'x-tieout-csrf': csrfToken }),
});

/** Asks the person to sign in again. Resolves with whether the same one has. */
async function signedInAgain(me: Me): Promise<boolean> {
  become({ status: 'ended', me });
  await new Promise<void>((resolve) => {
    const listener = (): void => {
      if (state.status === 'ended') return;
      listeners.delete(listener);
      resolve();
    };
    listeners.add(listener);
  });
  return isSame(me, state.me);
}

const isSame = (a: Me | null, b: Me | null): boolean =>
  a?.tenant.id === b?.tenant.id && a?.user?.id === b?.user?.id && a?.key?.id === b?.key?.id;

/** Returns the session of the browser's cookie; null if the service refuses it. @throws TieoutError no_answer */
async function readSession(): Promise<SessionAnswer | null> {
  const response = await ask('GET', '/v1/me');
  return response.ok ? ((await response.json()) as SessionAnswer) : null;
}

/** Takes up the session that the same person has begun in another window, which has the cookie of this one too. */
async function sharedSession(me: Me): Promise<boolean> {
  const answer = await readSession();
  if (answer === null) return false;
  enter(answer);
  return isSame(me, answer.me);
}

/**
 * Waits, where a request was refused for its session, until there is one of the same person again, however long that
 * takes. Resolves with whether the request can be sent again.
 * @param sent what was known of the session when the request was sent
 */
export async function isSessionBack({ status, code }: { status: number; code: string }, sent: SessionState) {
  const { me } = sent;
  if (me === null || state.status === 'out') return false;
  if (status === 403 && code === 'cross_site_request') return sharedSession(me);
  // Without an answer the rights stay as they were known: the refusal itself is told.
  if (status === 403) readRights(me).catch(() => undefined);
  if (status !== 401) return false;
  const isRenewed = state.status === 'in' && state !== sent;
  return isRenewed ? isSame(me, state.me) : signedInAgain(me);
}

/** Reads again what the person may do: another person may have changed it meanwhile. */
async function readRights(me: Me): Promise<void> {
  const answer = await readSession();
  if (answer !== null && isSame(me, answer.me) && answer.me.scopes.join() !== me.scopes.join()) enter(answer);
}

/** Sends a request with what the session adds to it. What is sent again for want of an answer is not done twice. */
export async function send(request: Request): Promise<Response> {
  const fresh = request.headers.get(keyHeader);
  if (fresh === null) return sendInSession(request);
  const equal = `${callerId()} ${request.method} ${request.url} ${await request.clone().text()}`;
  request.headers.set(keyHeader, lostKeys.of(equal, fresh));
  const response = await sendInSession(request);
  lostKeys.answered(equal, response.status);
  return response;
}

export const callerId = (): string => state.me?.user?.id ?? state.me?.key?.id ?? '';

/** Nothing that was done is lost when a session ends. */
async function sendInSession(request: Request): Promise<Response> {
  const again = request.clone();
  const sent = state;
  const response = await fetch(withSession(request));
  if (response.status !== 401 && response.status !== 403) return response;
  const isBack = await isSessionBack(await failure(response.clone()), sent);
  return isBack ? fetch(withSession(new Request(again, { signal: null }))) : response;
}

function withSession(request: Request): Request {
  for (const [name, value] of Object.entries(sessionHeaders())) request.headers.set(name, value);
  return request;
}

/** @throws TieoutError no_answer */
async function ask(method: string, path: string, body?: unknown): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...sessionHeaders() },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  } catch (cause) {
    throw new TieoutError('The service does not answer', { status: 0, code: 'no_answer' }, { cause });
  }
}

async function failure(response: Response): Promise<TieoutError> {
  const body = (await response.json().catch(() => ({}))) as Partial<TieoutError>;
  return new TieoutError(body.message ?? response.statusText, {
    status: response.status,
    code: body.code ?? 'no_tieout_answer',
    requestId: response.headers.get('x-request-id') ?? undefined,
    errors: body.errors,
  });
}

function enter({ me, csrf_token: token }: SessionAnswer): void {
  // The screen belongs to another person.
  if (state.me !== null && !isSame(state.me, me)) return location.assign('/app/');
  csrfToken = token;
  become({ status: 'in', me });
}

const arrivalName = 'sign-in';

/** Reads off the address what the identity provider's way back has put there. */
function readArrival(): string | null {
  const url = new URL(location.href);
  const outcome = url.searchParams.get(arrivalName);
  if (outcome === null) return null;
  url.searchParams.delete(arrivalName);
  history.replaceState(history.state, '', url);
  return outcome;
}

const windows = 'tieout-session';

/** Waits for sign-ins in other windows of the browser: the session of one is the session of all. */
function followOtherWindows(): void {
  new BroadcastChannel(windows).addEventListener('message', () => {
    // Without an answer the question to sign in stays.
    if (state.status === 'ended') sharedSession(state.me).catch(() => undefined);
  });
}

/** Takes up the session of a person who has come back from the identity provider, or of the browser's cookie. */
export async function resume(): Promise<void> {
  followOtherWindows();
  const outcome = readArrival();
  try {
    if (outcome !== null && outcome !== 'ready')
      return become({ status: 'out', me: null, arrival: { failure: outcome, tenants: [] } });
    if (outcome === 'ready') {
      const tenants = await signInByProvider();
      if (tenants.length > 0) become({ status: 'out', me: null, arrival: { failure: undefined, tenants } });
      return;
    }
    const response = await ask('GET', '/v1/me');
    if (response.ok) enter((await response.json()) as SessionAnswer);
    else if (response.status === 401) become({ status: 'out', me: null });
    else throw await failure(response);
  } catch (fault) {
    become({ status: 'out', me: null, fault });
  }
}

/** A tenant to choose at sign-in, for a user of several tenants. */
export interface TenantOption {
  id: string;
  name: string;
}

/** Signs in the person whom the identity provider has named. Returns the tenants among which to choose, if several. */
export const signInByProvider = (tenantId?: string): Promise<TenantOption[]> =>
  begin('/v1/sessions/provider', tenantId === undefined ? {} : { tenantId });

/**
 * Signs in. Returns the tenants among which the person has to choose, if there are several.
 * @throws TieoutError when the credentials are refused
 */
export const signIn = (credentials: SignInInput): Promise<TenantOption[]> => begin('/v1/sessions', credentials);

/**
 * Sets the password of the invited person and signs in.
 * @throws TieoutError invitation_not_valid, validation_error where the password is weak
 */
export const acceptInvitation = (token: string, password: string): Promise<TenantOption[]> =>
  begin('/v1/users/accept', { token, password });

async function begin(path: string, body: object): Promise<TenantOption[]> {
  const response = await ask('POST', path, body);
  if (!response.ok) throw await failure(response);
  const answer = (await response.json()) as SessionAnswer | { status: 'choose_tenant'; tenants: TenantOption[] };
  if ('tenants' in answer) return answer.tenants;
  enter(answer);
  new BroadcastChannel(windows).postMessage('in');
  return [];
}

/**
 * Ends the session. One that has ended already is no fault.
 * @throws TieoutError when the service refuses: its cookie still signs in the next person at the browser
 */
export async function signOut(): Promise<void> {
  const response = await ask('DELETE', '/v1/sessions/current');
  if (!response.ok && response.status !== 401) throw await failure(response);
  csrfToken = undefined;
  become({ status: 'out', me: null });
}

export type SignInMethods = components['schemas']['SignInMethods'];

/** The ways to sign in; a service that does not list them has passwords. */
export async function readSignInMethods(): Promise<SignInMethods | null> {
  const response = await ask('GET', '/v1/sessions/methods');
  return response.ok ? ((await response.json()) as SignInMethods) : null;
}

/**
 * Leads to the identity provider, and back to this page. While a person is at work it does so in another window: the
 * page would lose what has been typed.
 */
export function goToProvider(begins: string): void {
  const address = `${begins}?to=${encodeURIComponent(`${location.pathname}${location.search}`)}`;
  if (state.status === 'ended') open(address);
  else location.assign(address);
}

/** Names the caller, where work is given to somebody. */
export const callerName = (me: Me | null): string => me?.user?.name ?? me?.key?.label ?? '';

/** Returns whether the caller may do what needs a scope; `x:write` includes `x:read`. No scopes: everything. */
export function allows(me: Me | null, scope: string): boolean {
  if (me === null || state.status === 'out') return false;
  const scopes: readonly string[] = me.scopes;
  if (scopes.length === 0 || scopes.includes(scope)) return true;
  return scope.endsWith(':read') && scopes.includes(scope.replace(/:read$/, ':write'));
}

export const useAllows = (scope: string): boolean => allows(useSession().me, scope);

const makingScopes = ['reconciliations:write', 'rule-sets:write', 'datasets:read'];

/** A person may make a reconciliation, with its rules. */
export function useMayMake(): boolean {
  const { me } = useSession();
  return makingScopes.every((scope) => allows(me, scope));
}
