import { Attempts } from '../../kernel/attempts';
import { repeatWithPauses, oldBefore } from '../../kernel/retention';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { firstId } from '../../kernel/sql';

const fileBatchSize = 100;
const rowBatchSize = 5_000;

interface OldFile {
  id: string;
  tenantId: string;
  filePath: string;
  /** Text, because a Date has no microseconds. */
  processedAt: string;
}

type FilePosition = Pick<OldFile, 'processedAt' | 'id'>;

const beginning: FilePosition = { processedAt: '-infinity', id: firstId };

/**
 * Removes the bytes and the rejected rows of files that were read at least `days` ago; their records stay. After a run
 * that gives up, the next one continues behind it, so that files which cannot be removed do not block the others.
 */
export function createFileRetention(deps: DomainDeps): (days: number) => Promise<void> {
  let after = beginning;
  return async (days) => {
    const removals = new Attempts(deps, { noun: 'file', participle: 'removed' });
    await repeatWithPauses(async () => {
      const files = await oldFiles(deps, days, after);
      for (const file of files) {
        if (removals.hasGivenUp) return false;
        await removals.try({ tenantId: file.tenantId, fileId: file.id }, (scope) => expireFile(scope, file));
        after = file;
      }
      if (files.length === fileBatchSize) return true;
      after = beginning;
      return false;
    });
    removals.end();
  };
}

function oldFiles({ db }: DomainDeps, days: number, { processedAt, id }: FilePosition): Promise<OldFile[]> {
  return db.system.query<OldFile>(
    `select id, tenant_id as "tenantId", file_path as "filePath", processed_at::text as "processedAt"
       from data_source_files
      where status in ('ready', 'failed') and expired_at is null and processed_at < ${oldBefore('$1')}
        and (processed_at, id) > ($2::timestamptz, $3::uuid)
      order by processed_at, id limit ${fileBatchSize}`,
    [days, processedAt, id],
  );
}

/** Sets the mark last: until then the next run repeats the file. */
async function expireFile(scope: TenantScope, { id, filePath }: OldFile): Promise<void> {
  await scope.storage.delete(filePath);
  await repeatWithPauses(() => deleteRejections(scope, id));
  await scope.db.execute(
    'update data_source_files set expired_at = now() where tenant_id = $1::uuid and id = $2::uuid',
    [scope.tenantId, id],
  );
}

/** Returns whether more may be left, by the number of chosen rows: another process may delete these concurrently. */
async function deleteRejections(scope: TenantScope, fileId: string): Promise<boolean> {
  const [counted] = await scope.db.query<{ chosen: number }>(
    `with chosen as materialized (
       select position from file_rejections
        where tenant_id = $1::uuid and file_id = $2::uuid order by position limit ${rowBatchSize}
     ), gone as (
       delete from file_rejections
        where tenant_id = $1::uuid and file_id = $2::uuid and position = any(array(select position from chosen))
     ) select count(*)::int as chosen from chosen`,
    [scope.tenantId, fileId],
  );
  return counted?.chosen === rowBatchSize;
}
