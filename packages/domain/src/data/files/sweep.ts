import { Attempts, maxRecoveryFailures } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { isActiveSql } from '../../kernel/sql';
import { enqueueFile, queueJobId } from './claim';
import { failFileOfWorker } from './finish';
import { uploadTouchMs } from './upload';

/** Time without progress after which the queue job of a file may be lost. */
const quietSeconds = 60;
/** Time without a heartbeat after which the process of an upload is gone. */
const uploadSeconds = (10 * uploadTouchMs) / 1000;

/**
 * Enqueues files again whose queue jobs are lost, fails those whose queue job has failed unnoticed, and removes the
 * files of unfinished uploads and deleted datasets.
 */
export async function sweepFiles(deps: DomainDeps): Promise<void> {
  const quiet = await claimQuiet(deps);
  const isDead = ({ status }: QuietFile): boolean => status === 'receiving' || status === 'deleted';
  const recoveries = new Attempts(deps, { noun: 'file', participle: 'taken up again' }, maxRecoveryFailures);
  const removals = new Attempts(deps, { noun: 'file', participle: 'removed' });
  for (const file of quiet) {
    const attempts = isDead(file) ? removals : recoveries;
    const attempt = isDead(file) ? removeFile : recover;
    await attempts.try({ tenantId: file.tenantId, fileId: file.id }, (scope) => attempt(scope, file));
  }
  recoveries.end();
  removals.end();
}

interface QuietFile {
  id: string;
  tenantId: string;
  status: string;
  nextLine: number;
  filePath: string;
}

/**
 * Touches quiet files, which keeps them out of the next sweeps for a while. Marks a file as deleted that was uploaded
 * while its dataset was deleted.
 */
function claimQuiet(deps: DomainDeps): Promise<QuietFile[]> {
  return deps.db.system.query<QuietFile>(
    `update data_source_files f set updated_at = now(),
            status = case when f.dataset_id is null or exists (select 1 from datasets d where d.id = f.dataset_id)
                          then f.status else 'deleted' end
     from (
       select id from data_source_files
        where status in ('receiving', 'uploaded', 'processing', 'deleted')
          and (status in ('receiving', 'deleted') or ${isActiveSql('tenant_id')})
          and updated_at < now() - make_interval(
                secs => case status when 'receiving' then ${uploadSeconds} else ${quietSeconds} end)
        order by updated_at limit 1000 for update skip locked
     ) quiet
     where f.id = quiet.id
     returning f.id, f.tenant_id as "tenantId", f.status, f.next_line as "nextLine", f.file_path as "filePath"`,
  );
}

async function recover(scope: TenantScope, file: { id: string; nextLine: number }): Promise<void> {
  if ((await scope.queue.stateOf('file.ingest', queueJobId(file))) === 'failed')
    return failFileOfWorker(scope, file.id);
  // A waiting or running job with this id makes this a no-op; a second run of a file ends at its first chunk.
  await enqueueFile(scope, file);
}

/** Removes the bytes before the row, so that a sweep finds what a crash leaves. */
async function removeFile(scope: TenantScope, { id, filePath }: { id: string; filePath: string }): Promise<void> {
  await scope.storage.delete(filePath);
  await scope.db.execute(
    `delete from data_source_files where tenant_id = $1::uuid and id = $2::uuid and status in ('receiving', 'deleted')`,
    [scope.tenantId, id],
  );
}
