import { AppError, isDatabaseUnavailable, type Logger } from '@tieout/infra';
import { statusByCode } from './error-table';
import { reply, type Reply } from './reply';

/** What may be shown of a failure: an expected one as it is, any other without its insides, which the log gets. */
function toAppError(error: unknown, logger: Logger): AppError {
  if (error instanceof AppError) return error;
  if (isDatabaseUnavailable(error)) {
    logger.error({ err: error }, 'a request found the database unavailable');
    return new AppError('service_unavailable', 'The service is not available at the moment', { retryAfterSeconds: 1 });
  }
  // The router could not decode a path: no route has such a one.
  if (error instanceof URIError || (error as { status?: unknown } | null)?.status === 400) return routeNotFound();
  logger.error({ err: error }, 'a request failed');
  return new AppError('internal_error', 'Something went wrong on our side');
}

export const routeNotFound = (): AppError => new AppError('route_not_found', 'There is no such operation');

/** Those beyond are not listed: an answer may be no larger than what it answers. */
const mostFaults = 100;

/** The one shape of an error. */
export function errorReply(error: unknown, requestId: string, logger: Logger): Reply {
  const { code, message, errors, retryAfterSeconds } = toAppError(error, logger);
  const status = statusByCode[code];
  return reply(
    status,
    {
      status: 'error',
      code,
      message,
      request_id: requestId,
      ...(errors ? { errors: errors.slice(0, mostFaults) } : {}),
    },
    {
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'ApiKey header="x-api-key"' } : {}),
    },
  );
}
