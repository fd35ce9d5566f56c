import type { TenantScope } from '../../kernel/scope';
import { atPlaces, itemSql, recordSql } from '../lookups';

/** Reads the items of released groups again that differ from their records, and forgets those of removed records. */
export async function readReleasedAgain(
  scope: TenantScope,
  reconciliationId: string,
  groupIds: readonly string[],
): Promise<void> {
  const items = await scope.db.prepared.query<{ id: string }>(
    `select i.record_id::text as id
       from (select distinct record_id from match_group_members
              where tenant_id = $1::uuid and group_id = any($3::uuid[])) m
      cross join lateral (${itemSql('m.record_id')}) i
      where i.differs and (i.holds = 0 or i.part)`,
    [scope.tenantId, reconciliationId, groupIds],
  );
  await readAgain(
    scope,
    reconciliationId,
    items.map(({ id }) => id),
  );
}

/**
 * Updates items whose records have changed. An item that no group holds takes the new values of its record. An item
 * that groups hold in part takes the new amount if it covers the held part. Other items keep their values, and are
 * marked where the record differs from them.
 */
export async function readAgain(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  recordIds: readonly string[],
): Promise<void> {
  if (recordIds.length === 0) return;
  const parameters = [tenantId, reconciliationId, recordIds];
  await atPlaces(db, async () => {
    await db.execute(forgetRemovedSql, parameters);
    await db.execute(readAgainSql, parameters);
  });
}

const forgetRemovedSql = `
     with gone as materialized (
       select i.place from unnest($3::uuid[]) n (id)
        cross join lateral (${itemSql('n.id')}) i
         left join lateral (${recordSql('n.id')}) r on true
        where i.holds = 0 and r.id is null)
     delete from reconciliation_items i using gone where i.tenant_id = $1::uuid and i.ctid = gone.place`;

/** SQL that reads items again; a record that is not ready is read once it is. */
const readAgainSql = `
     update reconciliation_items i
        set revision = case when now.is_read then now.revision else i.revision end,
            amount = case when now.is_read then now.amount when i.part and now.differs then i.held else i.amount end,
            day = case when now.is_read then now.day else i.day end,
            currency = case when now.is_read then now.currency else i.currency end,
            differs = now.differs,
            now_revision = case when now.differs then now.revision end,
            now_amount = case when now.differs then now.amount end,
            now_day = case when now.differs then now.day end,
            now_currency = case when now.differs then now.currency end
       from (select o.place, r.revision, v.amount, v.day, v.currency, f.follows and r.status = 'ready' as is_read,
                    not f.follows
                      and (r.id is null or (v.amount, v.day, v.currency) is distinct from (o.amount, o.day, o.currency))
                      as differs
               from unnest($3::uuid[]) k (id)
              cross join lateral (${itemSql('k.id')}) o
               join reconciliations n on n.tenant_id = $1::uuid and n.id = $2::uuid
               left join lateral (${recordSql('k.id')}) r on true
               left join lateral item_values(r.data, r.fields, r.external_id, o.side, n) v on r.id is not null
              cross join lateral
                    item_follows(o.holds, o.part, o.held, o.currency, v.amount, v.currency) f (follows)
              where o.holds = 0 or r.id is null or r.status = 'ready') now
      where i.tenant_id = $1::uuid and i.ctid = now.place`;
