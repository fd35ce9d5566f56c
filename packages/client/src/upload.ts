import { openFile } from '#open-file';
import type { Operations } from './generated/operations';
import type { Input, Output } from './operation';
import { repeatThroughOutage, type Retry } from './retry';
import { textOf } from './text';

type UploadFields = Omit<Input<'uploadFile'>['body'], 'file'>;

export interface FileUpload extends UploadFields {
  /** The data source that gets the file. */
  dataSourceId: string;
  /** Default: the name of the file; needed with a stream. */
  fileName?: string | undefined;
  /** Uploads with one key are carried out once. Default: a new one, shared by the retries of this upload. */
  idempotencyKey?: string | undefined;
  /** Called as the bytes leave; once more from the start for a retry; `totalBytes` is undefined for a stream. */
  onProgress?: ((sent: { sentBytes: number; totalBytes: number | undefined }) => void) | undefined;
  /** Called before the file is sent again, with the reason. Default: the one of the client. */
  onRetry?: ((retry: Retry) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** A path of the local file system, a file or its bytes, or a stream of them. */
export type UploadSource = string | Blob | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface OpenedFile {
  name: string | undefined;
  sizeBytes: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

async function opened(source: UploadSource): Promise<OpenedFile> {
  if (typeof source === 'string') return openFile(source);
  if (source instanceof Blob)
    return { name: (source as Partial<File>).name, sizeBytes: source.size, bytes: source.stream() };
  return { name: undefined, sizeBytes: undefined, bytes: source };
}

/** A name in quotes; one that contains quotes, line breaks or other controls stays one name. */
const quoted = (name: string): string => `"${name.replaceAll(/[\\"]/g, '\\$&').replaceAll(/\p{Cc}/gu, ' ')}"`;

function* formFields(fields: Readonly<Record<string, unknown>>, boundary: string): Generator<string> {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}\r\n\r\n${textOf(value)}\r\n`;
  }
}

interface Form {
  boundary: string;
  fields: Readonly<Record<string, unknown>>;
  fileName: string;
  file: OpenedFile;
  onProgress: FileUpload['onProgress'];
}

async function* formBytes({ boundary, fields, fileName, file, onProgress }: Form): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  yield utf8.encode(
    [...formFields(fields, boundary)].join('') +
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename=${quoted(fileName)}\r\n` +
      'Content-Type: application/octet-stream\r\n\r\n',
  );
  let sentBytes = 0;
  for await (const chunk of file.bytes) {
    yield chunk;
    onProgress?.({ sentBytes: (sentBytes += chunk.length), totalBytes: file.sizeBytes });
  }
  yield utf8.encode(`\r\n--${boundary}--\r\n`);
}

/** A stream that reads a generator no faster than its bytes are taken. */
function streamOf(bytes: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = (await bytes.next()) as IteratorResult<Uint8Array, undefined>;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await bytes.return(undefined);
    },
  });
}

/**
 * Uploads a file; its rows are read afterwards, and `getFile` says how far that is. The file is streamed: its size is
 * bounded by the service only. Where the connection breaks or the service is too busy, a file that can be read again is
 * sent again, and stored once; a stream is not, since it can be read once.
 */
export async function uploadFile(
  client: Pick<Operations, 'uploadFile'>,
  source: UploadSource,
  upload: FileUpload,
): Promise<Output<'uploadFile'>> {
  if (!upload.dataSourceId) throw new TypeError('upload: dataSourceId is missing');
  // Retries are the same request: their boundary and their key are those of the first attempt.
  const { idempotencyKey = crypto.randomUUID() } = upload;
  const boundary = `tieout-${crypto.randomUUID()}`;
  const send = () => sendOnce(client, source, { ...upload, idempotencyKey, boundary });
  const isReadable = typeof source === 'string' || source instanceof Blob;
  return isReadable ? repeatThroughOutage(send, upload) : send();
}

async function sendOnce(
  client: Pick<Operations, 'uploadFile'>,
  source: UploadSource,
  upload: FileUpload & { boundary: string },
): Promise<Output<'uploadFile'>> {
  const { dataSourceId, fileName, onProgress, onRetry: _, signal, idempotencyKey, boundary, ...fields } = upload;
  const opening = await opened(source);
  const reading: { fault?: unknown } = {};
  const file = { ...opening, bytes: noting(opening.bytes, reading) };
  const form = { boundary, fields, fileName: fileName ?? file.name ?? 'file', file, onProgress };
  const input = {
    path: { id: dataSourceId },
    body: streamOf(formBytes(form)),
    contentType: `multipart/form-data; boundary=${boundary}`,
    idempotencyKey,
    ...(signal && { signal }),
  };
  try {
    // The body is the encoded form; the declared type is that of its fields.
    return await client.uploadFile(input as unknown as Input<'uploadFile'>);
  } catch (error) {
    // A file that cannot be read is no fault of the connection.
    throw 'fault' in reading ? reading.fault : error;
  }
}

/** Passes bytes on, and notes why they end too early. */
async function* noting(bytes: AsyncIterable<Uint8Array>, reading: { fault?: unknown }): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    reading.fault = error;
    throw error;
  }
}
