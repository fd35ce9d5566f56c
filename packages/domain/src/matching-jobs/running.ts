import type { TenantScope } from '../scope';

/** The job was cancelled or failed while it was being worked on. */
export class JobStoppedError extends Error {}

/** @throws JobStoppedError */
export async function assertRunning(scope: TenantScope, jobId: string): Promise<void> {
  const [job] = await scope.db.query<{ status: string }>(
    `select status from matching_jobs where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, jobId],
  );
  if (job?.status !== 'running') throw new JobStoppedError();
}

const checkMs = 1_000;

/** For a long loop: called at every turn, it looks at the status of the job once a second. @throws JobStoppedError */
export function runningCheck(scope: TenantScope, jobId: string): () => Promise<void> | void {
  let checkedMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - checkedMs < checkMs) return;
    checkedMs = nowMs;
    return assertRunning(scope, jobId);
  };
}
