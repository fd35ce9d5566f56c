import { inSteps, oldBefore } from '../retention';
import { tenantScope, type DomainDeps, type TenantScope } from '../scope';

const filesAtOnce = 100;
const rowsAtOnce = 5_000;

interface OldFile {
  id: string;
  tenantId: string;
  filePath: string;
}

/** Removes the bytes and the rejected rows of files that were read so many days ago. Their rows and records stay. */
export async function expireFiles(deps: DomainDeps, days: number): Promise<void> {
  await inSteps(async () => {
    const files = await deps.db.system.query<OldFile>(
      `select id, tenant_id as "tenantId", file_path as "filePath" from data_source_files
        where status in ('ready', 'failed') and expired_at is null and processed_at < ${oldBefore('$1')} order by processed_at limit ${filesAtOnce}`,
      [days],
    );
    for (const file of files) await expireFile(tenantScope(deps, file.tenantId), file);
    return files.length === filesAtOnce;
  });
}

/** The mark comes last: until then the next run takes the file up again. */
async function expireFile(scope: TenantScope, { id, filePath }: OldFile): Promise<void> {
  await scope.storage.delete(filePath);
  await inSteps(async () => (await deleteRejections(scope, id)) === rowsAtOnce);
  await scope.db.execute('update data_source_files set expired_at = now() where tenant_id = $1::uuid and id = $2::uuid', [scope.tenantId, id]);
}

const deleteRejections = (scope: TenantScope, fileId: string): Promise<number> =>
  scope.db.execute(
    `delete from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid and position = any(array(
       select position from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid order by position limit ${rowsAtOnce}))`,
    [scope.tenantId, fileId],
  );
