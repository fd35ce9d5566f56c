import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { ReceivedUpload, TenantScope } from '@tieout/domain';
import { AppError, findInText, invalid, type FieldError, type StoredObject } from '@tieout/infra';
import type { MultipartBody, ReceivedFile } from './define-route';
import type { Reply } from './reply';
import { isGone, RequestAborted, requireMediaType } from './request-body';

/** Max bytes of a form besides its file. */
const formBytes = 1 << 20;
const maxFields = 50;
const fieldBytes = 4 << 10;

interface Form {
  fields: Record<string, string>;
  file: { name: string; stored: StoredObject } | undefined;
}

/**
 * Receives a form and streams its file into the storage. If `work` does not take over the file, it is discarded.
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
  let isTaken = false;
  try {
    const { fields, file } = await readForm(request, multipart, upload);
    if (!file)
      throw invalid([
        { path: `/${part}`, code: 'required', message: `is required: a part named ${part} with a file name` },
      ]);
    const reply = await work(fields, { ...file, upload });
    isTaken = reply.headers['Idempotent-Replayed'] === undefined;
    return reply;
  } finally {
    if (!isTaken) await upload.discard();
  }
}

function readForm(
  request: IncomingMessage,
  { part, fileLimitBytes }: MultipartBody,
  upload: ReceivedUpload,
): Promise<Form> {
  if (isGone(request)) return Promise.reject(new RequestAborted());
  return new Promise((resolve, reject) => {
    const parser = openParser(request);
    // A request that a shutdown has answered already emits nothing when its connection ends, so the socket is watched.
    const { socket } = request;
    const fields: Record<string, string> = {};
    const faults: FieldError[] = [];
    let storing: Promise<Form['file']> | undefined;
    let hasFailed = false;
    const fail = (error: Error): void => {
      if (hasFailed) return;
      hasFailed = true;
      socket.off('close', onLost);
      request.unpipe(parser);
      parser.destroy(error);
      // The rest of the body is read and discarded: an answer sent in the middle of a body would be lost.
      request.resume();
      // Once the promise settles, the storage is clean.
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
      // The stream may fail before the storage listens; its reader receives the error as well.
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
      // A part without a file name counts as a file because of its media type.
      storing = upload.store(content, fileLimitBytes).then((stored) => ({ name: filename ?? part, stored }));
      // When a form breaks off, its file fails first; then the form itself reports the better error.
      storing.catch((error: Error) => setImmediate(fail, error));
    });
    parser.on('fieldsLimit', () =>
      faults.push({ path: '', code: 'maxProperties', message: `has more than ${maxFields} fields` }),
    );
    parser.on('error', (error: Error) => fail(malformed(error)));
    parser.on('close', () => {
      socket.off('close', onLost);
      if (faults.length > 0) fail(invalid(faults));
      // A failure of the storage is reported above.
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
      limits: { fields: maxFields, fieldSize: fieldBytes, files: 2 },
    });
  } catch (error) {
    throw malformed(error as Error);
  }
}

const malformed = ({ message }: Error): AppError =>
  invalid([
    { path: '', code: 'malformed_form', message: `The body is not a valid form (multipart/form-data): ${message}` },
  ]);
