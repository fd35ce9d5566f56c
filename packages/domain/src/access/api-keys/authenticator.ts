import { createHash, timingSafeEqual } from 'node:crypto';
import { isUuid, messageOf, type Db, type Logger } from '@tieout/infra';
import { LRUCache } from 'lru-cache';
import type { RunWithPermit } from '../../kernel/scope';
import { tenantExists } from '../tenants';
import { hashSecret, parseKey } from './key-format';
import { createRecentCache } from './recent-cache';

/** The owner of a presented key. */
export type Identity =
  | { kind: 'platform' }
  | {
      kind: 'tenant';
      tenantId: string;
      apiKeyId: string;
      /** Public part of the key. */
      keyId: string;
      /** []: unrestricted */
      scopes: readonly string[];
    };

export interface Authenticator {
  /**
   * Finds the owner of a key; undefined for one that is unknown, mistyped or revoked.
   * @param withPermit runs the look-up of a key that was not valid lately
   */
  identify(key: string, withPermit: RunWithPermit): Promise<Identity | undefined>;
  isTenant(id: string): Promise<boolean>;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/** Max age of a reused answer of the database: for this time a revoked key still works. */
const reuseMs = 500;
const touchIntervalMs = 60_000;
/** Key ids are random, so an unknown one does not soon become known. */
const unknownForMs = 10_000;
const maxRemembered = 10_000;

interface StoredKey {
  id: string;
  tenantId: string;
  secretHash: Uint8Array;
  scopes: string[];
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

export function createAuthenticator(deps: { db: Db; logger: Logger; platformKey: string }): Authenticator {
  const { system } = deps.db;
  const platformHash = sha256(deps.platformKey);
  const loadKey = createRecentCache(reuseMs, async (keyId: string): Promise<StoredKey | undefined> => {
    const rows = await system.query<StoredKey>(
      `select id::text as id, tenant_id::text as "tenantId", secret_hash as "secretHash", scopes
       from api_keys where key_id = $1 and active`,
      [keyId],
    );
    return rows[0];
  });
  const loadTenant = createRecentCache(reuseMs, async (id: string): Promise<true | undefined> =>
    (await tenantExists(system, id)) ? true : undefined,
  );

  const validLately = new LRUCache<string, true>({ max: maxRemembered });
  const unknownLately = new LRUCache<string, true>({ max: maxRemembered, ttl: unknownForMs });
  /** Looks up a key that was valid lately at once: keys in use never wait for guessed ones. */
  const find = async (keyId: string, withPermit: RunWithPermit): Promise<StoredKey | undefined> => {
    if (unknownLately.has(keyId)) return undefined;
    const lookUp = () => loadKey(keyId);
    const stored = await (validLately.has(keyId) ? lookUp() : withPermit(lookUp));
    if (!stored) unknownLately.set(keyId, true);
    return stored;
  };

  const touchedLately = new LRUCache<string, true>({ max: maxRemembered, ttl: touchIntervalMs });
  const writes = new Set<Promise<void>>();
  // The time of last use is for people: it is written beside the request, and a lost update does no harm.
  const touch = (id: string): void => {
    if (touchedLately.has(id)) return;
    touchedLately.set(id, true);
    const write = system
      .execute(
        `update api_keys set last_used_at = now()
         where id = $1::uuid and (last_used_at is null or last_used_at < now() - make_interval(secs => $2))`,
        [id, touchIntervalMs / 1000],
      )
      .then(
        () => undefined,
        (error: unknown) => deps.logger.warn({ reason: messageOf(error) }, 'could not note the use of a key'),
      )
      .finally(() => writes.delete(write));
    writes.add(write);
  };

  return {
    identify: async (key, withPermit) => {
      // Hashes have one length, which a comparison in constant time needs.
      if (timingSafeEqual(sha256(key), platformHash)) return { kind: 'platform' };
      const parts = parseKey(key);
      if (!parts) return undefined;
      const stored = await find(parts.keyId, withPermit);
      if (!stored || !timingSafeEqual(hashSecret(parts.secret), stored.secretHash)) return undefined;
      validLately.set(parts.keyId, true);
      touch(stored.id);
      return {
        kind: 'tenant',
        tenantId: stored.tenantId,
        apiKeyId: stored.id,
        keyId: parts.keyId,
        scopes: stored.scopes,
      };
    },
    isTenant: async (id) => isUuid(id) && (await loadTenant(id.toLowerCase())) === true,
    close: async () => {
      await Promise.all(writes);
    },
  };
}
