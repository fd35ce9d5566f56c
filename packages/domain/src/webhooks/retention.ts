import type { Queries } from '@tieout/infra';
import { repeatWithPauses, oldBefore } from '../kernel/retention';

/**
 * Rows that one statement deletes, attempts included; a delivery with more attempts than that gets its own statement.
 */
const maxRows = 5_000;
/** Deliveries that one statement reads: where each has many attempts, few are read in vain. */
const maxDeliveries = 1_000;

/** SQL: the delivery ended `$1` days ago, with its last attempt or with its webhook. */
const endedLongAgo = (d: string): string =>
  `${d}.status in ('delivered', 'abandoned', 'cancelled') and coalesce(case ${d}.status
     when 'cancelled'
     then (select w.deleted_at from webhooks w where w.tenant_id = ${d}.tenant_id and w.id = ${d}.webhook_id)
     else ${d}.attempted_at end, '-infinity') < ${oldBefore('$1')}`;

/** SQL for the smallest UUID v7 of a time. */
const firstIdOf = (time: string): string =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid`;

/** The last row that a step has read; the next step continues after it. */
interface RowPosition {
  tenantId: string;
  id: string;
}

const beginning: RowPosition = {
  tenantId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
};

/**
 * Deletes deliveries that ended more than `days` days ago, with their attempts, then events without a delivery. Ids
 * begin with the time, and a delivery's id with the time of its event: so the primary keys lead to the oldest rows of
 * every tenant.
 */
export async function deleteOldDeliveries(db: Queries, days: number): Promise<void> {
  await forEachPosition((after) => deleteDeliveries(db, days, after));
  await forEachPosition((after) => deleteEvents(db, days, after));
}

/** Each step continues after the one before: rows that stay are read once, and hide nothing. */
async function forEachPosition(step: (after: RowPosition) => Promise<RowPosition | undefined>): Promise<void> {
  let after = beginning;
  await repeatWithPauses(async () => {
    const reached = await step(after);
    after = reached ?? after;
    return reached !== undefined;
  });
}

/**
 * SQL for the next old rows `o` of all tenants. Tenants are read in the order of their ids, so that the limit also
 * bounds how many of them are read.
 */
const nextOld = (
  table: string,
  { columns, where = '', limit }: { columns: string; where?: string; limit: number },
): string =>
  `select ${columns} from (select id from tenants where id >= $2::uuid order by id offset 0) t, lateral (
     select ${columns} from ${table} o
      where o.tenant_id = t.id and (o.tenant_id, o.id) > ($2::uuid, $3::uuid) and o.id < ${firstIdOf(oldBefore('$1'))}
        ${where}
      order by o.id limit ${limit}) o limit ${limit}`;

const lastOf = (rows: string): string =>
  `select tenant_id::text as "tenantId", id::text as id from ${rows}
    order by ${rows}.tenant_id desc, ${rows}.id desc limit 1`;

const oldDeliveries = nextOld('webhook_deliveries', {
  columns: 'o.tenant_id, o.id, o.attempts',
  where: `and ${endedLongAgo('o')}`,
  limit: maxDeliveries,
});

/** Locks deliveries before deleting them, so that one which a tenant retries concurrently keeps its attempts. */
async function deleteDeliveries(
  db: Queries,
  days: number,
  { tenantId, id }: RowPosition,
): Promise<RowPosition | undefined> {
  const [reached] = await db.query<RowPosition>(
    `with found as materialized (${oldDeliveries}),
     chosen as materialized (
       select tenant_id, id
         from (select *, sum(1 + attempts) over (order by tenant_id, id) as rows from found) f
        where rows <= ${maxRows} or rows = 1 + attempts),
     old as materialized (
       select d.tenant_id, d.id from chosen c, lateral (
         select d.tenant_id, d.id from webhook_deliveries d
          where d.tenant_id = c.tenant_id and d.id = c.id and ${endedLongAgo('d')} for update skip locked) d),
     attempts as (delete from webhook_attempts where delivery_id = any(array(select id from old))),
     deliveries as (
       delete from webhook_deliveries d using old where d.tenant_id = old.tenant_id and d.id = old.id)
     ${lastOf('chosen')}`,
    [days, tenantId, id],
  );
  return reached;
}

/** `offset 0` keeps each search for a delivery on the primary key. */
async function deleteEvents(
  db: Queries,
  days: number,
  { tenantId, id }: RowPosition,
): Promise<RowPosition | undefined> {
  const [reached] = await db.query<RowPosition>(
    `with found as materialized (${nextOld('events', { columns: 'o.tenant_id, o.id', limit: maxRows })}),
     old as materialized (
       select f.tenant_id, f.id from found f where not exists (
         select 1 from webhook_deliveries d
          where d.tenant_id = f.tenant_id and d.event_id = f.id
            and d.id between (left(f.id::text, 19) || '0000-000000000000')::uuid
                         and (left(f.id::text, 19) || 'ffff-ffffffffffff')::uuid offset 0)),
     events as (delete from events e using old where e.tenant_id = old.tenant_id and e.id = old.id)
     ${lastOf('found')}`,
    [days, tenantId, id],
  );
  return reached;
}
