import type { TenantScope } from '../../kernel/scope';

/** One queue job for each place at which reading a file goes on, however often it is asked for. */
export const queueJobId = ({ id, nextLine }: { id: string; nextLine: number }): string => `file-${id}-${nextLine}`;

export function enqueueFile(
  scope: Pick<TenantScope, 'tenantId' | 'queue'>,
  file: { id: string; nextLine: number },
  jobId: string = queueJobId(file),
): Promise<void> {
  return scope.queue.enqueue('file.ingest', { tenantId: scope.tenantId, fileId: file.id }, { jobId });
}
