import createHttpClient from 'openapi-fetch';
import { bulkRecords } from './bulk-records';
import { errorOfAnswer } from './error';
import { operationTable, type Operations } from './generated/operations';
import { assertSendable } from './header';
import type { OperationName, RequestOptions } from './operation';
import { querySerializer } from './query';
import { follow, RetryingFetch, type Fetch, type Retry } from './retry';
import { textOf } from './text';
import { uploadFile } from './upload';
import { waitForFile } from './wait-for-file';
import { waitForJob } from './wait-for-job';

export interface ClientOptions {
  /** The address of the service, such as `https://tieout.example.com`. */
  baseUrl: string;
  /** A key of a tenant, or the platform key. */
  apiKey?: string | undefined;
  /** The tenant to act for; with the platform key. */
  tenantId?: string | undefined;
  /** Names the person behind the requests in the audit. */
  actor?: string | undefined;
  /** The maximum number of times that a request is sent again. Default: 6, which lasts some 16 s. */
  maxRetries?: number | undefined;
  /** Called before each wait for such a time, with its reason. */
  onRetry?: ((retry: Retry) => void) | undefined;
  /** The longest wait for the head of one answer; five times that for each part of a stream to leave. Default: 60 s. */
  timeoutMs?: number | undefined;
  /** Passes both of its arguments on to a `fetch`. Default: the one of the platform. */
  fetch?: Fetch | undefined;
}

/** The input of any operation, as the client sends it. */
interface AnyInput extends RequestOptions {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** The media type of a body that is a stream. */
  contentType?: string;
}

export interface Tieout extends Operations {
  records: {
    /** Sends records in chunks, one after the other; see `bulkRecords`. */
    bulk: (...args: Tail<Parameters<typeof bulkRecords>>) => ReturnType<typeof bulkRecords>;
  };
  files: {
    /** Uploads a file by its path, its bytes or a stream of them; see `uploadFile`. */
    upload: (...args: Tail<Parameters<typeof uploadFile>>) => ReturnType<typeof uploadFile>;
    /** Resolves with an uploaded file once its rows are read; see `waitForFile`. */
    wait: (...args: Tail<Parameters<typeof waitForFile>>) => ReturnType<typeof waitForFile>;
  };
  /** Resolves with a matching job once it has ended; see `waitForJob`. */
  waitForJob: (...args: Tail<Parameters<typeof waitForJob>>) => ReturnType<typeof waitForJob>;
}

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

type SerializedBody = string | FormData | Blob | ReadableStream<Uint8Array>;

function serializeBody(body: unknown): SerializedBody {
  if (typeof body === 'string' || body instanceof FormData || body instanceof Blob || body instanceof ReadableStream)
    return body as SerializedBody;
  return JSON.stringify(body);
}

/** The fields of a form; the file goes last, as the service reads the fields before it. */
function formOf(body: Record<string, unknown>): FormData {
  const form = new FormData();
  const { file, ...fields } = body;
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, textOf(value));
  if (file instanceof Blob) form.append('file', file, (file as Partial<File>).name ?? 'file');
  return form;
}

/** A success that is not JSON comes from something else at that address. */
function jsonOf(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw errorOfAnswer(response, text);
  }
}

type Http = (
  method: string,
  path: string,
  init: Record<string, unknown>,
) => Promise<{
  data?: unknown;
  error?: unknown;
  response: Response;
}>;

/**
 * Creates a client: a method for each operation of the API, and helpers for what takes more than one request.
 * @throws TieoutError for a key that no header can hold
 */
export function createClient(options: ClientOptions): Tieout {
  const { baseUrl, apiKey, tenantId, maxRetries = 6, timeoutMs = 60_000, onRetry, fetch = globalThis.fetch } = options;
  assertSendable('The API key', apiKey);
  assertSendable('The tenant id', tenantId);
  const requests = new RetryingFetch((request, init) => fetch(request, init), { maxRetries, timeoutMs, onRetry });
  const headers = { ...(apiKey && { 'x-api-key': apiKey }), ...(tenantId && { 'x-tenant-id': tenantId }) };
  const { request } = createHttpClient<Record<string, never>>({
    baseUrl,
    headers,
    querySerializer,
    bodySerializer: serializeBody,
  });
  const http = request as unknown as Http;

  async function call(name: OperationName, input: AnyInput = {}): Promise<unknown> {
    const [method, path, bodyKind, answerKind, isIdempotent] = operationTable[name];
    const { path: inPath, query, signal, timeoutMs: ownTimeoutMs, idempotencyKey, actor = options.actor } = input;
    assertSendable('The name of the actor', actor);
    assertSendable('The idempotency key', idempotencyKey);
    for (const [, place = ''] of path.matchAll(/\{(\w+)\}/g))
      if (!inPath?.[place]) throw new TypeError(`${name}: path.${place} is missing`);
    const isStream = input.body instanceof ReadableStream;
    const isFields = bodyKind === 'form' && !isStream && !(input.body instanceof FormData);
    const body = isFields ? formOf(input.body as Record<string, unknown>) : input.body;
    const isNdjson = bodyKind === 'ndjson' && typeof body === 'string';
    const contentType = isNdjson ? 'application/x-ndjson' : input.contentType;
    const isStreamed = answerKind === 'response';
    const { own, release } = follow(signal);
    const { data, error, response } = await http(method, path, {
      params: { path: inPath, query },
      headers: {
        ...(actor !== undefined && { 'x-actor': actor }),
        ...(isIdempotent && { 'Idempotency-Key': idempotencyKey ?? globalThis.crypto.randomUUID() }),
        ...(contentType !== undefined && { 'Content-Type': contentType }),
      },
      ...(body !== undefined && { body }),
      ...(isStream && { duplex: 'half' }),
      parseAs: isStreamed ? 'stream' : 'text',
      fetch: (sent: Request) =>
        requests.send(sent, { isStream, isStreamed, signal: own.signal, timeoutMs: ownTimeoutMs }),
    }).finally(() => {
      // An answer that is read by the caller can be aborted until its end.
      if (!isStreamed) release();
    });
    if (!response.ok) throw errorOfAnswer(response, error);
    if (isStreamed) return response;
    return answerKind === 'json' ? jsonOf(response, data as string) : undefined;
  }

  const operations = Object.fromEntries(
    (Object.keys(operationTable) as OperationName[]).map((name) => [name, (input?: AnyInput) => call(name, input)]),
  ) as unknown as Operations;
  const client: Tieout = {
    ...operations,
    records: { bulk: (...args) => bulkRecords(client, ...args) },
    files: {
      upload: (source, upload) => uploadFile(client, source, { onRetry, ...upload }),
      wait: (...args) => waitForFile(client, ...args),
    },
    waitForJob: (...args) => waitForJob(client, ...args),
  };
  return client;
}
