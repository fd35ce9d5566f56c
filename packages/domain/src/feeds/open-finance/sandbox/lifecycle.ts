import type { ExecutionStatus, ProviderItem } from '../provider';
import { encodeState, type SandboxState, type Scenario } from './state';

/** The right second factor. */
export const acceptedToken = '123456';

const minuteMs = 60_000;
/** Time that the institution waits for its user. */
const inputMs: Partial<Record<Scenario, number>> = { mfa: 5 * minuteMs, 'mfa-timeout': 2_000, action: 5 * minuteMs };
/** Time after which the user of `action` has approved the login in an app. */
const approvalMs = 3_000;
/** Duration of each step of the connector `slow`: login, then collecting. */
const slowStepMs = 2_000;

type VisibleState = Pick<ProviderItem, 'status' | 'executionStatus'> & Partial<ProviderItem>;

const failed = (
  status: 'LOGIN_ERROR' | 'OUTDATED',
  executionStatus: ExecutionStatus,
  message: string,
): VisibleState => ({
  status,
  executionStatus,
  error: { code: executionStatus, message },
});

const done: VisibleState = { status: 'UPDATED', executionStatus: 'SUCCESS' };
const badPassword = failed('LOGIN_ERROR', 'INVALID_CREDENTIALS', 'The institution does not accept user and password');
const timedOut = failed('OUTDATED', 'USER_INPUT_TIMEOUT', 'What the institution asked for did not come in time');

/** Returns the item as it is at a moment. */
export function itemAt(state: SandboxState, nowMs: number): ProviderItem {
  return {
    id: encodeState(state),
    error: null,
    parameter: null,
    userAction: null,
    consentExpiresAt: null,
    ...visibleState(state, nowMs),
  };
}

/** Returns whether the login is accepted by that moment, so that data are shown. */
export const isOpen = (state: SandboxState, nowMs: number): boolean => itemAt(state, nowMs).status === 'UPDATED';

function visibleState(state: SandboxState, nowMs: number): VisibleState {
  const { scenario, login, sinceMs } = state;
  if (login === 'refused')
    return failed('LOGIN_ERROR', 'INVALID_CREDENTIALS_MFA', 'The institution does not accept the token');
  if (login === 'accepted') return accepted(scenario);
  const elapsedMs = nowMs - sinceMs;
  const expiresAt = new Date(sinceMs + (inputMs[scenario] ?? 0)).toISOString();
  switch (scenario) {
    case 'mfa':
    case 'mfa-timeout':
      if (elapsedMs >= (inputMs[scenario] ?? 0)) return timedOut;
      return {
        status: 'WAITING_USER_INPUT',
        executionStatus: 'WAITING_USER_INPUT',
        parameter: { name: 'token', label: 'Token that the bank has sent', type: 'number', data: null, expiresAt },
      };
    case 'action':
      if (elapsedMs >= approvalMs) return done;
      return {
        status: 'WAITING_USER_ACTION',
        executionStatus: 'USER_AUTHORIZATION_PENDING',
        userAction: { type: 'app', instructions: 'Approve the access in the app of the bank', url: null, expiresAt },
      };
    case 'slow':
      if (elapsedMs < slowStepMs) return { status: 'UPDATING', executionStatus: 'LOGIN_IN_PROGRESS' };
      return elapsedMs < 2 * slowStepMs ? { status: 'UPDATING', executionStatus: 'COLLECTING' } : done;
    case 'ok':
    case 'partial':
    case 'outage':
    case 'bad-password':
    case 'locked':
    case 'unavailable':
      return accepted(scenario);
  }
}

/** Returns the end of a login without further questions. */
function accepted(scenario: Scenario): VisibleState {
  switch (scenario) {
    case 'bad-password':
      return badPassword;
    case 'locked':
      return failed('LOGIN_ERROR', 'ACCOUNT_LOCKED', 'The institution has locked the access');
    case 'unavailable':
      return failed('OUTDATED', 'SITE_NOT_AVAILABLE', 'The institution cannot be reached at the moment');
    case 'partial':
      return {
        ...done,
        executionStatus: 'PARTIAL_SUCCESS',
        error: { code: 'PARTIAL_SUCCESS', message: 'The institution did not show its investments' },
      };
    case 'ok':
    case 'mfa':
    case 'mfa-timeout':
    case 'action':
    case 'slow':
    case 'outage':
      return done;
  }
}
