import type { TenantDb } from '@tieout/infra';
import type { FieldDefinition, SentRecord, StoreOutcome } from '../../kernel/ports';

interface StoredRow {
  identity: FieldDefinition[] | null;
  ids: string[] | null;
  externalIds: (string | null)[] | null;
}

/**
 * Stores records of one dataset in one statement, each as a new one or in place of the one with its external id; the
 * last of several with one external id wins. A lock instead of a foreign key keeps the dataset. With several records
 * the lock also excludes a step of reprocessing, which takes records in another order.
 */
export async function storeRecords(
  db: TenantDb,
  dataset: string,
  sent: readonly SentRecord[],
): Promise<StoreOutcome[]> {
  const rows = distinct(sent);
  const mayNeedIdentity = rows.some(({ externalId, isIdentified }) => externalId === null && !isIdentified);
  const [found] = await db.prepared.query<StoredRow>(rows.length === 1 ? storeOne : storeMany, [
    db.tenantId,
    dataset,
    rows.map(({ id }) => id),
    rows.map(({ externalId }) => externalId),
    rows.map(({ isIdentified }) => String(isIdentified)),
    rows.map(({ data }) => data).join('\n'),
    mayNeedIdentity,
  ]);
  if (!found) return sent.map(() => undefined);
  const { identity, ids, externalIds } = found;
  const byKey = new Map((ids ?? []).map((id, i) => [externalIds?.[i] ?? id, id]));
  return sent.map(({ id, externalId }) => {
    const storedId = byKey.get(externalId ?? id);
    return storedId === undefined ? { identity: identity ?? [] } : { id: storedId };
  });
}

/** Drops all but the last record of each external id, and sorts them: one order in all writers prevents deadlocks. */
function distinct(sent: readonly SentRecord[]): SentRecord[] {
  const byKey = new Map(sent.map((record) => [record.externalId ?? record.id, record]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
}

/**
 * The data travels as one text, separated by line feeds, which JSON does not hold: an array costs three times the CPU.
 */
const statement = (lock: string): string => `with dataset as (
     select id from datasets where tenant_id = $1::uuid and name = $2 for ${lock}
   ), identity as (
     select json_agg(json_build_object('key', key, 'type', type, 'sourcePath', source_path,
              'transformExpr', transform_expr, 'isIdentity', true) order by id) as fields
     from dataset_fields where $7::boolean and dataset_id = (select id from dataset) and is_identity
   ), written as (
     insert into records (id, tenant_id, dataset_id, external_id, data)
     select row.id, $1::uuid, dataset.id, row.external_id, row.data::jsonb
     from dataset, identity,
       unnest($3::uuid[], $4::text[], $5::boolean[], string_to_array($6, E'\\n'))
         as row (id, external_id, is_identified, data)
     where identity.fields is null or row.external_id is not null or row.is_identified
     on conflict (dataset_id, external_id) do update
       set data = excluded.data, file_id = null, fields = null, status = 'received', error = null,
           revision = records.revision + 1, updated_at = now()
     returning id, external_id
   )
   select identity.fields as identity, stored.ids, stored.external_ids as "externalIds"
   from dataset, identity,
     (select array_agg(id::text) as ids, array_agg(external_id) as external_ids from written) stored`;

const storeOne = statement('key share');
const storeMany = statement('share');
