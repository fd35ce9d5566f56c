import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { AppError } from '@tieout/infra';
import type { ReplyHeaders } from './reply';

export const sessionCookie = 'tieout_session';
export const csrfHeader = 'x-tieout-csrf';

/** Reads the values of a cookie. */
export const readCookie = ({ cookie = '' }: { cookie?: string | undefined }, wanted: string): string[] =>
  cookie.split(';').flatMap((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    return name.trim() === wanted && value.trim() !== '' ? [value.trim()] : [];
  });

/** Reads the token of a session; undefined without a cookie. @throws AppError invalid_session for two of them */
export function readSessionToken({ headers }: Pick<Request, 'headers'>): string | undefined {
  const found = readCookie(headers, sessionCookie);
  // Another site under the same domain can add a cookie of this name, and which of them is ours is not known.
  if (found.length > 1) throw sessionEnded();
  return found[0];
}

export const sessionEnded = (): AppError => new AppError('invalid_session', 'The session has ended: sign in again');

/** The token that a page sends with each change. Only a page of this service can read it, and it needs no storage. */
export const csrfTokenOf = (sessionToken: string): string =>
  createHmac('sha256', sessionToken).update('tieout csrf').digest('base64url');

const localHosts = /^(localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;

/** Gives the header that sets the cookie of a session in the browser, or removes it. */
export function setSessionCookie(host: string, session: { token: string; expiresAt: Date } | null): ReplyHeaders {
  const { token: value = '', expiresAt = new Date(0) } = session ?? {};
  return { 'Set-Cookie': setCookie(host, { name: sessionCookie, value, expiresAt, sameSite: 'Strict' }) };
}

interface NewCookie {
  name: string;
  value: string;
  /** In the past: it is removed. */
  expiresAt: Date;
  /** Lax: it is also sent when a page of another site leads here. */
  sameSite: 'Strict' | 'Lax';
}

/** The text that sets a cookie which no script reads; it is sent over encrypted connections only, but on localhost. */
export function setCookie(host: string, { name, value, expiresAt, sameSite }: NewCookie): string {
  const secure = localHosts.test(host) ? '' : '; Secure';
  return `${name}=${value}; Expires=${expiresAt.toUTCString()}; Path=/; HttpOnly; SameSite=${sameSite}${secure}`;
}

const crossSite = (message: string): AppError => new AppError('cross_site_request', message);

/** Refuses a request that a browser sends for a page of another site. @throws AppError cross_site_request */
export function assertSameOrigin({ headers, host }: Pick<Request, 'headers' | 'host'>): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    throw crossSite('The request comes from a page of another site: open this service itself');
  const { origin } = headers;
  if (origin !== undefined && hostOf(origin) !== host.toLowerCase())
    throw crossSite(
      `The header Origin names another host than the request (${host}): a proxy in front has to pass the header Host ` +
        'on, or X-Forwarded-Host as one of TRUSTED_PROXIES',
    );
}

/** Host and port of an origin; as in the header Host, the usual port of the scheme is left out. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Refuses a request of a session without the token that its page knows. @throws AppError cross_site_request */
export function assertCsrfToken({ headers }: Pick<Request, 'headers'>, sessionToken: string): void {
  const sent = Buffer.from(String(headers[csrfHeader] ?? ''));
  const expected = Buffer.from(csrfTokenOf(sessionToken));
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw crossSite(`Send the csrf_token of the session, which GET /v1/me answers, in the header ${csrfHeader}`);
}
