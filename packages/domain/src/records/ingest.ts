import { invalid, newId } from '@tieout/infra';
import { ensureDataset } from '../datasets';
import type { TenantScope } from '../scope';
import { enqueueProcessing } from './enqueue';
import type { FieldDefinition, JsonObject } from './field';
import { identityNeedsExpressions, identityOf, MAX_EXTERNAL_ID_LENGTH } from './identify';
import type { RecordStatus } from './record';

export interface IngestInput {
  /** Name of the dataset; it is created on first use. */
  dataset: string;
  externalId?: string;
  body: JsonObject;
}

export interface IngestedRecord {
  id: string;
  status: RecordStatus;
}

/**
 * Stores a record and enqueues its processing. The external id, or else the identity that the dataset's
 * identity fields give, decides whether it replaces the data of a record that is there already.
 */
export async function ingestRecord(scope: TenantScope, input: IngestInput): Promise<IngestedRecord> {
  const data = JSON.stringify(input.body);
  let attempt = await upsert(scope, input.dataset, input.externalId ?? null, data, false);
  if (!attempt) {
    await ensureDataset(scope, input.dataset);
    attempt = await upsert(scope, input.dataset, input.externalId ?? null, data, false);
  }
  if (attempt && attempt.id === null) {
    const externalId = await resolveIdentity(scope, attempt.identity ?? [], input.body);
    attempt = await upsert(scope, input.dataset, externalId, data, true);
  }
  const id = attempt?.id;
  if (typeof id !== 'string') throw new Error('the dataset was deleted while a record was stored');
  await enqueueProcessing(scope, [id]);
  return { id, status: 'received' };
}

interface UpsertRow {
  /** Null: nothing was written, the identity has to be found first. */
  id: string | null;
  identity: FieldDefinition[] | null;
}

/**
 * One round trip for a record with an external id or without identity fields. No row comes back when the
 * dataset does not exist. The lock keeps the dataset until the record is there: no foreign key does.
 */
async function upsert(
  scope: TenantScope,
  dataset: string,
  externalId: string | null,
  data: string,
  identityResolved: boolean,
): Promise<UpsertRow | undefined> {
  const rows = await scope.db.query<UpsertRow>(
    `with dataset as (
       select id from datasets where tenant_id = $1::uuid and name = $2 for key share
     ), identity as (
       select json_agg(json_build_object('key', key, 'type', type, 'sourcePath', source_path,
                'transformExpr', transform_expr, 'isIdentity', true) order by id) as fields
       from dataset_fields
       where $4::text is null and not $6::boolean and dataset_id = (select id from dataset) and is_identity
     ), written as (
       insert into records (id, tenant_id, dataset_id, external_id, data)
       select $3::uuid, $1::uuid, dataset.id, $4::text, $5::jsonb from dataset, identity where identity.fields is null
       on conflict (dataset_id, external_id) do update
         set data = excluded.data, file_id = null, fields = null, status = 'received', error = null,
             revision = records.revision + 1, updated_at = now()
       returning id
     )
     select written.id, identity.fields as identity from dataset cross join identity left join written on true`,
    [scope.tenantId, dataset, newId(), externalId, data, identityResolved],
  );
  return rows[0];
}

async function resolveIdentity(scope: TenantScope, fields: FieldDefinition[], body: JsonObject): Promise<string | null> {
  const externalId = identityNeedsExpressions(fields)
    ? ((await scope.evaluator.identify({ fields, bodies: [body] }))[0] ?? null)
    : identityOf(fields, body);
  if (externalId !== null && externalId.length > MAX_EXTERNAL_ID_LENGTH) throw invalid([identityTooLong('/body')]);
  return externalId;
}

export function identityTooLong(path: string): { path: string; code: string; message: string } {
  return {
    path,
    code: 'identity_too_long',
    message: `the identity fields give an external id of more than ${MAX_EXTERNAL_ID_LENGTH} characters`,
  };
}
