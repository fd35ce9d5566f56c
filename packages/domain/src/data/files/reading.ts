import type { ReadingWarning } from '@tieout/formats';
import type { TenantScope } from '../../kernel/scope';

/** SQL over files `o` and a file `f`: `o` is another file of the dataset that was read and not replaced. */
const isCurrent = `o.tenant_id = f.tenant_id and o.dataset_id = f.dataset_id and o.id <> f.id
  and o.status = 'ready' and o.duplicate_of is null and o.replaced_by is null`;

/** SQL: the members of a reading other than the layout of its rows. */
const notRead = `array['warnings', 'evidence', 'types', 'preamble', 'statements']`;

/**
 * Compares a file, before its first row, with files of the same content. Returns the id of the one that was read in the
 * same way, of which this file is a duplicate, unless the upload says that it replaces that one. Otherwise this file
 * replaces the newest one that was read in another way.
 */
export async function findReading(scope: TenantScope, fileId: string): Promise<string | undefined> {
  const readings = await scope.db.query<{ id: string; isSame: boolean }>(
    `select o.id, (o.detected - ${notRead}) = (f.detected - ${notRead}) as "isSame"
       from data_source_files f join data_source_files o on ${isCurrent}
      where f.tenant_id = $1::uuid and f.id = $2::uuid and o.content_hash = f.content_hash
        and o.id is distinct from f.replaces
      order by o.id desc`,
    [scope.tenantId, fileId],
  );
  const same = readings.find(({ isSame }) => isSame);
  const [other] = readings;
  if (same !== undefined || other === undefined) return same?.id;
  await scope.db.execute(
    `update data_source_files set replaces = coalesce(replaces, $3::uuid), updated_at = now()
      where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, fileId, other.id],
  );
  return undefined;
}

/** Returns the files whose rows this one replaces: those of the same content, and the one named by the upload. */
export async function replacedFiles(scope: TenantScope, fileId: string): Promise<string[]> {
  const rows = await scope.db.query<{ id: string }>(
    `select o.id from data_source_files f join data_source_files o on ${isCurrent}
     where f.tenant_id = $1::uuid and f.id = $2::uuid
       and (o.content_hash = f.content_hash or o.id = f.replaces)`,
    [scope.tenantId, fileId],
  );
  return rows.map(({ id }) => id);
}

/** Returns a file and the chain of files that it has replaced, whose records it has taken over. */
export async function replacementChain(scope: TenantScope, file: { id: string; datasetId: string }): Promise<string[]> {
  const rows = await scope.db.query<{ id: string }>(
    `with recursive chain as (
       select $2::uuid as id
       union
       select o.id from chain join data_source_files o
         on o.tenant_id = $1::uuid and o.dataset_id = $3::uuid and o.replaced_by = chain.id
     )
     select id::text as id from chain`,
    [scope.tenantId, file.id, file.datasetId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns warnings about the dataset that concern a file, before its first row. `identifies`: the format of the file
 * identifies its rows.
 */
export async function datasetWarnings(
  scope: TenantScope,
  fileId: string,
  identifies: boolean,
): Promise<ReadingWarning[]> {
  // `order by` selects the index, which has nulls last: without it the planner may scan all records.
  const rows = await scope.db.query(
    `select 1 from data_source_files f
      cross join lateral (
        select 1 from records r
         where r.dataset_id = f.dataset_id and r.tenant_id = f.tenant_id and r.external_id is null
           and (f.replaces is null or r.file_id is distinct from f.replaces)
         order by r.external_id limit 1
      ) unidentified
      where f.tenant_id = $1::uuid and f.id = $2::uuid
        and ($3 or exists (select 1 from dataset_fields d
                            where d.tenant_id = f.tenant_id and d.dataset_id = f.dataset_id and d.is_identity))`,
    [scope.tenantId, fileId, identifies],
  );
  return rows.length === 0 ? [] : [withoutIdentity];
}

const withoutIdentity: ReadingWarning = {
  code: 'records_without_identity',
  column: null,
  message:
    'Rows of this file have an identity, from fields of the dataset or from their format, but the dataset also holds ' +
    'records without one. No row can replace such a record: a row that is already stored as one is now stored twice. ' +
    'Upload the file from which these records came again, with its id in "replaces"',
};
