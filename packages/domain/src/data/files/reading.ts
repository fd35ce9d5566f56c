import type { TenantScope } from '../../kernel/scope';

/** Files of the same dataset whose rows are there: read, and no other file has taken their place. SQL over files `o`, beside `f`. */
export const standing = `o.tenant_id = f.tenant_id and o.dataset_id = f.dataset_id and o.id <> f.id
  and o.status = 'ready' and o.duplicate_of is null and o.replaced_by is null`;

/**
 * Compares a file, before its first row, with those of the same content. Answers the id of the one that was read in the same
 * way, of which it is a repetition, unless the upload says that it replaces that one. One that was read in another way is what
 * this file replaces.
 */
export async function findReading(scope: TenantScope, fileId: string): Promise<string | undefined> {
  const readings = await scope.db.query<{ id: string; isSame: boolean }>(
    `select o.id, (o.detected - 'warnings') = (f.detected - 'warnings') as "isSame" from data_source_files f join data_source_files o on ${standing}
     where f.tenant_id = $1::uuid and f.id = $2::uuid and o.content_hash = f.content_hash and o.id is distinct from f.replaces order by o.id desc`,
    [scope.tenantId, fileId],
  );
  const same = readings.find(({ isSame }) => isSame);
  const [other] = readings;
  if (same !== undefined || other === undefined) return same?.id;
  await scope.db.execute(
    'update data_source_files set replaces = coalesce(replaces, $3::uuid), updated_at = now() where tenant_id = $1::uuid and id = $2::uuid',
    [scope.tenantId, fileId, other.id],
  );
  return undefined;
}

/** The files whose rows this one replaces: of the same content, or named by the upload. */
export async function replacedFiles(scope: TenantScope, fileId: string): Promise<string[]> {
  const rows = await scope.db.query<{ id: string }>(
    `select o.id from data_source_files f join data_source_files o on ${standing}
     where f.tenant_id = $1::uuid and f.id = $2::uuid and (o.content_hash = f.content_hash or o.id = f.replaces)`,
    [scope.tenantId, fileId],
  );
  return rows.map(({ id }) => id);
}

/** A file and those that it has replaced, one after the other: it has taken over their records. */
export async function withThoseReplaced(
  scope: TenantScope,
  file: { id: string; datasetId: string },
): Promise<string[]> {
  const rows = await scope.db.query<{ id: string }>(
    `with recursive line as (
       select $2::uuid as id
       union
       select o.id from line join data_source_files o on o.tenant_id = $1::uuid and o.dataset_id = $3::uuid and o.replaced_by = line.id
     )
     select id::text as id from line`,
    [scope.tenantId, file.id, file.datasetId],
  );
  return rows.map(({ id }) => id);
}
