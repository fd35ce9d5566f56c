import { Router, type Request, type Response } from 'express';
import { AppError, type Cipher, type Logger } from '@tieout/infra';
import { SignInRefused, type IdentityProvider, type PendingSignIn } from './provider';
import { personCookie, sealedCookie } from './sealed-cookie';

interface Begun {
  pending: PendingSignIn;
  redirectUri: string;
  /** The page to which the person wants. */
  to: string;
}

/** A person may take this long at the provider. */
const maxPendingSeconds = 900;
export const beginPath = '/app/oidc/begin';
const callbackPath = '/app/oidc/callback';

interface PagesOptions {
  provider: IdentityProvider;
  cipher: Cipher;
  logger: Logger;
}

/**
 * Leads a browser to the identity provider and back. It comes back to a page of the console, which then begins the
 * session: a page of this service asks for it, and no other one can.
 */
export function signInPages({ provider, cipher, logger }: PagesOptions): Router {
  const begun = sealedCookie<Begun>(cipher, 'pending', maxPendingSeconds);
  const person = personCookie(cipher);
  const router = Router({ strict: true, caseSensitive: true });

  /** Sends the browser on; a failure leads to the sign-in, which says so. */
  const answer = (request: Request, response: Response, next: () => Promise<string>): void => {
    next()
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) logger.error({ err: error, path: request.path }, 'a sign-in failed');
        return pageWith(home, 'failed');
      })
      .then(
        (location) => response.redirect(302, location),
        (error: unknown) => logger.error({ err: error }, 'unsent'),
      );
  };
  router.get(beginPath, (request, response) =>
    answer(request, response, async () => {
      const redirectUri = `${request.protocol}://${request.host}${callbackPath}`;
      const { url, pending } = await provider.begin(redirectUri);
      const to = pageOf(new URL(request.originalUrl, redirectUri).searchParams.get('to'));
      response.setHeader('Set-Cookie', begun.set(request.host, { pending, redirectUri, to }));
      return url.href;
    }),
  );

  router.get(callbackPath, (request, response) =>
    answer(request, response, async () => {
      const known = begun.read(request.headers);
      if (known === undefined) return pageWith(home, 'expired');
      const url = new URL(known.redirectUri);
      url.search = new URL(request.originalUrl, url).search;
      const removed = begun.set(request.host, null);
      try {
        const email = await provider.finish(url, known.pending);
        response.setHeader('Set-Cookie', [removed, person.set(request.host, { email })]);
        return pageWith(known.to, 'ready');
      } catch (error) {
        if (!(error instanceof SignInRefused)) throw error;
        response.setHeader('Set-Cookie', removed);
        return pageWith(known.to, error.reason);
      }
    }),
  );

  return router;
}

const anyHost = 'http://console';
const home = '/app/';

/** A page of the console, and nothing else: a link must not lead a person who has signed in elsewhere. */
function pageOf(to: string | null): string {
  if (to === null || !URL.canParse(to, anyHost)) return home;
  const { origin, pathname, search } = new URL(to, anyHost);
  return origin === anyHost && /^\/app(\/|$)/.test(pathname) ? `${pathname}${search}` : home;
}

function pageWith(to: string, outcome: string): string {
  const url = new URL(to, anyHost);
  url.searchParams.set('sign-in', outcome);
  return `${url.pathname}${url.search}`;
}
