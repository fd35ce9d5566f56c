import { Attempts, mostRecoveryFailures } from '../../kernel/attempts';
import type { DomainDeps, TenantScope } from '../../kernel/scope';
import { failFileOfWorker } from './finish';
import { enqueueFile, queueJobId } from './enqueue';
import { uploadTouchMs } from './upload';

/** A file whose position has not moved for so long is looked at: its queue job may be lost. */
const QUIET_SECONDS = 60;
/** The process that took an upload is gone when it has not said for so long that it goes on. */
const UPLOAD_SECONDS = (10 * uploadTouchMs) / 1000;

/**
 * Brings files back to life whose queue jobs are lost, fails those whose queue job has failed for good without anybody
 * noticing, and clears away what unfinished uploads and deleted datasets have left.
 */
export async function sweepFiles(deps: DomainDeps): Promise<void> {
  const quiet = await claimQuiet(deps);
  const isOver = ({ status }: QuietFile): boolean => status === 'receiving' || status === 'deleted';
  const recoveries = new Attempts(deps, { what: 'file', done: 'taken up again' }, mostRecoveryFailures);
  const removals = new Attempts(deps, { what: 'file', done: 'removed' });
  for (const file of quiet) {
    const attempts = isOver(file) ? removals : recoveries;
    const attempt = isOver(file) ? removeFile : recover;
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

/** Touching them keeps them out of the next sweeps for a while. Of a dataset that is gone there may be one that came in while it was deleted. */
function claimQuiet(deps: DomainDeps): Promise<QuietFile[]> {
  return deps.db.system.query<QuietFile>(
    `update data_source_files f set updated_at = now(),
            status = case when f.dataset_id is null or exists (select 1 from datasets d where d.id = f.dataset_id) then f.status else 'deleted' end
     from (
       select id from data_source_files
        where status in ('receiving', 'uploaded', 'processing', 'deleted')
          and updated_at < now() - make_interval(secs => case status when 'receiving' then ${UPLOAD_SECONDS} else ${QUIET_SECONDS} end)
        order by updated_at limit 1000 for update skip locked
     ) quiet
     where f.id = quiet.id
     returning f.id, f.tenant_id as "tenantId", f.status, f.next_line as "nextLine", f.file_path as "filePath"`,
  );
}

async function recover(scope: TenantScope, file: { id: string; nextLine: number }): Promise<void> {
  if ((await scope.queue.stateOf('file.ingest', queueJobId(file))) === 'failed')
    return failFileOfWorker(scope, file.id);
  // One that waits or runs under this id makes this a no-op; a second run of a file ends at its first chunk.
  await enqueueFile(scope, file);
}

/** The bytes first: as long as the row is there, a sweep finds what is left. */
async function removeFile(scope: TenantScope, { id, filePath }: { id: string; filePath: string }): Promise<void> {
  await scope.storage.delete(filePath);
  await scope.db.execute(
    `delete from data_source_files where tenant_id = $1::uuid and id = $2::uuid and status in ('receiving', 'deleted')`,
    [scope.tenantId, id],
  );
}
