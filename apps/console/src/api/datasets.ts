import { useQuery } from '@tanstack/react-query';
import { tieout, type Schema } from './client';
import type { ReconciliationAnswer } from './reconciliations';

export type SideDataset = Schema<'Dataset'>;
export type DataFile = Schema<'DataSourceFile'>;

const pageSize = 100;
const maxPages = 20;

/** The datasets of the two sides of a reconciliation. */
export const useSideDatasets = (
  { left_dataset_ids: left, right_dataset_ids: right }: ReconciliationAnswer,
  isAllowed = true,
) =>
  useQuery({
    queryKey: ['datasets', left, right],
    enabled: isAllowed,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<SideDataset[]> =>
      Promise.all([...new Set([...left, ...right])].map((id) => tieout.getDataset({ path: { id }, signal }))),
  });

async function filesOf(sourceId: string, signal: AbortSignal): Promise<DataFile[]> {
  const files: DataFile[] = [];
  for (let page = 1; page <= maxPages; page++) {
    const found = await tieout.listFiles({ path: { id: sourceId }, query: { limit: pageSize, page }, signal });
    files.push(...found);
    if (found.length < pageSize) break;
  }
  return files;
}

/** The files of datasets of which rows were rejected, and that no other file has replaced. The newest is first. */
export const useFilesWithRejects = (datasets: readonly SideDataset[]) =>
  useQuery({
    queryKey: ['files', 'rejected', datasets.map(({ id }) => id)],
    queryFn: async ({ signal }): Promise<DataFile[]> => {
      const ids = new Set(datasets.map(({ id }) => id));
      const sources = new Set(datasets.flatMap(({ data_source_id: id }) => (id === null ? [] : [id])));
      const files = (await Promise.all([...sources].map((id) => filesOf(id, signal)))).flat();
      return files
        .filter(({ metadata }) => ids.has(metadata.datasetId) && metadata.rejected > 0 && metadata.replacedBy === null)
        .sort((a, b) => b.uploadedAt.localeCompare(a.uploadedAt));
    },
  });
