import type { Db, Logger, Storage, TenantDb } from '@tieout/infra';
import type { JobProducer } from './jobs';
import type { Evaluator } from '../rules/evaluation/evaluator';
import type { Days } from './retention';
import type { StoreInGroup } from '../data/records/group-commit';

/** Decisions of the operator that use cases depend on. */
export interface DomainSettings {
  /** References of expressions must be fields that the dataset declares (RULE_SETS_VALIDATE_FIELDS_STRICT). */
  validateFieldsStrict: boolean;
  /** Pairs that a rule set without blocking may compare (MAX_UNBLOCKED_PAIRS). */
  maxUnblockedPairs: number;
  /** How long the answer to a request with an idempotency key can be had again (RETENTION_IDEMPOTENCY_KEYS). */
  idempotencyKeyDays: Days;
}

export const defaultSettings: DomainSettings = {
  validateFieldsStrict: false,
  maxUnblockedPairs: 50_000_000,
  idempotencyKeyDays: 1,
};

/** What use cases need, wired once in a main.ts. */
export interface DomainDeps {
  db: Db;
  queue: JobProducer;
  storage: Storage;
  evaluator: Evaluator;
  logger: Logger;
  settings: DomainSettings;
  storeInGroup: StoreInGroup;
}

/** Runs a task that may hold a connection to the database while it holds a permit of its tenant. */
export type RunWithPermit = <T>(task: () => Promise<T>) => Promise<T>;

/** One tenant's view of the service: every use case takes it first. */
export interface TenantScope {
  readonly tenantId: string;
  readonly db: TenantDb;
  readonly queue: JobProducer;
  readonly storage: Storage;
  readonly evaluator: Evaluator;
  readonly logger: Logger;
  readonly settings: DomainSettings;
  /** Not inside a transaction, which what is stored in a group is no part of. */
  readonly storeInGroup: StoreInGroup | undefined;
  /** Runs `work` in one database transaction; inside of one it joins it. */
  transaction<T>(work: (scope: TenantScope) => Promise<T>): Promise<T>;
}

export function tenantScope(deps: DomainDeps, tenantId: string): TenantScope {
  return scopeOver(deps, deps.db.forTenant(tenantId), deps.storeInGroup);
}

/** For reads that hold no connection to the database: what would is refused with NotShortReadError. */
export function briefScope(deps: DomainDeps, tenantId: string): TenantScope {
  return scopeOver(deps, deps.db.forShortReads(tenantId));
}

function scopeOver(deps: DomainDeps, db: TenantDb, storeInGroup?: StoreInGroup): TenantScope {
  return {
    tenantId: db.tenantId,
    db,
    queue: deps.queue,
    storage: deps.storage,
    evaluator: deps.evaluator,
    logger: deps.logger,
    settings: deps.settings,
    storeInGroup,
    transaction: (work) => db.transaction((tx) => work(scopeOver(deps, tx))),
  };
}
