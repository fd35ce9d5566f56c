import { createHmac } from 'node:crypto';

export interface SignedMessage {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: Buffer;
}

const prefix = 'whsec_';
const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A secret of the form `whsec_<base64>` is the bytes that it encodes; any other secret is its own characters. */
export function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(prefix) ? secret.slice(prefix.length) : '';
  return base64.test(encoded) && encoded.length % 4 === 0
    ? Buffer.from(encoded, 'base64')
    : Buffer.from(secret, 'ascii');
}

/**
 * Returns the value of the header `webhook-signature` (https://www.standardwebhooks.com): a signature with each secret.
 */
export function sign(secrets: readonly string[], { id, timestamp, body }: SignedMessage): string {
  return secrets
    .map((secret) => createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64'))
    .map((signature) => `v1,${signature}`)
    .join(' ');
}
