import { useQuery } from '@tanstack/react-query';
import { atMost } from './at-most';
import { beginningOf } from './beginning';
import { asTieoutError, queryClient, tieout, type Schema } from './client';
import { sendForm, type FormToSend } from './forms';
import { everyPage } from './pages';
import { callerId } from './session';
import { keyHeader, lostKeys } from './lost-keys';

/** A preview of a file. */
export type FileReading = Schema<'FilePreview'> & {
  /** Only the beginning of the file has been read. */
  isOfBeginning?: boolean;
};
export type SourceFile = Schema<'DataSourceFile'>;
export type StoredField = Schema<'DatasetField'>;
export type MappedKind = StoredField['type'];

/** Options for reading a file that a person has chosen; absent ones are detected. */
export interface ReadingChoices {
  format?: string;
  delimiter?: string;
  encoding?: string;
  decimalSeparator?: '.' | ',';
  dateFormat?: string;
  headerRow?: number;
  skipLines?: number;
  sheet?: string;
  header?: boolean;
  footer?: boolean;
  /** '' where no line is a comment. */
  comment?: string;
  path?: string;
  identity?: 'none';
}

export const useSources = () =>
  useQuery({
    queryKey: ['data-sources'],
    queryFn: ({ signal }) => everyPage((page) => tieout.listDataSources({ query: { limit: 100, page }, signal })),
  });

const maxSources = 60;
const newestOfEach = 20;
const maxRequests = 6;

/** Reads the newest files of the sources, the newest first. A file that is like one of them is read in the same way. */
export const useNewestFiles = (sourceIds: readonly string[]) =>
  useQuery({
    queryKey: ['data-sources', 'newest-files', sourceIds],
    queryFn: async ({ signal }) => {
      const limited = atMost(maxRequests);
      const files = await Promise.all(
        sourceIds
          .slice(0, maxSources)
          .map((id) => limited(() => tieout.listFiles({ path: { id }, query: { limit: newestOfEach }, signal }))),
      );
      return files.flat().sort((one, other) => other.uploadedAt.localeCompare(one.uploadedAt));
    },
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export const useAllDatasets = () =>
  useQuery({
    queryKey: ['datasets'],
    queryFn: ({ signal }) => everyPage((page) => tieout.listDatasets({ query: { limit: 100, page }, signal })),
  });

export const useStoredFields = (datasetId: string | undefined) =>
  useQuery({
    queryKey: ['dataset-fields', datasetId],
    queryFn: ({ signal }) => tieout.listDatasetFields({ path: { id: datasetId as string }, signal }),
    enabled: datasetId !== undefined,
  });

const shareKey = ['reading-share'];

/** The share of the file that a preview has sent, from 0 to 1. */
export const useReadingShare = (): number =>
  useQuery({ queryKey: shareKey, queryFn: () => 0, enabled: false, initialData: 0, staleTime: Infinity }).data;

/** Previews a file, with a field for each of its columns. Each change of a choice reads the file again. */
export const useReading = (file: File | null, choices: ReadingChoices) =>
  useQuery({
    queryKey: ['reading', file?.name, file?.size, file?.lastModified, choices],
    queryFn: ({ signal }) => readingOf(file as File, choices, signal),
    enabled: file !== null,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

/** Formats of which the first lines show what all of them are. */
const formatsOfLines = ['csv', 'tsv', 'ndjson'];
const previewRows = 50;
/** Errors that may come of the cut. */
const errorsOfPart = ['file_damaged', 'file_empty', 'no_readable_rows'];

async function readingOf(file: File, choices: ReadingChoices, signal: AbortSignal): Promise<FileReading> {
  const preview = (part: Blob): Promise<FileReading> =>
    sendForm<FileReading>({
      path: '/v1/files/preview',
      file: part,
      name: file.name,
      fields: { ...choices, fromColumns: true },
      onProgress: (share) => queryClient.setQueryData(shareKey, share),
      signal,
    });
  queryClient.setQueryData(shareKey, 0);
  const isOfLines = (format: string | undefined): boolean => formatsOfLines.includes(format ?? 'csv');
  const beginning = isOfLines(choices.format) ? await beginningOf(file) : null;
  if (beginning !== null) {
    const reading = await preview(beginning).catch((error: unknown) => {
      if (asTieoutError(error).errors.some(({ code }) => errorsOfPart.includes(code ?? ''))) return null;
      throw error;
    });
    if (reading !== null && isOfLines(reading.format) && reading.rows.length >= previewRows)
      return { ...reading, isOfBeginning: true };
  }
  return preview(file);
}

export const useSourceFile = (sourceId: string, fileId: string) =>
  useQuery({
    queryKey: ['data-sources', sourceId, 'files', fileId],
    queryFn: ({ signal }) => tieout.getFile({ path: { id: sourceId, fileId }, signal }),
    refetchInterval: ({ state }) => (isEnded(state.data) ? false : 1_000),
  });

export const isEnded = (file: SourceFile | undefined): boolean => file?.status === 'ready' || file?.status === 'failed';

export async function createSource(name: string): Promise<string> {
  return (await tieout.createDataSource({ body: { name, kind: 'files' } })).id;
}

/** Reads everything again that a sent file may have changed. */
export async function fileIsSent(): Promise<void> {
  const changed = ['data-sources', 'datasets', 'dataset-fields', 'field-names'];
  await Promise.all(changed.map((name) => queryClient.invalidateQueries({ queryKey: [name] })));
}

export interface FileToSend extends Pick<FormToSend, 'fields' | 'onProgress' | 'signal'> {
  sourceId: string;
  file: File;
}

/** A file that is sent again after a lost answer, read in the same way, is taken once. */
export async function sendFile({ sourceId, file, ...form }: FileToSend): Promise<SourceFile> {
  const path = `/v1/data-sources/${sourceId}/files`;
  const { name, size, lastModified } = file;
  const equal = JSON.stringify([callerId(), path, name, size, lastModified, form.fields]);
  const headers = { [keyHeader]: lostKeys.of(equal, crypto.randomUUID()) };
  try {
    const sent = await sendForm<SourceFile>({ path, file, name, headers, ...form });
    lostKeys.answered(equal, 201);
    return sent;
  } catch (error) {
    lostKeys.answered(equal, asTieoutError(error).status);
    throw error;
  }
}
