import { createHash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const keyIdLength = 17; // 96 bits
const secretLength = 43; // 256 bits
const checksumLength = 6; // 32 bits

function base62(bytes: Uint8Array, length: number): string {
  let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  while (text.length < length) {
    text = (alphabet[Number(value % 62n)] as string) + text;
    value /= 62n;
  }
  return text;
}

function checksum(text: string): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(crc32(text));
  return base62(bytes, checksumLength);
}

/** Returns the stored form of a secret. A 256-bit random secret needs no slow hash. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export interface NewKey {
  /** `rk_<keyId>_<secret><checksum>`; shown once, never stored. */
  text: string;
  keyId: string;
  secretHash: Buffer;
  last4: string;
}

export function generateKey(): NewKey {
  const keyId = base62(randomBytes(12), keyIdLength);
  const secret = base62(randomBytes(32), secretLength);
  const text = `rk_${keyId}_${secret}${checksum(keyId + secret)}`;
  return { text, keyId, secretHash: hashSecret(secret), last4: text.slice(-4) };
}

const pattern = new RegExp(
  `^rk_([0-9A-Za-z]{${keyIdLength}})_([0-9A-Za-z]{${secretLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

/** Parses a key; undefined for a text with the wrong form or checksum. */
export function parseKey(text: string): { keyId: string; secret: string } | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [, keyId, secret, sum] = match as unknown as [string, string, string, string];
  return checksum(keyId + secret) === sum ? { keyId, secret } : undefined;
}

/** The beginning of a key, shown to distinguish keys. */
export function keyPrefix(keyId: string): string {
  return `rk_${keyId}`;
}
