import { TieoutError } from './error';
import type { components } from './generated/api';
import type { Operations } from './generated/operations';
import { maxOutageMs, outlast, pause } from './retry';

export type MatchingJob = components['schemas']['MatchingJob'];

export interface WaitOptions {
  /** Called with every state that differs from the one before it. */
  onProgress?: ((job: MatchingJob) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** The longest wait; then the promise is rejected and the job goes on. Default: none. */
  timeoutMs?: number | undefined;
}

const firstPauseMs = 100;
const maxPauseMs = 3_000;
const ended: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Resolves with a matching job once it is completed, failed or cancelled. A restart of the service is waited for. */
export async function waitForJob(
  client: Pick<Operations, 'getMatchingJob'>,
  id: string,
  { onProgress, signal, timeoutMs = Infinity }: WaitOptions = {},
): Promise<MatchingJob> {
  const endMs = performance.now() + timeoutMs;
  let seen = '';
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, maxPauseMs)) {
    const ask = () => client.getMatchingJob({ path: { id }, ...(signal && { signal }) });
    const job = await outlast(ask, signal, Math.min(maxOutageMs, endMs - performance.now()));
    const state = JSON.stringify(job);
    if (state !== seen) onProgress?.(job);
    seen = state;
    if (ended.includes(job.status)) return job;
    const leftMs = endMs - performance.now();
    if (leftMs <= 0)
      throw new TieoutError(`The job ${id} is still ${job.status} after ${timeoutMs} ms.`, {
        status: 0,
        code: 'still_running',
      });
    await pause(Math.min(pauseMs, leftMs), signal);
  }
}
