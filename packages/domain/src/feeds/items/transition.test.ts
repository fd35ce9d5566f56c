import type { ProviderItem } from '../open-finance';
import { AppError, type ErrorCode } from '@tieout/infra';
import { providerFailure } from './failure';
import { defaultItemPolicy as policy } from './policy';
import { afterCollecting, afterFailure, transition, type ItemStep, type RunningItem } from './transition';

const at = new Date('2026-11-21T12:00:00.000Z');
const later = (ms: number): Date => new Date(at.getTime() + ms);

const running: RunningItem = {
  status: 'UPDATING',
  executionStatus: 'LOGIN_IN_PROGRESS',
  error: null,
  parameter: null,
  userAction: null,
  waitsUntil: null,
  consentExpiresAt: null,
  providerItemId: 'p-1',
  loggedIn: false,
  step: 'look',
  startedAt: later(-2_000),
  attempts: 1,
  at,
};

const seen = (changes: Partial<ProviderItem>): ProviderItem => ({
  id: 'p-1',
  status: 'UPDATING',
  executionStatus: 'LOGIN_IN_PROGRESS',
  error: null,
  parameter: null,
  userAction: null,
  consentExpiresAt: null,
  ...changes,
});

const token = {
  name: 'token',
  label: 'Token',
  type: 'number',
  data: null,
  expiresAt: later(60_000).toISOString(),
} as const;
const action = { type: 'app', instructions: 'Approve', url: null, expiresAt: later(60_000).toISOString() } as const;
const asksInput = seen({ status: 'WAITING_USER_INPUT', executionStatus: 'WAITING_USER_INPUT', parameter: token });
const asksAction = seen({
  status: 'WAITING_USER_ACTION',
  executionStatus: 'USER_AUTHORIZATION_PENDING',
  userAction: action,
});
const waitingInput: RunningItem = {
  ...running,
  status: 'WAITING_USER_INPUT',
  parameter: token,
  waitsUntil: later(60_000),
};

const eventTypes = ({ events }: { events: { type: string }[] }): string[] => events.map(({ type }) => type);

describe('the answer of the provider leads to the next state', () => {
  test.each<[string, RunningItem, ProviderItem, string, string[], number | null]>([
    ['the login continues', running, seen({}), 'UPDATING', [], policy.pollMs],
    ['the login lasts a minute', { ...running, startedAt: later(-60_000) }, seen({}), 'UPDATING', [], 6_000],
    [
      'the user takes hours',
      { ...running, status: 'WAITING_USER_ACTION', startedAt: later(-7_200_000), waitsUntil: later(7_200_000) },
      asksAction,
      'WAITING_USER_ACTION',
      [],
      policy.maxPollMs,
    ],
    [
      'the login is accepted',
      running,
      seen({ executionStatus: 'COLLECTING' }),
      'UPDATING',
      ['ITEM_LOGIN_SUCCEEDED'],
      policy.pollMs,
    ],
    [
      'the login was accepted before',
      { ...running, loggedIn: true },
      seen({ executionStatus: 'COLLECTING' }),
      'UPDATING',
      [],
      policy.pollMs,
    ],
    ['input is asked for', running, asksInput, 'WAITING_USER_INPUT', ['ITEM_WAITING_USER_INPUT'], policy.pollMs],
    ['input is still asked for', waitingInput, asksInput, 'WAITING_USER_INPUT', [], policy.pollMs],
    ['an action is asked for', running, asksAction, 'WAITING_USER_ACTION', ['ITEM_WAITING_USER_ACTION'], policy.pollMs],
    [
      'input did not come in time',
      { ...waitingInput, at: later(60_000) },
      asksInput,
      'OUTDATED',
      ['ITEM_ERROR'],
      policy.syncEveryMs,
    ],
    [
      'the provider gave up',
      waitingInput,
      seen({ status: 'OUTDATED', executionStatus: 'USER_INPUT_TIMEOUT' }),
      'OUTDATED',
      ['ITEM_ERROR'],
      policy.syncEveryMs,
    ],
    [
      'the credentials are wrong',
      running,
      seen({ status: 'LOGIN_ERROR', executionStatus: 'INVALID_CREDENTIALS' }),
      'LOGIN_ERROR',
      ['ITEM_ERROR'],
      null,
    ],
    [
      'the account is locked',
      running,
      seen({ status: 'LOGIN_ERROR', executionStatus: 'ACCOUNT_LOCKED' }),
      'LOGIN_ERROR',
      ['ITEM_ERROR'],
      null,
    ],
    [
      'the site is down',
      running,
      seen({ status: 'OUTDATED', executionStatus: 'SITE_NOT_AVAILABLE' }),
      'OUTDATED',
      ['ITEM_ERROR'],
      policy.syncEveryMs,
    ],
    [
      'a run that never ends',
      { ...running, startedAt: later(-policy.maxRunMs - 1) },
      seen({}),
      'OUTDATED',
      ['ITEM_ERROR'],
      policy.syncEveryMs,
    ],
    [
      'all data are available',
      running,
      seen({ status: 'UPDATED', executionStatus: 'SUCCESS' }),
      'UPDATING',
      ['ITEM_LOGIN_SUCCEEDED'],
      0,
    ],
  ])('%s', (_what, item, answer, status, events, dueInMs) => {
    const next = transition(item, answer, policy);
    expect({ status: next.state.status, events: eventTypes(next), dueInMs: next.dueInMs }).toEqual({
      status,
      events,
      dueInMs,
    });
  });

  test('data are collected once all are available, and then the item is UPDATED', () => {
    const next = transition(
      running,
      seen({ status: 'UPDATED', executionStatus: 'PARTIAL_SUCCESS', error: { code: 'PARTIAL_SUCCESS', message: 'm' } }),
      policy,
    );
    expect(next.collect).toBe(true);
    const end = afterCollecting(next.state, policy);
    expect(end).toMatchObject({
      state: { status: 'UPDATED', error: { code: 'PARTIAL_SUCCESS' }, step: 'refresh' },
      events: [{ type: 'ITEM_UPDATED' }],
      dueInMs: policy.syncEveryMs,
    });
  });

  test('input is awaited as long as the provider says, up to five minutes from the first request', () => {
    const until = (item: RunningItem, expiresAt: Date) =>
      transition(item, seen({ ...asksInput, parameter: { ...token, expiresAt: expiresAt.toISOString() } }), policy)
        .state.waitsUntil;
    expect(until(running, later(60_000))).toEqual(later(60_000));
    expect(until(running, later(86_400_000))).toEqual(later(policy.maxInputMs));
    expect(until(waitingInput, later(86_400_000))).toEqual(waitingInput.waitsUntil);
  });

  test('the item takes the id that the provider gives it', () => {
    expect(transition(running, seen({ id: 'p-2' }), policy).state.providerItemId).toBe('p-2');
  });

  test('no event holds the request to the user', () => {
    expect(JSON.stringify(transition(running, asksInput, policy).events)).not.toContain('token');
  });
});

