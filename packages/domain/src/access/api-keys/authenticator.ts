import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { AppError, isUuid, messageOf, throttleLog, type Db, type Logger } from '@tieout/infra';
import { LRUCache } from 'lru-cache';
import type { RunWithPermit } from '../../kernel/scope';
import { createRecentCache } from '../../kernel/recent-cache';
import { isUsableSql, stateSql, usableTenant, type TenantState } from '../tenants';
import { identifySession } from '../sessions';
import { addressFilter } from '../address-ranges';
import { hashSecret, parseKey } from './key-format';

/** The owner of a presented key or session. */
export type Identity =
  | {
      kind: 'platform';
      /** The platform key before its rotation. */
      isPrevious: boolean;
    }
  | {
      kind: 'tenant';
      tenantId: string;
      /** null: a user. */
      apiKeyId: string | null;
      /** Public part of the key; null: a user. */
      keyId: string | null;
      /** null: a key. */
      user: { id: string; email: string } | null;
      /** Set for a caller with the cookie of a session. */
      sessionId: string | null;
      /** []: unrestricted */
      scopes: readonly string[];
      state: TenantState;
    };

export interface PresentedKey {
  key: string;
  /** The address of the client. */
  address: string;
}

export interface Authenticator {
  /**
   * Finds the owner of a key; undefined for one that is unknown, mistyped or revoked.
   * @param withPermit runs the look-up of a key that was not valid lately
   * @throws AppError invalid_api_key for one that has expired, address_not_allowed
   */
  identify(presented: PresentedKey, withPermit: RunWithPermit): Promise<Identity | undefined>;
  /**
   * Finds the owner of a session; undefined for one that has ended. The session of a key is one request after another
   * with the key: it ends with the secret that began it, and works from where the key does.
   * @throws AppError address_not_allowed
   */
  identifySession(presented: { token: string; address: string }): Promise<Identity | undefined>;
  /** Undefined for an id that no tenant has. */
  tenantById(id: string): Promise<{ state: TenantState } | undefined>;
  /** Waits for pending writes. */
  close(): Promise<void>;
}

/** Max age of a reused answer of the database: for this time a revoked key still works. */
const reuseMs = 500;
const touchIntervalMs = 60_000;
/** Key ids are random, so an unknown one does not soon become known. */
const unknownForMs = 10_000;
const maxRemembered = 10_000;

/** Between two lines about the use of the previous platform key. */
const logPreviousEveryMs = 60_000;

interface StoredKey {
  id: string;
  tenantId: string;
  secretHash: Uint8Array;
  scopes: string[];
  state: TenantState;
  /** When the key expires, or this secret of it. */
  expiresAt: Date | null;
  allowedCidrs: string[];
}

