import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ConfigError } from '../kernel/errors';
import type { Logger } from './logger';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** The first part of an envelope: `v1.<key id>.<iv, tag and ciphertext in base64url>`. */
const version = 'v1';
const envelopeForm = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** The context that a ciphertext is bound to: writing it to another row does not make it readable there. */
export interface CipherContext {
  tenantId: string;
  /** The table and column, or a similar name. */
  purpose: string;
  rowId: string;
}

export interface Cipher {
  /** Encrypts a text to an envelope under the first key. */
  encrypt(text: string, context: CipherContext): string;
  /** @throws Error when no key fits, the context differs, or the envelope was changed */
  decrypt(envelope: string, context: CipherContext): string;
  /** The ids of all keys, that of the encrypting key first. `keyIdOf` gives the id that an envelope needs. */
  keyIds: readonly string[];
}

/** Gives SQL for the key id of the envelope in a column. */
export const keyIdOf = (column: string): string => `split_part(${column}, '.', 2)`;

/** The known keys, for statements that skip what this process cannot decrypt. */
export interface KnownKeys {
  ids: readonly string[];
  /** Logs an error for each needed key that is missing, at most once a minute per key. */
  reportMissing(needed: readonly string[]): void;
}

const logEveryMs = 60_000;

/** @param purpose the purpose of the envelopes, as in their context */
export function createKnownKeys(
  { keyIds }: Pick<Cipher, 'keyIds'>,
  purpose: string,
  logger: Logger,
  nowMs = (): number => performance.now(),
): KnownKeys {
  const loggedMs = new Map<string, number>();
  return {
    ids: keyIds,
    reportMissing: (needed) => {
      for (const keyId of needed) {
        if (keyIds.includes(keyId) || nowMs() - (loggedMs.get(keyId) ?? -Infinity) < logEveryMs) continue;
        loggedMs.set(keyId, nowMs());
        logger.error(
          { keyId },
          `the key ${keyId} of an encrypted ${purpose} is not in SECRETS_KEY: what needs it waits`,
        );
      }
    },
  };
}

interface Key {
  /** The beginning of the key's digest, which reveals nothing about the key. */
  id: string;
  bytes: Buffer;
}

/**
 * Creates an AES-256-GCM cipher for secrets at rest. `keys` is SECRETS_KEY, one key or several separated by commas: the
 * first one encrypts, all decrypt. A new key is put first, and old keys stay until their rows are encrypted again.
 * @throws ConfigError
 */
export function createCipher(keys: string): Cipher {
  const known = keys.split(',').map((text, index) => readKey(text.trim(), index));
  const first = known[0] as Key;
  return {
    encrypt: (text, context) => {
      const sealed = sealText(first.bytes, text, associatedData(first.id, context));
      return `${version}.${first.id}.${sealed.toString('base64url')}`;
    },
    decrypt: (envelope, context) => {
      const [, id, sealed] = envelopeForm.exec(envelope) ?? [];
      if (id === undefined || sealed === undefined)
        throw new Error(`an encrypted ${context.purpose} has an unknown form`);
      const key = known.find((one) => one.id === id);
      if (!key)
        throw new Error(
          `the key ${id} of an encrypted ${context.purpose} is not in SECRETS_KEY; add it after the first one`,
        );
      return openText(key.bytes, Buffer.from(sealed, 'base64url'), associatedData(id, context));
    },
    keyIds: known.map(({ id }) => id),
  };
}

/** Matches 32 bytes in hex. */
const hexKey = /^[0-9a-f]{64}$/i;
const base64Key = /^[A-Za-z0-9+/_-]{43}=?$/;

function readKey(text: string, index: number): Key {
  if (!hexKey.test(text) && !base64Key.test(text)) {
    throw new ConfigError(
      `Invalid settings:\n  SECRETS_KEY key ${index + 1} must be 32 bytes in base64 or hex; ` +
        'make one with: openssl rand -base64 32',
    );
  }
  const bytes = Buffer.from(text, hexKey.test(text) ? 'hex' : 'base64');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** Gives the associated data of a context. As JSON, no two contexts give the same bytes. */
function associatedData(keyId: string, { tenantId, purpose, rowId }: CipherContext): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, tenantId, purpose, rowId]));
}

/** Encrypts with AES-256-GCM under a key of 32 bytes to iv, tag and ciphertext. The tag also covers `associated`. */
export function sealText(key: Buffer, text: string, associated: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(associated);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** @throws Error when the key or the associated bytes differ, or the sealed bytes were changed */
export function openText(key: Buffer, sealed: Buffer, associated: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes }).setAAD(
    associated,
  );
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
}
