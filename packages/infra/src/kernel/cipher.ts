import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ConfigError } from './config';
import type { Logger } from './logger';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** First part of an envelope: `v1.<key id>.<iv, tag and ciphertext in base64url>`. */
const version = 'v1';
const envelopeForm = /^v1\.([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** What a ciphertext belongs to. It opens nowhere else, so that nobody who can write rows can move a secret to another one. */
export interface CipherContext {
  tenantId: string;
  /** Table and column, or the like. */
  purpose: string;
  rowId: string;
}

export interface Cipher {
  /** Text to envelope, under the first key. */
  encrypt(text: string, context: CipherContext): string;
  /** @throws Error when no key fits, the context is another one, or the envelope was changed */
  decrypt(envelope: string, context: CipherContext): string;
  /** Of the keys that there are, the one that encrypts first; `keyIdOf` says which one an envelope needs. */
  keyIds: readonly string[];
}

/** SQL: the id of the key that the envelope in a column is under. */
export const keyIdOf = (column: string): string => `split_part(${column}, '.', 2)`;

/** For statements that leave alone what this process cannot decrypt. */
export interface KnownKeys {
  ids: readonly string[];
  /** Of keys that something waits for, tells on-call which are not there: of each once a minute. */
  reportMissing(waitedFor: readonly string[]): void;
}

const toldEveryMs = 60_000;

/** @param purpose of the envelopes, as in their context */
export function createKnownKeys(
  { keyIds }: Pick<Cipher, 'keyIds'>,
  purpose: string,
  logger: Logger,
  nowMs = (): number => performance.now(),
): KnownKeys {
  const toldMs = new Map<string, number>();
  return {
    ids: keyIds,
    reportMissing: (waitedFor) => {
      for (const keyId of waitedFor) {
        if (keyIds.includes(keyId) || nowMs() - (toldMs.get(keyId) ?? -Infinity) < toldEveryMs) continue;
        toldMs.set(keyId, nowMs());
        logger.error(
          { keyId },
          `the key ${keyId} of an encrypted ${purpose} is not in SECRETS_KEY: what needs it waits`,
        );
      }
    },
  };
}

interface Key {
  /** Of its digest: finds the key of an envelope without saying anything about it. */
  id: string;
  bytes: Buffer;
}

/**
 * AES-256-GCM for secrets at rest. `keys`: SECRETS_KEY, one key or several with commas between; the first one encrypts, all
 * decrypt, so that a new key is put in front and the old ones stay until their rows are written anew.
 * @throws ConfigError
 */
export function createCipher(keys: string): Cipher {
  const known = keys.split(',').map((text, index) => readKey(text.trim(), index));
  const first = known[0] as Key;
  return {
    encrypt: (text, context) => {
      const sealed = sealText(first.bytes, text, bound(first.id, context));
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
      return openText(key.bytes, Buffer.from(sealed, 'base64url'), bound(id, context));
    },
    keyIds: known.map(({ id }) => id),
  };
}

/** 32 bytes. */
const hexKey = /^[0-9a-f]{64}$/i;
const base64Key = /^[A-Za-z0-9+/_-]{43}=?$/;

function readKey(text: string, index: number): Key {
  if (!hexKey.test(text) && !base64Key.test(text)) {
    throw new ConfigError(
      `Invalid settings:\n  SECRETS_KEY key ${index + 1} must be 32 bytes in base64 or hex; make one with: openssl rand -base64 32`,
    );
  }
  const bytes = Buffer.from(text, hexKey.test(text) ? 'hex' : 'base64');
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes };
}

/** What the tag covers besides the text. As JSON, no two contexts give the same bytes. */
function bound(keyId: string, { tenantId, purpose, rowId }: CipherContext): Buffer {
  return Buffer.from(JSON.stringify([version, keyId, tenantId, purpose, rowId]));
}

/** AES-256-GCM under a key of 32 bytes: iv, tag, ciphertext. `associated` is what the tag covers besides the text. */
export function sealText(key: Buffer, text: string, associated: Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(associated);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** @throws Error when the key or the associated bytes are others, or the sealed bytes were changed */
export function openText(key: Buffer, sealed: Buffer, associated: Buffer): string {
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes }).setAAD(
    associated,
  );
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()]).toString('utf8');
}
