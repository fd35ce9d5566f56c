import { Attempts } from '../../kernel/attempts';
import { inSteps, oldBefore } from '../../kernel/retention';
import type { DomainDeps, TenantScope } from '../../kernel/scope';

const filesAtOnce = 100;
const rowsAtOnce = 5_000;

interface OldFile {
  id: string;
  tenantId: string;
  filePath: string;
  /** As text: a Date has no microseconds. */
  processedAt: string;
}

type Place = Pick<OldFile, 'processedAt' | 'id'>;

const beginning: Place = { processedAt: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Removes the bytes and the rejected rows of files that were read so many days ago. Their rows and records stay. A look that has given
 * up is followed by one that goes on behind it, so that files which cannot be removed hide none.
 */
export function createFileRetention(deps: DomainDeps): (days: number) => Promise<void> {
  let behind = beginning;
  return async (days) => {
    const removals = new Attempts(deps, { what: 'file', done: 'removed' });
    await inSteps(async () => {
      const files = await oldFiles(deps, days, behind);
      for (const file of files) {
        if (removals.givenUp) return false;
        await removals.try({ tenantId: file.tenantId, fileId: file.id }, (scope) => expireFile(scope, file));
        behind = file;
      }
      if (files.length === filesAtOnce) return true;
      behind = beginning;
      return false;
    });
    removals.end();
  };
}

function oldFiles({ db }: DomainDeps, days: number, { processedAt, id }: Place): Promise<OldFile[]> {
  return db.system.query<OldFile>(
    `select id, tenant_id as "tenantId", file_path as "filePath", processed_at::text as "processedAt" from data_source_files
      where status in ('ready', 'failed') and expired_at is null and processed_at < ${oldBefore('$1')} and (processed_at, id) > ($2::timestamptz, $3::uuid)
      order by processed_at, id limit ${filesAtOnce}`,
    [days, processedAt, id],
  );
}

/** The mark comes last: until then the next run takes the file up again. */
async function expireFile(scope: TenantScope, { id, filePath }: OldFile): Promise<void> {
  await scope.storage.delete(filePath);
  await inSteps(() => deleteRejections(scope, id));
  await scope.db.execute(
    'update data_source_files set expired_at = now() where tenant_id = $1::uuid and id = $2::uuid',
    [scope.tenantId, id],
  );
}

/** Whether others may be left is said by how many were chosen: somebody else may delete these meanwhile. */
async function deleteRejections(scope: TenantScope, fileId: string): Promise<boolean> {
  const [counted] = await scope.db.query<{ chosen: number }>(
    `with chosen as materialized (
       select position from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid order by position limit ${rowsAtOnce}
     ), gone as (
       delete from file_rejections where tenant_id = $1::uuid and file_id = $2::uuid and position = any(array(select position from chosen))
     ) select count(*)::int as chosen from chosen`,
    [scope.tenantId, fileId],
  );
  return counted?.chosen === rowsAtOnce;
}
