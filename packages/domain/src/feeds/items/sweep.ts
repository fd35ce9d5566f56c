import { keyIdOf, type KnownKeys } from '@tieout/infra';
import type { DomainDeps } from '../../kernel/scope';
import { isActiveSql, isNotSuspendedSql } from '../../kernel/sql';
import { enqueueFeed, enqueueStep } from './enqueue';
import { isReadableSql } from './parameters';

const maxSteps = 1_000;
const maxFeeds = 500;
const isDueSql = `i.due_at <= now() and (i.lease_until is null or i.lease_until < now())
  and ${isNotSuspendedSql('i.tenant_id')}`;
/** An ingest normally follows a sync within a second; one that lags for this long is enqueued again. */
const maxLagSeconds = 30;

/**
 * Enqueues due steps of items, and ingests that lag behind. Scheduled syncs begin this way, and those of a crashed
 * worker continue. Takes the oldest step of each tenant first, round robin over the tenants. Skips steps whose
 * parameters are encrypted with a missing key.
 */
export async function sweepItems({ db, queue }: Pick<DomainDeps, 'db' | 'queue'>, keys: KnownKeys): Promise<void> {
  const due = await db.system.query<{ tenantId: string; id: string; revision: number }>(
    `select tenant_id::text as "tenantId", id::text as id, revision
       from (select tenant_id, id, revision, due_at, row_number() over (partition by tenant_id order by due_at) as rank
               from items i where ${isDueSql} and ${isReadableSql('$1')}) waiting
      order by rank, due_at limit ${maxSteps}`,
    [keys.ids],
  );
  for (const { tenantId, ...item } of due) await enqueueStep({ tenantId, queue }, item);
  const missing = await db.system.query<{ keyId: string }>(
    `select distinct ${keyIdOf('i.parameters')} as "keyId" from items i
      where ${isDueSql} and not ${isReadableSql('$1')}`,
    [keys.ids],
  );
  keys.reportMissing(missing.map(({ keyId }) => keyId));
  const lagging = await db.system.query<{ tenantId: string; itemId: string }>(
    `update item_ingests g set updated_at = now()
       from (select g.id, g.item_id from item_ingests g join items i on i.id = g.item_id
              where g.status = 'active' and g.position < i.change_no and ${isActiveSql('g.tenant_id')}
                and g.updated_at < now() - make_interval(secs => ${maxLagSeconds})
              order by g.updated_at limit ${maxFeeds} for update of g skip locked) late
      where g.id = late.id returning g.tenant_id::text as "tenantId", g.item_id::text as "itemId"`,
  );
  for (const { tenantId, itemId } of lagging) await enqueueFeed({ tenantId, queue }, itemId);
}
