import type { TenantScope } from '../../kernel/scope';

/** A file and the earlier file that it replaces. */
export interface Replacement {
  id: string;
  datasetId: string;
  replacedId: string;
}

/** Max records of one transaction. */
const batchSize = 25_000;

/**
 * Lets rows of a replaced file that the new file has too keep their records, with their matches and reviews: an old
 * record and the new one of an equal row change their places in the two files. Rows of an identity are not concerned:
 * the new file has taken over their records. A repetition finds only what is left, because a pair is an old record of
 * the old file and a new one of the new file. Returns the number of records that stay.
 */
export async function keepEqualRecords(scope: TenantScope, replacement: Replacement): Promise<number> {
  let kept = 0;
  for (;;) {
    const swapped = await scope.transaction((tx) => swapSome(tx, replacement));
    kept += swapped;
    if (swapped < batchSize) return kept;
  }
}

interface EqualRecords {
  kept: string;
  given: string;
  line: number | null;
  rowKey: string | null;
}

async function swapSome(tx: TenantScope, { id, datasetId, replacedId }: Replacement): Promise<number> {
  // Several equal rows are paired in their order. Nothing is joined: where statistics do not know the files yet, a join
  // would compare each row of one with each of the other.
  const pairs = await tx.db.query<EqualRecords>(
    `with f as (select started_at from data_source_files where tenant_id = $1::uuid and id = $3::uuid),
       numbered as (
         select r.id, r.line, r.row_key, h.hash, r.file_id = $3::uuid as is_new,
                row_number() over (partition by h.hash, r.file_id order by r.id) as n
           from records r cross join f cross join lateral (select sha256(convert_to(r.data::text, 'UTF8')) as hash) h
          where r.tenant_id = $1::uuid and r.dataset_id = $2::uuid and r.external_id is null
            and r.file_id in ($3::uuid, $4::uuid) and (r.file_id = $3::uuid) = (r.created_at >= f.started_at)),
       paired as (select *, lag(id) over (partition by hash, n order by is_new) as kept from numbered)
     select kept::text, id::text as given, line, row_key::text as "rowKey" from paired where kept is not null
      limit ${batchSize}`,
    [tx.tenantId, datasetId, id, replacedId],
  );
  if (pairs.length === 0) return 0;
  const given = pairs.map((pair) => pair.given);
  await tx.db.execute(
    `update records set file_id = $3::uuid, row_key = null where tenant_id = $1::uuid and id = any($2::uuid[])`,
    [tx.tenantId, given, replacedId],
  );
  await tx.db.execute(
    `update records r
        set file_id = $2::uuid, line = p.line, row_key = coalesce(p.row_key, r.row_key), fields = n.fields,
            status = n.status, error = n.error, updated_at = now(),
            revision = r.revision + case when r.fields is distinct from n.fields then 1 else 0 end
       from unnest($3::uuid[], $4::uuid[], $5::int[], $6::uuid[]) as p (kept, given, line, row_key)
       join records n on n.tenant_id = $1::uuid and n.id = p.given
      where r.tenant_id = $1::uuid and r.id = p.kept`,
    [
      tx.tenantId,
      id,
      pairs.map((pair) => pair.kept),
      given,
      pairs.map(({ line }) => line),
      pairs.map((pair) => pair.rowKey),
    ],
  );
  await tx.db.execute(
    `update data_source_files set repeated_rows = repeated_rows + $3::int, updated_at = now()
      where tenant_id = $1::uuid and id = $2::uuid`,
    [tx.tenantId, id, pairs.length],
  );
  return pairs.length;
}

/**
 * Counts the reviews that removing the rest of a replaced file takes away: of matches and composites with one of its
 * records.
 */
export async function countReviewsLost(
  { db, tenantId }: TenantScope,
  { datasetId, replacedId }: Replacement,
): Promise<number> {
  const isRemoved = (column: string): string => `exists (select 1 from records r
    where r.tenant_id = $1::uuid and r.id = ${column} and r.dataset_id = $2::uuid and r.file_id = $3::uuid)`;
  const [row] = await db.query<{ count: number }>(
    `select (select count(distinct (m.rule_set_id, m.left_record_id, m.right_record_id)) from matches m
              where m.tenant_id = $1::uuid and m.review_status is not null
                and (${isRemoved('m.left_record_id')} or ${isRemoved('m.right_record_id')}))::int
          + (select count(distinct (c.rule_set_id, c.target_record_id)) from composite_matches c
              where c.tenant_id = $1::uuid and c.review_status is not null
                and (${isRemoved('c.target_record_id')} or exists (select 1 from composite_members x
                      where x.composite_id = c.id and x.tenant_id = $1::uuid
                        and ${isRemoved('x.record_id')})))::int as count`,
    [tenantId, datasetId, replacedId],
  );
  return row?.count ?? 0;
}
