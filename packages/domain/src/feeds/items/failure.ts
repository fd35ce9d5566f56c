import { AppError } from '@tieout/infra';
import { SharedIdError } from './transactions';
import type { ItemStep, TurnFailure } from './transition';

const atFault = { status: 'OUTDATED', code: 'SITE_NOT_AVAILABLE' } as const;

/** What a failed call to the provider means for the item; undefined: it is no failure of the provider. `collect`: its data were being read. */
export function providerFailure(error: unknown, step: ItemStep | 'collect'): TurnFailure | undefined {
  if (!(error instanceof AppError)) return undefined;
  const retryAfterMs = (error.retryAfterSeconds ?? 0) * 1_000;
  switch (error.code) {
    case 'provider_timeout':
      return { ...atFault, message: 'The provider did not answer in time', passing: true };
    case 'provider_unavailable':
      return { ...atFault, message: 'The provider is not available', passing: true, retryAfterMs };
    case 'provider_rate_limited':
      return { ...atFault, message: 'The provider limits how often it may be asked', passing: true, retryAfterMs };
    case 'provider_bad_response':
      return {
        ...atFault,
        code: 'ERROR',
        message: error instanceof SharedIdError ? error.message : 'The provider gave an answer that cannot be used',
        passing: true,
      };
    case 'provider_auth_failed':
      return {
        ...atFault,
        code: 'ERROR',
        message: 'The provider does not accept the credential of this service',
        passing: false,
      };
    case 'provider_rejected':
      // Of a question that holds nothing of the user's, it says nothing about the user.
      return step === 'look' || step === 'refresh' || step === 'collect'
        ? { ...atFault, code: 'ERROR', message: 'The provider refused to go on with the item', passing: false }
        : {
            status: 'LOGIN_ERROR',
            code: 'INVALID_CREDENTIALS',
            message: 'The provider did not accept the parameters',
            passing: false,
          };
    case 'provider_resource_not_found':
      // It knew the item a moment ago: an account has gone while it was being read.
      if (step === 'collect')
        return { ...atFault, code: 'ERROR', message: 'The provider does not show what it has listed', passing: true };
      return {
        status: 'LOGIN_ERROR',
        code: 'ERROR',
        passing: false,
        gone: true,
        message: 'The provider no longer knows this item: update it with parameters to log in anew',
      };
    default:
      return undefined;
  }
}
