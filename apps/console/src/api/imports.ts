import { TieoutError, type RequestFault } from '@tieout/client';
import { useQuery } from '@tanstack/react-query';
import { queryClient, tieout, type Schema } from './client';
import { everyPage } from './pages';
import { isSessionBack, sessionHeaders, sessionState } from './session';

export type FileReading = Schema<'FilePreview'>;
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

/** Reads the newest files of a source, whose mappings are offered for similar files. */
export const useSourceFiles = (sourceId: string | undefined) =>
  useQuery({
    queryKey: ['data-sources', sourceId, 'files'],
    queryFn: ({ signal }) => tieout.listFiles({ path: { id: sourceId as string }, query: { limit: 50 }, signal }),
    enabled: sourceId !== undefined,
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

/** Previews a file, with a field for each of its columns. Each change of a choice reads the file again. */
export const useReading = (file: File | null, dataset: string | undefined, choices: ReadingChoices) =>
  useQuery({
    queryKey: ['reading', file?.name, file?.size, file?.lastModified, dataset, choices],
    queryFn: ({ signal }) =>
      tieout.previewFile({
        body: {
          file: file as File,
          ...(dataset ? { dataset } : {}),
          ...(choices as Record<string, never>),
          fromColumns: true,
        },
        signal,
        timeoutMs: 120_000,
      }),
    enabled: file !== null,
    staleTime: Infinity,
    gcTime: 0,
    placeholderData: (before) => before,
  });

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

export interface FileToSend {
  sourceId: string;
  file: File;
  fields: Readonly<Record<string, string | number | boolean | undefined>>;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends a file, and sends it again when the session has ended meanwhile and its person is back. */
export async function sendFile(file: FileToSend): Promise<SourceFile> {
  const sent = sessionState();
  try {
    return await sendOnce(file);
  } catch (error) {
    if (error instanceof TieoutError && (await isSessionBack(error, sent))) return sendOnce(file);
    throw error;
  }
}

/** A browser reports the progress of an upload only through XMLHttpRequest. */
function sendOnce({ sourceId, file, fields, onProgress, signal }: FileToSend): Promise<SourceFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/v1/data-sources/${sourceId}/files`);
    request.setRequestHeader('Idempotency-Key', crypto.randomUUID());
    for (const [name, value] of Object.entries(sessionHeaders())) request.setRequestHeader(name, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status === 202) resolve(request.response as SourceFile);
      else reject(refusalOf(request));
    };
    request.onerror = () => reject(new TieoutError('The connection was cut.', { status: 0, code: 'no_answer' }));
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value));
    form.append('file', file, file.name);
    request.send(form);
  });
}

function refusalOf(request: XMLHttpRequest): TieoutError {
  const body = (request.response ?? {}) as { code?: string; message?: string; errors?: RequestFault[] };
  return new TieoutError(body.message ?? `HTTP ${request.status}`, {
    status: request.status,
    code: body.code ?? 'no_tieout_answer',
    requestId: request.getResponseHeader('x-request-id') ?? undefined,
    errors: body.errors,
  });
}
