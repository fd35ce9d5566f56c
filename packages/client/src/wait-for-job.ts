import type { components } from './generated/api';
import type { Operations } from './generated/operations';
import { waitForEnd, type WaitOptions } from './wait';

export type MatchingJob = components['schemas']['MatchingJob'];

const ended: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Resolves with a matching job once it is completed, failed or cancelled. A restart of the service is waited for. */
export function waitForJob(
  client: Pick<Operations, 'getMatchingJob'>,
  id: string,
  options: WaitOptions<MatchingJob> = {},
): Promise<MatchingJob> {
  const ask = (signal: AbortSignal) => client.getMatchingJob({ path: { id }, signal });
  return waitForEnd({ name: `job ${id}`, ask, hasEnded: ({ status }) => ended.includes(status) }, options);
}
