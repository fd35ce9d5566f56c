import type { TenantDb } from '@tieout/infra';
import type { FieldDefinition } from './field';

/** A record as a request sends it, on its way into the database. */
export interface SentRecord {
  /** Of the row, if the record is a new one. */
  id: string;
  externalId: string | null;
  /** False: where the dataset has identity fields, a record without external id is not stored, for these have to be read first. */
  isIdentified: boolean;
  /** JSON. */
  data: string;
}

/** The id under which a record is stored; or the fields that give its identity; undefined where the dataset does not exist. */
export type Stored = { id: string } | { identity: FieldDefinition[] } | undefined;

interface Row {
  identity: FieldDefinition[] | null;
  ids: string[] | null;
  externalIds: (string | null)[] | null;
}

/**
 * Stores records of one dataset in one statement, each as a new one or in place of the one with its external id. Of those with
 * one external id the last wins. The lock keeps the dataset until the records are there: no foreign key does. With several
 * records it also keeps a re-processing step from running, which takes records in another order.
 */
export async function storeRecords(db: TenantDb, dataset: string, sent: readonly SentRecord[]): Promise<Stored[]> {
  const rows = distinct(sent);
  const mayNeedIdentity = rows.some(({ externalId, isIdentified }) => externalId === null && !isIdentified);
  const [found] = await db.prepared.query<Row>(rows.length === 1 ? storeOne : storeMany, [
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

/** In the order of their external ids, so that those who store several never wait for each other's rows in a circle. */
function distinct(sent: readonly SentRecord[]): SentRecord[] {
  const byKey = new Map(sent.map((record) => [record.externalId ?? record.id, record]));
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
}

/** The data travels as one text, cut at line feeds, which JSON does not hold: an array of it costs three times the CPU. */
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
       unnest($3::uuid[], $4::text[], $5::boolean[], string_to_array($6, E'\\n')) as row (id, external_id, is_identified, data)
     where identity.fields is null or row.external_id is not null or row.is_identified
     on conflict (dataset_id, external_id) do update
       set data = excluded.data, file_id = null, fields = null, status = 'received', error = null,
           revision = records.revision + 1, updated_at = now()
     returning id, external_id
   )
   select identity.fields as identity, stored.ids, stored.external_ids as "externalIds"
   from dataset, identity, (select array_agg(id::text) as ids, array_agg(external_id) as external_ids from written) stored`;

const storeOne = statement('key share');
const storeMany = statement('share');
