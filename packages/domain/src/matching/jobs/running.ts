import type { TenantScope } from '../../kernel/scope';

/** The job was cancelled or failed while it was being worked on. */
export class JobStoppedError extends Error {}

/** For a loop that calls it at every turn: resolves while the job may go on. @throws JobStoppedError */
export type RunningCheck = () => Promise<void> | void;

const defaultCheckMs = 1_000;

/** Looks at the status of the job so often at most. */
export function runningCheck(scope: TenantScope, jobId: string, checkMs = defaultCheckMs): RunningCheck {
  let checkedMs = performance.now();
  return () => {
    const nowMs = performance.now();
    if (nowMs - checkedMs < checkMs) return;
    checkedMs = nowMs;
    return assertRunning(scope, jobId);
  };
}

async function assertRunning(scope: TenantScope, jobId: string): Promise<void> {
  const [job] = await scope.db.query<{ status: string }>(
    `select status from matching_jobs where tenant_id = $1::uuid and id = $2::uuid`,
    [scope.tenantId, jobId],
  );
  if (job?.status !== 'running') throw new JobStoppedError();
}

/** Takes all turns, with a sign of life and a check after each. */
export async function takeTurns<T>(
  turns: Generator<void, T, void>,
  onStep: () => void,
  check: RunningCheck,
): Promise<T> {
  for (;;) {
    const turn = turns.next();
    if (turn.done === true) return turn.value;
    onStep();
    const checking = check();
    if (checking) await checking;
  }
}
