import { setTimeout as sleep } from 'node:timers/promises';
import { sessionLockClass, type DirectConnection } from '@tieout/infra';

const pollMs = 50;

/** A transaction or session that began before the fence. */
interface Earlier {
  id: string;
  pid: number;
  application: string;
  seconds: number;
}

const described = ({ pid, application, seconds }: Earlier): string =>
  `process ${pid} (${application}, since ${Math.round(seconds)} s)`;

/** Every transaction holds its own virtual id locked. */
const transactionsSql = `select l.virtualxid as id, l.pid, a.application_name as application,
    coalesce(extract(epoch from now() - a.xact_start), 0)::float8 as seconds
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
 where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.granted and a.datname = current_database()
   and a.backend_type = 'client backend' and l.pid <> pg_backend_pid()`;

const sessionsSql = `select l.pid::text as id, l.pid, a.application_name as application,
    coalesce(extract(epoch from now() - a.state_change), 0)::float8 as seconds
  from pg_locks l join pg_stat_activity a on a.pid = l.pid
 where l.locktype = 'advisory' and l.classid = ${sessionLockClass} and l.objsubid = 2
   and l.objid::bigint = hashtext($1)::bigint & 4294967295
   and l.database = (select oid from pg_database where datname = current_database())`;

/**
 * Waits until whatever began before the fence is over: all transactions, since any may be the tenant's, and the
 * tenant's sessions. What begins later sees the fence.
 * @throws Error that names what is still running after the time
 */
export async function drain(db: DirectConnection, tenantId: string, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  let left = await db.query<Earlier>(transactionsSql);
  for (;;) {
    const running = await db.query<Earlier>(transactionsSql);
    left = running.filter(({ id }) => left.some((one) => one.id === id));
    const sessions = await db.query<Earlier>(sessionsSql, [tenantId]);
    if (left.length + sessions.length === 0) return;
    if (performance.now() > endMs)
      throw new Error(
        `work that began before the move is still running after ${Math.round(timeoutMs / 1_000)} s: ` +
          `${[...left, ...sessions].map(described).join(', ')}; try again later, or with a longer --wait`,
      );
    await sleep(pollMs);
  }
}

const maxSettleMs = 30_000;

/**
 * Waits until deliveries that are being sent have their results, which are written across tenants. One without a result
 * is sent again, as after a crash.
 */
export async function settleDeliveries(db: DirectConnection, tenantId: string, timeoutMs: number): Promise<void> {
  const endMs = performance.now() + Math.min(timeoutMs, maxSettleMs);
  while (performance.now() < endMs) {
    const [sending] = await db.query(
      `select 1 from webhook_deliveries where tenant_id = $1::uuid and status = 'sending' limit 1`,
      [tenantId],
    );
    if (!sending) return;
    await sleep(pollMs);
  }
}
