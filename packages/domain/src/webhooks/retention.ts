import type { Queries } from '@tieout/infra';
import { inSteps, oldBefore } from '../kernel/retention';

/** Rows that one statement deletes, attempts counted; a delivery that alone has more goes alone. */
const rowsAtOnce = 5_000;
/** Deliveries that one statement looks at: where each has many attempts, few are read in vain. */
const deliveriesAtOnce = 1_000;

/** Holds for a delivery that ended `$1` days ago, with its last attempt or with its webhook. */
const endedLongAgo = (d: string): string =>
  `${d}.status in ('delivered', 'abandoned', 'cancelled') and coalesce(case ${d}.status
     when 'cancelled' then (select w.deleted_at from webhooks w where w.tenant_id = ${d}.tenant_id and w.id = ${d}.webhook_id)
     else ${d}.attempted_at end, '-infinity') < ${oldBefore('$1')}`;

/** The least UUID v7 of the time that the expression gives. */
const firstIdOf = (time: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/** The last row that a step has looked at. */
interface Place {
  tenantId: string;
  id: string;
}

const beginning: Place = {
  tenantId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/**
 * Deletes deliveries that have ended so many days ago, with their attempts, then events that no delivery is left of. Ids begin
 * with the time, and a delivery's with that of its event, which is before its end: the primary keys lead to every tenant's oldest rows.
 */
export async function deleteOldDeliveries(db: Queries, days: number): Promise<void> {
  await inPlaces((behind) => deleteDeliveries(db, days, behind));
  await inPlaces((behind) => deleteEvents(db, days, behind));
}

/** Each step goes on behind the one before, so that what stays is looked at once, and hides nothing behind it. */
async function inPlaces(step: (behind: Place) => Promise<Place | undefined>): Promise<void> {
  let behind = beginning;
  await inSteps(async () => {
    const reached = await step(behind);
    behind = reached ?? behind;
    return reached !== undefined;
  });
}

/** The next old rows `o` of all tenants, some at a time. The tenants come first, in order, so that no more of them are looked at than are needed. */
const nextOld = (
  table: string,
  { columns, where = '', atOnce }: { columns: string; where?: string; atOnce: number },
): string =>
  `select ${columns} from (select id from tenants where id >= $2::uuid order by id offset 0) t, lateral (
     select ${columns} from ${table} o
      where o.tenant_id = t.id and (o.tenant_id, o.id) > ($2::uuid, $3::uuid) and o.id < ${firstIdOf(oldBefore('$1'))} ${where}
      order by o.id limit ${atOnce}) o limit ${atOnce}`;

const lastOf = (rows: string): string =>
  `select tenant_id::text as "tenantId", id::text as id from ${rows} order by ${rows}.tenant_id desc, ${rows}.id desc limit 1`;

/** Locked before they are deleted: one that is sent again by hand keeps its attempts. */
async function deleteDeliveries(db: Queries, days: number, { tenantId, id }: Place): Promise<Place | undefined> {
  const [reached] = await db.query<Place>(
    `with found as materialized (
       ${nextOld('webhook_deliveries', { columns: 'o.tenant_id, o.id, o.attempts', where: `and ${endedLongAgo('o')}`, atOnce: deliveriesAtOnce })}),
     chosen as materialized (
       select tenant_id, id from (select *, sum(1 + attempts) over (order by tenant_id, id) as rows from found) f where rows <= ${rowsAtOnce} or rows = 1 + attempts),
     old as materialized (
       select d.tenant_id, d.id from chosen c, lateral (
         select d.tenant_id, d.id from webhook_deliveries d
          where d.tenant_id = c.tenant_id and d.id = c.id and ${endedLongAgo('d')} for update skip locked) d),
     attempts as (delete from webhook_attempts where delivery_id = any(array(select id from old))),
     deliveries as (delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.id = old.id)
     ${lastOf('chosen')}`,
    [days, tenantId, id],
  );
  return reached;
}

/** The fence keeps each search for a delivery on the primary key. */
async function deleteEvents(db: Queries, days: number, { tenantId, id }: Place): Promise<Place | undefined> {
  const [reached] = await db.query<Place>(
    `with found as materialized (${nextOld('events', { columns: 'o.tenant_id, o.id', atOnce: rowsAtOnce })}),
     old as materialized (
       select f.tenant_id, f.id from found f where not exists (
         select 1 from webhook_deliveries d
          where d.tenant_id = f.tenant_id and d.event_id = f.id
            and d.id between (left(f.id::text, 19) || '0000-000000000000')::uuid and (left(f.id::text, 19) || 'ffff-ffffffffffff')::uuid offset 0)),
     events as (delete from events e using old where e.tenant_id = old.tenant_id and e.id = old.id)
     ${lastOf('found')}`,
    [days, tenantId, id],
  );
  return reached;
}
