import { Type } from '@sinclair/typebox';
import { errorCodes } from '@tieout/infra';
import type { Route } from './define-route';
import { statusByCode, type ErrorStatus } from './error-table';
import { closed, textEnum } from './schemas';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const fault = Type.Object(
  {
    path: Type.String({
      description: 'JSON pointer into the body; /query/…, /path/… and /headers/… for the rest of the request',
    }),
    code: Type.String(),
    message: Type.String(),
  },
  { $id: 'RequestFault', additionalProperties: true },
);

/** The one shape of an error. */
export const errorSchema = closed(
  {
    status: Type.Literal('error'),
    code: textEnum(errorCodes),
    message: Type.String(),
    request_id: Type.String(),
    errors: Type.Optional(Type.Array(fault)),
  },
  { $id: 'Error' },
);

const names: Record<ErrorStatus, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'BodyTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Unprocessable',
  429: 'TooManyRequests',
  500: 'InternalError',
  502: 'BadProvider',
  503: 'Unavailable',
  504: 'ProviderTimeout',
};

export const responseName = (status: ErrorStatus): string => names[status];

/** Lists the failures that a route can answer with. */
export function errorStatuses(route: Route): ErrorStatus[] {
  const changes = route.method !== 'get';
  const takesBody = route.body !== undefined || route.rawBody !== undefined;
  const when: [boolean, ...ErrorStatus[]][] = [
    [true, 400, 500, 503],
    // Operations without a key take a body only where they grant access.
    [route.access.kind !== 'public' || takesBody, 401, 403, 429],
    [route.access.kind === 'tenant' || route.params !== undefined || takesBody, 404],
    [changes || route.callsProvider === true || route.mayConflict === true, 409],
    [route.callsProvider === true, 502, 504],
    [takesBody, 413, 415, 422],
  ];
  return when.flatMap(([applies, ...statuses]) => (applies ? statuses : [])).sort((a, b) => a - b);
}

export function errorResponses(): Record<string, Json> {
  const statuses = Object.keys(names).map(Number) as ErrorStatus[];
  return Object.fromEntries(statuses.map((status) => [names[status], errorResponse(status)]));
}

/** The headers of every answer to a request with a key. */
export const rateLimitHeaders = {
  'X-RateLimit-Limit': { $ref: '#/components/headers/RateLimit' },
  'X-RateLimit-Remaining': { $ref: '#/components/headers/RateLimitRemaining' },
  'X-RateLimit-Reset': { $ref: '#/components/headers/RateLimitReset' },
};

function errorResponse(status: ErrorStatus): Json {
  const codes = errorCodes.filter((code) => statusByCode[code] === status);
  return {
    description: `One of: ${codes.join(', ')}`,
    headers: {
      'X-Request-Id': { $ref: '#/components/headers/RequestId' },
      ...rateLimitHeaders,
      ...(status === 429 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: {
          status: 'error',
          code: codes[0] as string,
          message: 'A message for people',
          request_id: '01994e6c-5b30-7d11-a0c4-2f8e9d7b6c53',
          ...(status === 400 ? { errors: [{ path: '/name', code: 'required', message: 'is required' }] } : {}),
        },
      },
    },
  };
}
