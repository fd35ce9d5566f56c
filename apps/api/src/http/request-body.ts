import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import {
  AppError,
  bytesPerWeight,
  findInexactInteger,
  findUnstorable,
  inexactInteger,
  invalid,
  jsonWeight,
  countNestedValues,
} from '@tieout/infra';
import { defaultBodyLimitBytes, type Route } from './define-route';
import type { Permit } from './fair-semaphore';

/** The caller went away before its request was read or answered. */
export class RequestAborted extends Error {}

const tooLarge = (limitBytes: number): AppError =>
  new AppError('body_too_large', `The body is larger than ${limitBytes} bytes`);

const tooSlow = (): AppError =>
  new AppError(
    'service_unavailable',
    'The body arrives slowly, and others wait for the memory that it holds: send less at a time',
    { retryAfterSeconds: 5 },
  );

/** Returns whether the connection ended before the whole request was read: no event will report that. */
export const isGone = (request: IncomingMessage): boolean => request.destroyed || request.socket.destroyed;

interface BodyLimits {
  limitBytes: number;
  /** Lets others preempt the read. */
  permit?: Permit | undefined;
}

const limitOf = (route: Route): number => route.bodyLimitBytes ?? defaultBodyLimitBytes;

/** Returns the announced size of a body, at most the limit of its route; the limit if no size is announced. */
export function maxBodyBytes(route: Route, { headers }: IncomingMessage): number {
  const limitBytes = limitOf(route);
  if (headers['transfer-encoding'] !== undefined) return limitBytes;
  return Math.min(Number(headers['content-length'] ?? 0), limitBytes);
}

/** Reads the body that a route declares. @throws AppError as `readBody` and `readJson` do; RequestAborted */
export async function readRouteBody(route: Route, request: IncomingMessage, permit?: Permit): Promise<ArrivedBody> {
  const limits = { limitBytes: limitOf(route), permit };
  if (route.rawBody) {
    requireMediaType(request, route.rawBody.contentTypes);
    const bytes = await readBody(request, limits);
    return { memoryBytes: 0, parse: () => bytes };
  }
  if (route.body) return readJson(request, { lenient: route.lenientBody === true, ...limits });
  return { memoryBytes: 0, parse: () => undefined };
}

/** @throws AppError body_too_large, service_unavailable; RequestAborted */
function readBody(request: IncomingMessage, { limitBytes, permit }: BodyLimits): Promise<Buffer> {
  const announced = request.headers['content-length'];
  if (announced !== undefined && Number(announced) > limitBytes) return Promise.reject(tooLarge(limitBytes));
  if (isGone(request)) return Promise.reject(new RequestAborted());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (finish: () => void): void => {
      request.off('data', onData).off('end', onEnd).off('error', onLost).off('close', onLost);
      if (permit) permit.preempt = undefined;
      finish();
    };
    // The rest of the body is read and discarded: an answer sent in the middle of a body would be lost.
    const refuse = (error: AppError): void => settle(() => (request.resume(), reject(error)));
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) refuse(tooLarge(limitBytes));
      else chunks.push(chunk);
    };
    const onEnd = (): void =>
      settle(() => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    const onLost = (): void => settle(() => reject(new RequestAborted()));
    request.on('data', onData).on('end', onEnd).on('error', onLost).on('close', onLost);
    if (permit) permit.preempt = () => refuse(tooSlow());
  });
}

const mediaType = (request: IncomingMessage): string | undefined => {
  const text = request.headers['content-type'];
  return text === undefined ? undefined : (text.split(';', 1)[0] as string).trim().toLowerCase();
};

const unsupported = (message: string): AppError => new AppError('unsupported_media_type', message);

/** @throws AppError unsupported_media_type unless the body is uncompressed, in UTF-8 and of one of these media types */
export function requireMediaType(request: IncomingMessage, accepted: readonly string[]): void {
  const type = mediaType(request);
  if (type === undefined || !accepted.includes(type)) {
    throw unsupported(`The header Content-Type must be ${accepted.join(' or ')}`);
  }
  const encoding = request.headers['content-encoding'];
  const transfer = request.headers['transfer-encoding'];
  const isPlain =
    (encoding ?? 'identity').toLowerCase() === 'identity' && (transfer ?? 'chunked').toLowerCase() === 'chunked';
  if (!isPlain) throw unsupported('The body must not be compressed');
  const charset = /;\s*charset="?([^";\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'utf8')
    throw unsupported('The body must be in UTF-8');
}

/** Represents a missing body. */
export const noBody = Symbol('no body');

export interface ArrivedBody {
  /** Memory of the parsed value; 0 where the value is the bytes themselves. */
  memoryBytes: number;
  /** @throws AppError malformed_json, validation_error */
  parse(): unknown;
}

/** Max objects and arrays together: each takes many times its text. */
const maxNestedValues = 1 << 19;

/** Estimates the memory of the parsed value. @throws AppError body_too_large */
function memoryOf(json: Buffer): number {
  const nested = countNestedValues(json);
  if (nested > maxNestedValues)
    throw new AppError('body_too_large', `The body has more than ${maxNestedValues} objects and arrays`);
  return jsonWeight(json, nested) * bytesPerWeight;
}

/**
 * Reads a JSON body without parsing it: the value takes several times the size of the text.
 * @param options lenient: an empty body of any media type is {}, and a body without media type is JSON
 * @throws AppError unsupported_media_type, body_too_large, service_unavailable; RequestAborted
 */
async function readJson(request: IncomingMessage, options: BodyLimits & { lenient: boolean }): Promise<ArrivedBody> {
  const { headers } = request;
  const nothing: ArrivedBody = { memoryBytes: 0, parse: () => (options.lenient ? {} : noBody) };
  const isEmpty = headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
  if (isEmpty && (options.lenient || headers['content-type'] === undefined)) return nothing;
  if (!options.lenient || headers['content-type'] !== undefined) requireMediaType(request, ['application/json']);
  const bytes = await readBody(request, options);
  if (bytes.length === 0) return nothing;
  return {
    memoryBytes: memoryOf(bytes),
    parse: () => {
      const value = parseJson(bytes);
      const fault = findUnstorable(value);
      if (fault) throw invalid([fault]);
      return value;
    },
  };
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new AppError('malformed_json', 'The body is not valid UTF-8');
  const text = bytes.toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // V8 quotes the text around the fault, which may be long or private: the answer gives the position only.
    const position = /position (\d+)/.exec(String(error))?.[1];
    throw new AppError(
      'malformed_json',
      position === undefined ? 'The body is not valid JSON' : `The body is not valid JSON: see position ${position}`,
    );
  }
  const digits = findInexactInteger(text);
  if (digits !== undefined) throw invalid([{ path: '', ...inexactInteger(digits) }]);
  return value;
}
