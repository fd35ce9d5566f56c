import type { Cipher } from '@tieout/infra';
import { readCookie, setCookie } from '../http';

/** `pending`: a sign-in that has begun at the provider. `person`: the person who has come back. */
type CookieKind = 'pending' | 'person';

interface SealedCookie<T> {
  read(headers: { cookie?: string | undefined }): T | undefined;
  /** Returns the header that sets the cookie; null removes it. */
  set(host: string, value: T | null): string;
}

interface Sealed<T> {
  value: T;
  until: number;
}

/**
 * Creates a cookie that only this service can read and write. It keeps the state of a sign-in in the browser, so that
 * any process of the API can continue it. A cookie stricter than `Lax` is not sent when the provider redirects back.
 */
export function sealedCookie<T>(cipher: Cipher, kind: CookieKind, maxSeconds: number): SealedCookie<T> {
  const name = `tieout_sign_in_${kind}`;
  const context = { tenantId: '', purpose: `sign-in.${kind}`, rowId: '' };
  return {
    read: (headers) => {
      const text = readCookie(headers, name)[0];
      if (text === undefined) return undefined;
      try {
        const { value, until } = JSON.parse(cipher.decrypt(text, context)) as Sealed<T>;
        return until > Date.now() ? value : undefined;
      } catch {
        // The cookie was written by another deployment, or by hand.
        return undefined;
      }
    },
    set: (host, value) => {
      const until = value === null ? 0 : Date.now() + 1_000 * maxSeconds;
      const sealed: Sealed<T> | null = value === null ? null : { value, until };
      const text = sealed === null ? '' : cipher.encrypt(JSON.stringify(sealed), context);
      return setCookie(host, { name, value: text, expiresAt: new Date(until), sameSite: 'Lax' });
    },
  };
}

/** A person whose email the provider has verified. */
export interface VerifiedPerson {
  email: string;
}

const maxPersonSeconds = 300;

/** Tells the console for a few minutes who has come back from the provider. */
export const personCookie = (cipher: Cipher): SealedCookie<VerifiedPerson> =>
  sealedCookie<VerifiedPerson>(cipher, 'person', maxPersonSeconds);
