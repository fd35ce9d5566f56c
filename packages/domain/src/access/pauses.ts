import type { Db } from '@tieout/infra';
import type { Jobs } from '../kernel/jobs';
import { createRecentCache } from '../kernel/recent-cache';
import type { TenantStatus } from './tenants';

/** Max age of a reused status: work that begins within this time after a suspension runs. */
const reuseMs = 500;

/** Queue jobs that run while their tenant is deleted: the erasure itself, and deleting items at their providers. */
const runsWhileDeleting: readonly (keyof Jobs)[] = ['tenant.erase', 'item.sync'];

type Handlers = Record<string, (payload: never, signal?: AbortSignal) => Promise<void>>;

/**
 * Wraps handlers of queue jobs so that jobs of a tenant that is not active end without doing anything. The rows own the
 * truth: when the tenant is active again, sweeps enqueue what is left to do. What waits costs nothing.
 */
export function whileActive<H extends object>({ db }: { db: Db }, handlers: H): H {
  const statusOf = createRecentCache(reuseMs, async (id: string): Promise<TenantStatus | undefined> => {
    const rows = await db.system.query<{ status: TenantStatus }>('select status from tenants where id = $1::uuid', [
      id,
    ]);
    return rows[0]?.status;
  });
  const mayRun = async (name: string, payload: { tenantId?: string } | undefined): Promise<boolean> => {
    const tenantId = payload?.tenantId;
    const status = tenantId === undefined ? 'active' : await statusOf(tenantId);
    return status === 'active' || (status === 'deleting' && runsWhileDeleting.some((one) => one === name));
  };
  return Object.fromEntries(
    Object.entries(handlers as Handlers).map(([name, handle]): [string, Handlers[string]] => [
      name,
      async (payload, signal) => ((await mayRun(name, payload)) ? handle(payload, signal) : undefined),
    ]),
  ) as H;
}
