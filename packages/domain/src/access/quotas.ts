import { AppError, hasDatabaseCode, type ErrorCode, type Queries } from '@tieout/infra';
import { quotaNames, quotaTexts, type QuotaName, type Quotas } from '../kernel/quotas';
import type { TenantScope } from '../kernel/scope';

export interface QuotaUsage {
  limit: number;
  used: number;
}

/** Files whose bytes are kept. The condition is literally that of the index `data_source_files_kept_idx`. */
const keptFiles = `from data_source_files where tenant_id = $1::uuid and expired_at is null and status <> 'deleted'`;

/** SQL for what tenant $1 uses of each quota. It reads only counters and small indexes. */
const usedSql: Record<QuotaName, string> = {
  records: 'select sum(count) from record_counts where tenant_id = $1::uuid',
  bytes: `select sum(size_bytes) ${keptFiles}`,
  files: `select count(*) ${keptFiles}`,
  jobs: `select (select count(*) from matching_jobs where tenant_id = $1::uuid and status in ('queued', 'running'))
              + (select count(*) from suggestions where tenant_id = $1::uuid and status in ('queued', 'running'))
              + (select count(*) from simulations where tenant_id = $1::uuid and status in ('queued', 'running'))`,
  webhooks: 'select count(*) from webhooks where tenant_id = $1::uuid and deleted_at is null',
};

const usageSql = (name: QuotaName): string =>
  `json_build_object('used', greatest((${usedSql[name]}), 0), 'own', (t.quotas ->> '${name}')::bigint)`;

interface Reading {
  used: number;
  /** The tenant's own limit; null: the limit of the deployment applies. */
  own: number | null;
}

/** Reads what a tenant uses of its quotas. @param defaults the limits of the deployment */
export async function readQuotas(
  db: Queries,
  tenantId: string,
  defaults: Quotas,
): Promise<Record<QuotaName, QuotaUsage>> {
  const [row] = await db.query<Record<QuotaName, Reading>>(
    `select ${quotaNames.map((name) => `${usageSql(name)} as ${name}`).join(', ')}
       from tenants t where t.id = $1::uuid`,
    [tenantId],
  );
  const usageOf = (name: QuotaName): QuotaUsage => {
    const { used, own } = row?.[name] ?? { used: 0, own: null };
    return { limit: own ?? defaults[name], used };
  };
  return Object.fromEntries(quotaNames.map((name) => [name, usageOf(name)])) as Record<QuotaName, QuotaUsage>;
}

/** Locks the quotas of the tenant until the transaction ends, and reads the usage of one. */
export async function holdQuota(tx: TenantScope, name: QuotaName): Promise<QuotaUsage> {
  const { tenantId, db, settings } = tx;
  await db.execute('select 1 from tenants where id = $1::uuid for no key update', [tenantId]);
  const [row] = await db.query<{ usage: Reading }>(
    `select ${usageSql(name)} as usage from tenants t where t.id = $1::uuid`,
    [tenantId],
  );
  const { used, own } = row?.usage ?? { used: 0, own: null };
  return { limit: own ?? settings.quotas[name], used };
}

/**
 * Locks a quota and refuses an addition that would exceed it.
 * @throws AppError quota_exceeded, too_many_jobs
 */
export async function requireRoom(tx: TenantScope, name: QuotaName, added = 1): Promise<void> {
  const usage = await holdQuota(tx, name);
  if (usage.used + added > usage.limit) throw quotaExceeded(name, usage);
}

const remedies: Record<QuotaName, string> = {
  records: 'delete records or datasets that are not needed',
  bytes: 'delete datasets whose files are not needed, or wait until old files expire',
  files: 'delete datasets whose files are not needed, or wait until old files expire',
  jobs: 'wait until some have ended, or cancel them',
  webhooks: 'remove one that is not needed, or give one of them several events',
};

const retryAfterSeconds = 5;

/** Returns the error of an exceeded quota. A job may be started a little later; everything else needs room first. */
export function quotaExceeded(name: QuotaName, { limit, used }: QuotaUsage): AppError {
  const code: ErrorCode = name === 'jobs' ? 'too_many_jobs' : 'quota_exceeded';
  const message =
    `This would exceed the limit of ${limit} ${quotaTexts[name]}, of which ${used} are in use: ${remedies[name]}, ` +
    'or ask the operator for a higher limit';
  return new AppError(code, message, {
    errors: [{ path: '', code, message, quota: name, limit, used }],
    ...(name === 'jobs' ? { retryAfterSeconds } : {}),
  });
}

/** The code and the message with which the database refuses records beyond the quota. */
const recordQuotaState = 'TQ001';
const recordQuotaMessage = /quota of records: (\d+) of (\d+) in use/;

/** Converts a database error about records beyond the quota into an AppError; undefined for any other error. */
export function recordQuotaError(error: unknown): AppError | undefined {
  if (!hasDatabaseCode(error, undefined, recordQuotaState)) return undefined;
  const { message = '', meta } = error as { message?: string; meta?: unknown };
  const [, used, limit] = recordQuotaMessage.exec(`${message} ${JSON.stringify(meta ?? {})}`) ?? [];
  return quotaExceeded('records', { used: Number(used), limit: Number(limit) });
}
