import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { TenantScope, Upload } from '@tieout/domain';
import { AppError, findInText, invalid, type FieldError, type StoredObject } from '@tieout/infra';
import type { MultipartBody, ReceivedFile } from './define-route';
import type { Reply } from './reply';
import { isGone, RequestAborted, requireMediaType } from './request-body';

/** What the parts of a form take besides the bytes of the file. */
const formBytes = 1 << 20;
const mostFields = 50;
const fieldBytes = 4 << 10;

interface Form {
  fields: Record<string, string>;
  file: { name: string; stored: StoredObject } | undefined;
}

/**
 * Takes a form in: its file goes to the storage as it comes. Whatever keeps `work` from taking the file over leaves nothing
 * of it behind.
 * @throws AppError unsupported_media_type, body_too_large, validation_error; RequestAborted
 */
export async function withFile(
  request: IncomingMessage,
  {
    multipart,
    scope,
    params,
  }: { multipart: MultipartBody; scope: TenantScope; params: Readonly<Record<string, string>> },
  work: (fields: Record<string, string>, file: ReceivedFile) => Promise<Reply>,
): Promise<Reply> {
  requireMediaType(request, ['multipart/form-data']);
  const { fileLimitBytes, part } = multipart;
  if (Number(request.headers['content-length'] ?? 0) > fileLimitBytes + formBytes) {
    throw new AppError('body_too_large', `The file is larger than ${fileLimitBytes} bytes`);
  }
  const upload = await multipart.begin(scope, params);
  let taken = false;
  try {
    const { fields, file } = await readForm(request, multipart, upload);
    if (!file)
      throw invalid([
        { path: `/${part}`, code: 'required', message: `is required: a part named ${part} with a file name` },
      ]);
    const reply = await work(fields, { ...file, upload });
    taken = reply.headers['Idempotent-Replayed'] === undefined;
    return reply;
  } finally {
    if (!taken) await upload.discard();
  }
}

function readForm(request: IncomingMessage, { part, fileLimitBytes }: MultipartBody, upload: Upload): Promise<Form> {
  if (isGone(request)) return Promise.reject(new RequestAborted());
  return new Promise((resolve, reject) => {
    const parser = openParser(request);
    // A request that is answered already, by the end of the process, is not told when its connection ends.
    const { socket } = request;
    const fields: Record<string, string> = {};
    const faults: FieldError[] = [];
    let storing: Promise<Form['file']> | undefined;
    let failed = false;
    const fail = (error: Error): void => {
      if (failed) return;
      failed = true;
      socket.off('close', onLost);
      request.unpipe(parser);
      parser.destroy(error);
      // What is still to come is discarded: an answer in the middle of a body would be lost with the connection.
      request.resume();
      // The storage has cleaned up when the promise settles.
      void Promise.allSettled([storing]).then(() => reject(error));
    };
    const onLost = (): void => (request.readableEnded ? undefined : fail(new RequestAborted()));
    parser.on('field', (name, value, { valueTruncated, nameTruncated }) => {
      const fault =
        valueTruncated || nameTruncated
          ? { code: 'maxLength', message: `is longer than ${fieldBytes} bytes` }
          : findInText(value, '');
      if (fault) faults.push({ ...fault, path: `/${name}` });
      else if (Object.hasOwn(fields, name))
        faults.push({ path: `/${name}`, code: 'duplicate_parameter', message: 'is given more than once' });
      else fields[name] = value;
    });
    parser.on('file', (name, content, { filename }) => {
      // It may fail before the storage listens; whoever reads it learns of that.
      content.on('error', () => undefined);
      if (name !== part || storing) {
        faults.push({
          path: `/${name}`,
          code: 'unknown_key',
          message: storing ? 'is a second file' : `is not a known part; the file is ${part}`,
        });
        content.resume();
        return;
      }
      // A part without the name of a file is one by its media type.
      storing = upload.store(content, fileLimitBytes).then((stored) => ({ name: filename ?? part, stored }));
      // A form that breaks off ends its file with an error first, and then says so itself.
      storing.catch((error: Error) => setImmediate(fail, error));
    });
    parser.on('fieldsLimit', () =>
      faults.push({ path: '', code: 'maxProperties', message: `has more than ${mostFields} fields` }),
    );
    parser.on('error', (error: Error) => fail(malformed(error)));
    parser.on('close', () => {
      socket.off('close', onLost);
      if (faults.length > 0) fail(invalid(faults));
      // A failure is told by those who see it.
      else
        void Promise.resolve(storing).then(
          (file) => resolve({ fields, file }),
          () => undefined,
        );
    });
    socket.on('close', onLost);
    request.pipe(parser);
  });
}

function openParser(request: IncomingMessage): busboy.Busboy {
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: { fields: mostFields, fieldSize: fieldBytes, files: 2 },
    });
  } catch (error) {
    throw malformed(error as Error);
  }
}

const malformed = ({ message }: Error): AppError =>
  invalid([
    { path: '', code: 'malformed_form', message: `The body is not a valid form (multipart/form-data): ${message}` },
  ]);
