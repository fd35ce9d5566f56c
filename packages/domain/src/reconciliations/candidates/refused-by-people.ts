import type { TenantScope } from '../../kernel/scope';
import { setHashOf } from '../groups/insert';

/** Tells for each set of records whether people have released it, or rejected its match or composite. */
export async function refusedByPeople(
  { db, tenantId }: TenantScope,
  reconciliationId: string,
  sets: readonly string[][],
): Promise<boolean[]> {
  const hashes = sets.map(hashText);
  const released = await db.query<{ hash: string }>(
    `select encode(set_hash, 'hex') as hash from released_sets
      where tenant_id = $1::uuid and reconciliation_id = $2::uuid
        and set_hash = any(array(select decode(h, 'hex') from unnest($3::text[]) h))`,
    [tenantId, reconciliationId, hashes],
  );
  const refused = new Set(released.map(({ hash }) => hash));
  const rejected = await db.query<{ ids: string[] }>(
    `select array[m.left_record_id, m.right_record_id]::text[] as ids
       from unnest($2::uuid[]) r(id), lateral (
         select * from matches where left_record_id = r.id
         union all select * from matches where right_record_id = r.id offset 0) m
      where m.tenant_id = $1::uuid and m.review_status = 'rejected'
     union all
     select array[c.target_record_id]::text[] || array(
              select n.record_id::text from composite_members n where n.composite_id = c.id)
       from unnest($2::uuid[]) r(id), lateral (
         select id from composite_matches where target_record_id = r.id
         union all select composite_id from composite_members where record_id = r.id offset 0) naming
       join composite_matches c on c.tenant_id = $1::uuid and c.id = naming.id
      where c.review_status = 'rejected'`,
    [tenantId, [...new Set(sets.map(([first = '']) => first))]],
  );
  for (const { ids } of rejected) refused.add(hashText(ids));
  return hashes.map((hash) => refused.has(hash));
}

const hashText = (ids: readonly string[]): string => Buffer.from(setHashOf(ids)).toString('hex');
