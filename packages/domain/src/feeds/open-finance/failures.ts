import { AppError, invalid, type FieldError } from '@tieout/infra';

// Failures of a provider. No message repeats what the provider wrote.

export const providerTimeout = (cause?: unknown): AppError =>
  new AppError('provider_timeout', 'The open finance provider did not answer in time; try again later', { cause });

export const providerUnavailable = (cause?: unknown): AppError =>
  new AppError('provider_unavailable', 'The open finance provider cannot be reached at the moment; try again later', {
    cause,
    retryAfterSeconds: 30,
  });

export const providerRateLimited = (retryAfterSeconds: number): AppError =>
  new AppError(
    'provider_rate_limited',
    'The open finance provider takes no more requests at the moment; try again later',
    { retryAfterSeconds },
  );

export const providerAuthFailed = (): AppError =>
  new AppError(
    'provider_auth_failed',
    'The open finance provider does not accept the credential of this service; ' +
      'the operator must correct OPENFINANCE_CREDENTIALS',
  );

/** @param cause the reason, for the log */
export const providerBadResponse = (cause: string): AppError =>
  new AppError('provider_bad_response', 'The open finance provider gave an answer that cannot be used', { cause });

export const providerResourceNotFound = (): AppError =>
  new AppError(
    'provider_resource_not_found',
    'The open finance provider does not know this item, or what is asked of it',
  );

/** @param errors the refused parts of the request, where they are known */
export const providerRejected = (errors?: readonly FieldError[]): AppError =>
  new AppError('provider_rejected', 'The open finance provider refuses this request', errors ? { errors } : {});

export const baseUrlNotAllowed = (message: string): AppError =>
  new AppError('base_url_not_allowed', `baseUrl ${message}`, {
    errors: [{ path: '/query/baseUrl', code: 'base_url_not_allowed', message }],
  });

export const unknownConnector = (known: readonly string[]): AppError =>
  invalid([
    {
      path: '/connectorId',
      code: 'unknown_connector',
      message: `must be a connector of the provider: ${known.join(', ')}`,
    },
  ]);