describe('a call that fails', () => {
  const failed = (
    code: ErrorCode,
    item: RunningItem = running,
    step: ItemStep | 'collect' = item.step,
    retryAfterSeconds?: number,
  ) => {
    const failure = providerFailure(
      new AppError(code, 'm', retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
      step,
    );
    if (!failure) throw new Error(`${code} is not a failure of a provider`);
    return afterFailure(item, failure, policy);
  };
  const transient = [
    'provider_timeout',
    'provider_unavailable',
    'provider_rate_limited',
    'provider_bad_response',
  ] as const;

  test.each(transient)('%s: retried with growing delays, without an event', (code) => {
    for (const [index, delayMs] of policy.retryDelaysMs.entries()) {
      expect(failed(code, { ...running, attempts: index + 1 })).toMatchObject({
        state: { status: 'UPDATING', step: 'look' },
        events: [],
        dueInMs: delayMs,
        madeProgress: false,
      });
    }
  });

  test.each(transient)('%s: after the last attempt the item is OUTDATED until the next sync', (code) => {
    const next = failed(code, { ...running, attempts: policy.retryDelaysMs.length + 1 });
    expect(next).toMatchObject({
      state: { status: 'OUTDATED' },
      events: [{ type: 'ITEM_ERROR' }],
      dueInMs: policy.syncEveryMs,
      madeProgress: true,
    });
  });

  test('is not retried before the Retry-After of the provider', () => {
    expect(failed('provider_rate_limited', running, 'look', 120).dueInMs).toBe(120_000);
  });

  test('while the item waits for its user is not a failure of the run', () => {
    expect(failed('provider_timeout', { ...waitingInput, attempts: 9 })).toMatchObject({
      state: { status: 'WAITING_USER_INPUT' },
      events: [],
      madeProgress: true,
    });
    expect(failed('provider_timeout', { ...waitingInput, at: later(60_001) })).toMatchObject({
      state: { status: 'OUTDATED', error: { code: 'USER_INPUT_TIMEOUT' } },
    });
  });

  test.each<[ErrorCode, ItemStep, string, string]>([
    ['provider_auth_failed', 'look', 'OUTDATED', 'ERROR'],
    ['provider_rejected', 'create', 'LOGIN_ERROR', 'INVALID_CREDENTIALS'],
    ['provider_rejected', 'log-in', 'LOGIN_ERROR', 'INVALID_CREDENTIALS'],
    ['provider_rejected', 'refresh', 'OUTDATED', 'ERROR'],
    ['provider_resource_not_found', 'refresh', 'LOGIN_ERROR', 'ERROR'],
  ])('%s at %s: %s at once', (code, step, status, error) => {
    expect(failed(code, running, step)).toMatchObject({
      state: { status, error: { code: error } },
      events: [{ type: 'ITEM_ERROR' }],
    });
  });

  test('an item that the provider no longer knows is created again by the next login', () => {
    expect(failed('provider_resource_not_found').state).toMatchObject({ providerItemId: null, step: 'create' });
  });
});
