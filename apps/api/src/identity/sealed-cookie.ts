import type { Cipher } from '@tieout/infra';
import { readCookie, setCookie } from '../http';

/** A cookie holds the way to the provider, or the person who has come back. */
type CookieKind = 'pending' | 'person';

interface SealedCookie<T> {
  read(headers: { cookie?: string | undefined }): T | undefined;
  /** Gives the header that sets the cookie, or removes it. */
  set(host: string, value: T | null): string;
}

interface Sealed<T> {
  value: T;
  until: number;
}

/**
 * A cookie that only this service can read and write: the state of a sign-in lies in the browser, so that any process
 * of the API may go on with it. It is sent when the provider leads back, which a stricter one would not be.
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
        // Written by another deployment, or by hand.
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

/** Tells the console for some minutes who has come back from the provider. */
export const personCookie = (cipher: Cipher): SealedCookie<VerifiedPerson> =>
  sealedCookie<VerifiedPerson>(cipher, 'person', maxPersonSeconds);
