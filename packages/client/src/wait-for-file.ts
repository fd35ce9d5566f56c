import type { components } from './generated/api';
import type { Operations } from './generated/operations';
import { waitForEnd, type WaitOptions } from './wait';

type StoredFile = components['schemas']['DataSourceFile'];

const ended: readonly string[] = ['ready', 'failed'];

/** Resolves with an uploaded file once its rows are read, or it cannot be read. A restart is waited for. */
export function waitForFile(
  client: Pick<Operations, 'getFile'>,
  { dataSourceId, fileId }: { dataSourceId: string; fileId: string },
  options: WaitOptions<StoredFile> = {},
): Promise<StoredFile> {
  const ask = (signal: AbortSignal) => client.getFile({ path: { id: dataSourceId, fileId }, signal });
  return waitForEnd({ name: `file ${fileId}`, ask, hasEnded: ({ status }) => ended.includes(status) }, options);
}
