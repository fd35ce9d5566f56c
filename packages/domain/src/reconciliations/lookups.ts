import type { Queries } from '@tieout/infra';

/**
 * SQL for a lateral join with the item of a record in the reconciliation `$2`. Statistics may not know the tenant or
 * the reconciliation yet, and say that it has no rows: then a join reads all its items once for each record. `offset 0`
 * makes each search one of its own, and `is not distinct from` leaves only the index of the record to it.
 */
export const itemSql = (recordId: string, lock = ''): string => `
  select *, ctid as place from reconciliation_items
   where record_id = ${recordId} and tenant_id is not distinct from $1::uuid
     and reconciliation_id is not distinct from $2::uuid offset 0 ${lock}`;

/** SQL for a lateral join with the record of an id, like that for items. */
export const recordSql = (recordId: string): string =>
  `select * from records where tenant_id = $1::uuid and id = ${recordId} offset 0`;

/** SQL for a lateral join with the members of a group, like that for items. */
export const membersSql = (groupId: string): string =>
  `select * from match_group_members where tenant_id = $1::uuid and group_id = ${groupId} offset 0`;

const scansSql = (setting: 'on' | 'off'): string =>
  ['enable_indexscan', 'enable_bitmapscan', 'enable_seqscan']
    .map((name) => `set_config('${name}', '${setting}', true)`)
    .join(', ');

/**
 * Runs statements that change rows at the places where a lookup found them, in a transaction that has locked them. With
 * all other scans off, the planner goes to a place instead of reading all rows of a tenant that statistics do not know.
 * Index scans of lookups stay as cheap, compared with each other, as they are.
 */
export async function atPlaces<T>(tx: Queries, work: () => Promise<T>): Promise<T> {
  await tx.query(`select ${scansSql('off')}`);
  const result = await work();
  await tx.query(`select ${scansSql('on')}`);
  return result;
}
