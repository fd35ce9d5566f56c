import { AppError } from '@tieout/infra';
import { SharedIdError } from './transactions';
import type { ItemStep, StepFailure } from './transition';

const outdated = { status: 'OUTDATED', code: 'SITE_NOT_AVAILABLE' } as const;

/**
 * Returns what a failed call to the provider means for the item; undefined for an error that is not the provider's.
 * @param step `collect`: data of the item were being read
 */
export function providerFailure(error: unknown, step: ItemStep | 'collect'): StepFailure | undefined {
  if (!(error instanceof AppError)) return undefined;
  const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1_000;
  switch (error.code) {
    case 'provider_timeout':
      return { ...outdated, message: 'The provider did not answer in time', isTransient: true };
    case 'provider_unavailable':
      return { ...outdated, message: 'The provider is not available', isTransient: true, retryAfterMs };
    case 'provider_rate_limited':
      return { ...outdated, message: 'The provider received too many requests', isTransient: true, retryAfterMs };
    case 'provider_bad_response':
      return {
        ...outdated,
        code: 'ERROR',
        message: error instanceof SharedIdError ? error.message : 'The provider gave an answer that cannot be used',
        isTransient: true,
      };
    case 'provider_auth_failed':
      return {
        ...outdated,
        code: 'ERROR',
        message: 'The provider does not accept the credential of this service',
        isTransient: false,
      };
    case 'provider_rejected':
      // These calls carry no parameters of the user, so a refusal says nothing about them.
      return step === 'look' || step === 'refresh' || step === 'collect'
        ? { ...outdated, code: 'ERROR', message: 'The provider refused to continue with the item', isTransient: false }
        : {
            status: 'LOGIN_ERROR',
            code: 'INVALID_CREDENTIALS',
            message: 'The provider did not accept the parameters',
            isTransient: false,
          };
    case 'provider_resource_not_found':
      // The provider knew the item a moment ago: an account has disappeared while it was being read.
      if (step === 'collect')
        return {
          ...outdated,
          code: 'ERROR',
          message: 'The provider lists data that it does not give',
          isTransient: true,
        };
      return {
        status: 'LOGIN_ERROR',
        code: 'ERROR',
        isTransient: false,
        isGone: true,
        message: 'The provider no longer knows this item: update it with parameters to log in again',
      };
    default:
      return undefined;
  }
}
