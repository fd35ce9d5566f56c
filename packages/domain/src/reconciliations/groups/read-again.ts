import type { TenantScope } from '../../kernel/scope';

/** Reads the items of released groups again that differ from their records, and forgets those of removed records. */
export async function readReleasedAgain(
  scope: TenantScope,
  reconciliationId: string,
  groupIds: readonly string[],
): Promise<void> {
  const items = await scope.db.prepared.query<{ id: string }>(
    `select i.record_id::text as id from reconciliation_items i
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.differs and (i.holds = 0 or i.part)
        and i.record_id in (
          select m.record_id from match_group_members m where m.tenant_id = $1::uuid and m.group_id = any($3::uuid[]))`,
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
  await db.execute(
    `delete from reconciliation_items i
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.record_id = any($3::uuid[]) and i.holds = 0
        and not exists (select 1 from records r where r.tenant_id = $1::uuid and r.id = i.record_id)`,
    parameters,
  );
  // A record that is not ready is read once it is.
  await db.execute(
    `update reconciliation_items i
        set revision = case when now.is_read then now.revision else i.revision end,
            amount = case when now.is_read then now.amount when i.part and now.differs then i.held else i.amount end,
            day = case when now.is_read then now.day else i.day end,
            currency = case when now.is_read then now.currency else i.currency end,
            differs = now.differs,
            now_revision = case when now.differs then now.revision end,
            now_amount = case when now.differs then now.amount end,
            now_day = case when now.differs then now.day end,
            now_currency = case when now.differs then now.currency end
       from (select o.record_id, r.revision, v.amount, v.day, v.currency, f.follows and r.status = 'ready' as is_read,
                    not f.follows
                      and (r.id is null or (v.amount, v.day, v.currency) is distinct from (o.amount, o.day, o.currency))
                      as differs
               from reconciliation_items o
               join reconciliations n on n.tenant_id = $1::uuid and n.id = $2::uuid
               left join records r on r.tenant_id = $1::uuid and r.id = o.record_id
               left join lateral item_values(r.data, r.fields, r.external_id, o.side, n) v on r.id is not null
              cross join lateral
                    item_follows(o.holds, o.part, o.held, o.currency, v.amount, v.currency) f (follows)
              where o.tenant_id = $1::uuid and o.reconciliation_id = $2::uuid and o.record_id = any($3::uuid[])
                and (o.holds = 0 or r.id is null or r.status = 'ready')) now
      where i.tenant_id = $1::uuid and i.reconciliation_id = $2::uuid and i.record_id = now.record_id`,
    parameters,
  );
}
