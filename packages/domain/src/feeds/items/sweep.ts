import { keyIdOf, type KnownKeys } from '@tieout/infra';
import type { DomainDeps } from '../../kernel/scope';
import { enqueueFeed, enqueueStep } from './enqueue';
import { isReadable } from './parameters';

const mostSteps = 1_000;
const mostFeeds = 500;
const isDue = 'i.due_at <= now() and (i.lease_until is null or i.lease_until < now())';
/** A feed normally follows within a second. */
const quietSeconds = 30;

/**
 * Brings on the way what nobody works on: items of which a step is due, which is also how scheduled syncs begin and how those of a
 * lost worker go on, and transactions that have not reached their datasets. A tenant's oldest come first, and all tenants by turns. Steps that need
 * parameters under a key that is not there are left alone.
 */
export async function sweepItems({ db, queue }: Pick<DomainDeps, 'db' | 'queue'>, keys: KnownKeys): Promise<void> {
  const due = await db.system.query<{ tenantId: string; id: string; revision: number }>(
    `select tenant_id::text as "tenantId", id::text as id, revision
       from (select tenant_id, id, revision, due_at, row_number() over (partition by tenant_id order by due_at) as place
               from items i where ${isDue} and ${isReadable('$1')}) waiting
      order by place, due_at limit ${mostSteps}`,
    [keys.ids],
  );
  for (const { tenantId, ...item } of due) await enqueueStep({ tenantId, queue }, item);
  const missing = await db.system.query<{ keyId: string }>(
    `select distinct ${keyIdOf('i.parameters')} as "keyId" from items i where ${isDue} and not ${isReadable('$1')}`,
    [keys.ids],
  );
  keys.reportMissing(missing.map(({ keyId }) => keyId));
  const behind = await db.system.query<{ tenantId: string; itemId: string }>(
    `update item_ingests g set updated_at = now()
       from (select g.id, g.item_id from item_ingests g join items i on i.id = g.item_id
              where g.status = 'active' and g.position < i.change_no and g.updated_at < now() - make_interval(secs => ${quietSeconds})
              order by g.updated_at limit ${mostFeeds} for update of g skip locked) late
      where g.id = late.id returning g.tenant_id::text as "tenantId", g.item_id::text as "itemId"`,
  );
  for (const { tenantId, itemId } of behind) await enqueueFeed({ tenantId, queue }, itemId);
}