interface LoadedKey extends StoredKey {
  isAllowedFrom: (address: string) => boolean;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

interface AuthenticatorDeps {
  db: Db;
  logger: Logger;
  platformKey: string;
  /** Accepted as well, while it is being replaced. */
  previousPlatformKey?: string | undefined;
  /** A key that is unknown here may become known: its tenant may move here. */
  mayBecomeKnown?: boolean;
}

export function createAuthenticator(deps: AuthenticatorDeps): Authenticator {
  const { system } = deps.db;
  const platformHash = sha256(deps.platformKey);
  const previousHash = deps.previousPlatformKey === undefined ? undefined : sha256(deps.previousPlatformKey);
  const logPrevious = throttleLog(logPreviousEveryMs, (address: string, requests) =>
    deps.logger.warn({ address, requests }, 'the previous platform key is in use'),
  );
  const loadKey = createRecentCache(reuseMs, async (keyId: string): Promise<LoadedKey | undefined> => {
    const rows = await system.query<StoredKey>(
      `select k.*, ${stateSql} as state
         from (select id::text as id, tenant_id::text as "tenantId", scopes,
                      coalesce(allowed_cidrs, '{}') as "allowedCidrs", secret_hash as "secretHash",
                      expires_at as "expiresAt"
                 from api_keys where key_id = $1 and active
               union all
               select id::text, tenant_id::text, scopes, coalesce(allowed_cidrs, '{}'), previous_secret_hash,
                      least(previous_until, expires_at)
                 from api_keys where previous_key_id = $1 and active) k
         join tenants t on t.id = k."tenantId"::uuid and ${isUsableSql}`,
      [keyId],
    );
    const [row] = rows;
    return row && { ...row, isAllowedFrom: addressFilter(row.allowedCidrs) };
  });
  const loadTenant = createRecentCache(reuseMs, (id: string) => usableTenant(system, id));

  const validLately = new LRUCache<string, true>({ max: maxRemembered });
  const unknownLately = new LRUCache<string, true>({ max: maxRemembered, ttl: unknownForMs });
  /** Looks up a key that was valid lately at once: keys in use never wait for guessed ones. */
  const find = async (keyId: string, withPermit: RunWithPermit): Promise<LoadedKey | undefined> => {
    if (unknownLately.has(keyId)) return undefined;
    const lookUp = () => loadKey(keyId);
    const stored = await (validLately.has(keyId) ? lookUp() : withPermit(lookUp));
    if (!stored && !deps.mayBecomeKnown) unknownLately.set(keyId, true);
    return stored;
  };

  const touchedLately = new LRUCache<string, true>({ max: maxRemembered, ttl: touchIntervalMs });
  const writes = new Set<Promise<void>>();
  // The time of last use is for people: it is written concurrently with the request, and a lost update does no harm.
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

  /** @throws AppError invalid_api_key for a key that has expired, address_not_allowed */
  const accept = (stored: LoadedKey, { keyId, address }: { keyId: string; address: string }) => {
    if (stored.expiresAt && stored.expiresAt.getTime() <= Date.now())
      throw new AppError('invalid_api_key', `The API key expired at ${stored.expiresAt.toISOString()}`);
    if (!stored.isAllowedFrom(address))
      throw new AppError('address_not_allowed', `The API key does not work from ${isIP(address) ? address : 'here'}`);
    touch(stored.id);
    const { tenantId, id: apiKeyId, scopes, state } = stored;
    return { kind: 'tenant' as const, tenantId, apiKeyId, keyId, user: null, scopes, state };
  };

  return {
    identify: async ({ key, address }, withPermit) => {
      // Hashes have one length, which a comparison in constant time needs.
      const hash = sha256(key);
      if (timingSafeEqual(hash, platformHash)) return { kind: 'platform', isPrevious: false };
      if (previousHash && timingSafeEqual(hash, previousHash)) {
        logPrevious(address);
        return { kind: 'platform', isPrevious: true };
      }
      const parts = parseKey(key);
      if (!parts) return undefined;
      const stored = await find(parts.keyId, withPermit);
      if (!stored || !timingSafeEqual(hashSecret(parts.secret), stored.secretHash)) return undefined;
      validLately.set(parts.keyId, true);
      return { ...accept(stored, { keyId: parts.keyId, address }), sessionId: null };
    },
    identifySession: async ({ token, address }) => {
      const session = await identifySession(system, token);
      if (!session) return undefined;
      const { sessionId, tenantId, state } = session;
      if ('user' in session) {
        const { user, scopes } = session;
        return { kind: 'tenant', tenantId, apiKeyId: null, keyId: null, user, sessionId, scopes, state };
      }
      const { keyId } = session;
      const stored = await loadKey(keyId);
      if (stored?.tenantId !== tenantId) return undefined;
      return { ...accept(stored, { keyId, address }), sessionId };
    },
    tenantById: async (id) => (isUuid(id) ? loadTenant(id.toLowerCase()) : undefined),
    close: async () => {
      await Promise.all(writes);
    },
  };
}
