import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits and the form in which it is stored: no slow hash is needed. */
export interface NewToken {
  text: string;
  hash: Uint8Array<ArrayBuffer>;
}

const pattern = /^[A-Za-z0-9_-]{43}$/;

const digest = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(text).digest());

export function newToken(): NewToken {
  const text = randomBytes(32).toString('base64url');
  return { text, hash: digest(text) };
}

/** Returns the stored form of a token; undefined for a text that is none. */
export const hashToken = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  pattern.test(text) ? digest(text) : undefined;
