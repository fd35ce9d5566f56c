import { TieoutError, type RequestFault } from '@tieout/client';
import { isSessionBack, sessionHeaders, sessionState } from './session';

export interface FormToSend {
  path: string;
  file: Blob;
  name: string;
  fields: Readonly<Record<string, string | number | boolean | undefined>>;
  headers?: Readonly<Record<string, string>>;
  /** Takes the share of the form that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Sends a file, and sends it again when the session has ended meanwhile and its person is back.
 *
 * @returns the body of the answer
 * @throws TieoutError where the service refuses or does not answer, AbortError where `signal` stops it
 */
export async function sendForm<Answer>(form: FormToSend): Promise<Answer> {
  const sent = sessionState();
  try {
    return (await sendOnce(form)) as Answer;
  } catch (error) {
    if (error instanceof TieoutError && (await isSessionBack(error, sent))) return (await sendOnce(form)) as Answer;
    throw error;
  }
}

/** A browser reports the progress of an upload only through XMLHttpRequest. */
function sendOnce({ path, file, name, fields, headers, onProgress, signal }: FormToSend): Promise<unknown> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('POST', path);
    for (const [header, value] of Object.entries({ ...headers, ...sessionHeaders() }))
      request.setRequestHeader(header, value);
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else reject(refusalOf(request));
    };
    request.onerror = () => reject(new TieoutError('The connection was cut.', { status: 0, code: 'no_answer' }));
    request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) if (value !== undefined) form.append(field, String(value));
    form.append('file', file, name);
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
