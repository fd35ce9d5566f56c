import { recordQuotaError, tenantMoving } from '@tieout/domain';
import { AppError, isDatabaseUnavailable, isTenantMoving, type Logger } from '@tieout/infra';
import { statusByCode } from './error-table';
import { reply, type Reply } from './reply';

/** Turns a failure into what a client may see. An unexpected failure goes to the log, and its details stay there. */
function toAppError(error: unknown, logger: Logger): AppError {
  if (error instanceof AppError) return error;
  const beyondQuota = recordQuotaError(error);
  if (beyondQuota) return beyondQuota;
  if (isTenantMoving(error)) return tenantMoving();
  if (isDatabaseUnavailable(error)) {
    logger.error({ err: error }, 'a request found the database unavailable');
    return new AppError('service_unavailable', 'The service is not available at the moment', { retryAfterSeconds: 1 });
  }
  // The router cannot decode such a path, and no route has one.
  if (error instanceof URIError || (error as { status?: unknown } | null)?.status === 400) return routeNotFound();
  logger.error({ err: error }, 'a request failed');
  return new AppError('internal_error', 'Something went wrong on our side');
}

export const routeNotFound = (): AppError => new AppError('route_not_found', 'There is no such operation');

/** Keeps an error answer smaller than the request that caused it. */
const maxListedFaults = 100;

/** Gives every failure the one shape of an error. */
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
      ...(errors ? { errors: errors.slice(0, maxListedFaults) } : {}),
    },
    {
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
      ...(status === 401 ? { 'WWW-Authenticate': 'ApiKey header="x-api-key"' } : {}),
    },
  );
}
