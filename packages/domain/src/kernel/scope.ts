import { onlyShortReads, type Db, type Logger, type Storage, type TenantDb } from '@tieout/infra';
import type { JobProducer } from './jobs';
import type { Evaluator, RemoveRecordsOfFile, StoreInGroup } from './ports';
import { defaultQuotas, type Quotas } from './quotas';
import type { Days } from './retention';

/** Decisions of the operator that use cases depend on. */
export interface DomainSettings {
  /** Expressions may refer only to fields that the dataset declares (RULE_SETS_VALIDATE_FIELDS_STRICT). */
  validateFieldsStrict: boolean;
  /** Max pairs that a rule set without blocking may compare (MAX_UNBLOCKED_PAIRS). */
  maxUnblockedPairs: number;
  /** Days for which a request with an idempotency key is answered again (RETENTION_IDEMPOTENCY_KEYS). */
  idempotencyKeyDays: Days;
  /** Limits of tenants without their own limits (QUOTA_…). */
  quotas: Quotas;
  /** The cost of scrypt for new passwords, a power of 2. */
  passwordCost: number;
}

export const defaultSettings: DomainSettings = {
  validateFieldsStrict: false,
  maxUnblockedPairs: 50_000_000,
  idempotencyKeyDays: 1,
  quotas: defaultQuotas,
  passwordCost: 2 ** 15,
};

/** Everything that use cases need, wired once by `openDomain`. */
export interface DomainDeps {
  db: Db;
  queue: JobProducer;
  storage: Storage;
  evaluator: Evaluator;
  logger: Logger;
  settings: DomainSettings;
  storeInGroup: StoreInGroup;
  removeRecordsOfFile: RemoveRecordsOfFile;
}

/** Runs a task that may hold a database connection, while the tenant holds a permit for one. */
export type RunWithPermit = <T>(task: () => Promise<T>) => Promise<T>;

/** The author of a change: a caller of the API, or the service on its own. */
export interface Actor {
  type: 'user' | 'key' | 'agent' | 'job' | 'operator';
  /** The id of a user, a job, or a key, which an agent has too. */
  id: string | null;
  /** The email of a user; the person behind a key, or the name of an agent, as the caller gave it. */
  label: string | null;
}

/** The author and the request of a change, for the audit. */
export interface Origin {
  actor: Actor;
  requestId: string | null;
}

const background: Origin = { actor: { type: 'job', id: null, label: null }, requestId: null };

/** One tenant's view of the service; the first parameter of every use case. */
export interface TenantScope {
  readonly tenantId: string;
  readonly origin: Origin;
  readonly db: TenantDb;
  readonly queue: JobProducer;
  readonly storage: Storage;
  readonly evaluator: Evaluator;
  readonly logger: Logger;
  readonly settings: DomainSettings;
  /** Undefined inside a transaction: a group commit is not part of it. */
  readonly storeInGroup: StoreInGroup | undefined;
  readonly removeRecordsOfFile: RemoveRecordsOfFile;
  /** Runs `work` in one database transaction; a nested call joins the outer transaction. */
  transaction<T>(work: (scope: TenantScope) => Promise<T>): Promise<T>;
}

/** @param origin default: the service itself */
export function tenantScope(deps: DomainDeps, tenantId: string, origin: Origin = background): TenantScope {
  return scopeOver({ deps, origin }, deps.db.forTenant(tenantId), deps.storeInGroup);
}

/** Returns a scope for changes that the service itself makes within the transaction of a caller. */
export const asService = (scope: TenantScope): TenantScope => ({
  ...scope,
  origin: background,
  transaction: (work) => scope.transaction((s) => work(asService(s))),
});

/** A scope for reads, which replicas may answer; changes are refused where there are some. */
export function readScope(deps: DomainDeps, tenantId: string, origin: Origin): TenantScope {
  return scopeOver({ deps, origin }, deps.db.forReads(tenantId));
}

/** A scope for reads that share connections; anything that would hold one is refused with NotShortReadError. */
export function briefScope(deps: DomainDeps, db: TenantDb): TenantScope {
  return scopeOver({ deps, origin: background }, onlyShortReads(db));
}

function scopeOver(
  owned: { deps: DomainDeps; origin: Origin },
  db: TenantDb,
  storeInGroup?: StoreInGroup,
): TenantScope {
  const { deps, origin } = owned;
  return {
    tenantId: db.tenantId,
    origin,
    db,
    queue: deps.queue,
    storage: deps.storage,
    evaluator: deps.evaluator,
    logger: deps.logger,
    settings: deps.settings,
    storeInGroup,
    removeRecordsOfFile: deps.removeRecordsOfFile,
    transaction: (work) => db.transaction((tx) => work(scopeOver(owned, tx))),
  };
}
