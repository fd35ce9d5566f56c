import type { ExecutionStatus, ProviderItem, RequestedParameter, UserAction } from '../open-finance';
import type { ItemError, ItemStatus } from './item';
import type { ItemEvent } from './item-events';
import type { ItemPolicy } from './policy';

/**
 * A step of a run. `look` polls the run; `find` asks for the id of an item that an earlier attempt may have created at
 * the provider, in order to log in with other parameters.
 */
export type ItemStep = 'create' | 'find' | 'log-in' | 'refresh' | 'submit' | 'look' | 'remove';

/** The part of an item that the provider's answers decide. */
export interface ItemState {
  status: ItemStatus;
  executionStatus: ExecutionStatus;
  error: ItemError | null;
  parameter: RequestedParameter | null;
  userAction: UserAction | null;
  waitsUntil: Date | null;
  consentExpiresAt: Date | null;
  providerItemId: string | null;
  /** The login of this run has been reported. */
  loggedIn: boolean;
  step: ItemStep;
}

/** An item in the middle of a run. */
export interface RunningItem extends ItemState {
  startedAt: Date;
  /** Steps since the last progress, this one included. */
  attempts: number;
  /** The current time by the clock of the database. */
  at: Date;
}

export interface Transition {
  state: ItemState;
  events: ItemEvent[];
  /** Time until the next step; null: it waits for the tenant. */
  dueInMs: number | null;
}

/** In these the login has been accepted. */
const acceptedStatuses: readonly ExecutionStatus[] = ['COLLECTING', 'SUCCESS', 'PARTIAL_SUCCESS'];

const noUserRequest = { parameter: null, userAction: null, waitsUntil: null };

/**
 * Returns the transition that the provider's answer leads to. `collect`: the data are available, and the state is the
 * one while they are read; `afterCollecting` follows.
 */
export function transition(
  item: RunningItem,
  seen: ProviderItem,
  policy: ItemPolicy,
): Transition & { collect: boolean } {
  if (item.step === 'find')
    return { state: { ...item, providerItemId: seen.id, step: 'log-in' }, events: [], dueInMs: 0, collect: false };
  const accepted = acceptedStatuses.includes(seen.executionStatus) || seen.status === 'UPDATED';
  const loginEvents: ItemEvent[] =
    accepted && !item.loggedIn ? [{ type: 'ITEM_LOGIN_SUCCEEDED', data: { status: 'UPDATING' } }] : [];
  const state: ItemState = {
    ...noUserRequest,
    status: 'UPDATING',
    executionStatus: seen.executionStatus,
    error: null,
    consentExpiresAt: seen.consentExpiresAt === null ? null : new Date(seen.consentExpiresAt),
    providerItemId: seen.id,
    loggedIn: item.loggedIn || accepted,
    step: 'look',
  };
  const pollMs = pollAfter(item, policy);
  switch (seen.status) {
    case 'UPDATED':
      return { state: { ...state, error: seen.error }, events: loginEvents, dueInMs: 0, collect: true };
    case 'UPDATING':
      if (item.at.getTime() - item.startedAt.getTime() > policy.maxRunMs) {
        const late = endRun(state, 'OUTDATED', { code: 'ERROR', message: 'The provider did not finish' }, policy);
        return { ...late, events: [...loginEvents, ...late.events], collect: false };
      }
      return { state, events: loginEvents, dueInMs: pollMs, collect: false };
    case 'WAITING_USER_INPUT':
    case 'WAITING_USER_ACTION':
      return { ...waitForUser(item, { ...state, status: seen.status }, seen, policy), collect: false };
    case 'LOGIN_ERROR':
    case 'OUTDATED':
      return { ...endRun(state, seen.status, seen.error ?? unexplained(seen), policy), collect: false };
  }
}

const unexplained = ({ executionStatus }: ProviderItem): ItemError => ({
  code: executionStatus,
  message: 'The provider gave no reason',
});

/** The delay grows with the age of the run, since a user may take a day. */
function pollAfter({ at, startedAt }: RunningItem, { pollMs, maxPollMs }: ItemPolicy): number {
  return Math.max(pollMs, Math.min(maxPollMs, Math.round((at.getTime() - startedAt.getTime()) / 10)));
}

/** An event reports a request to the user once, when it is first seen. */
function waitForUser(
  item: RunningItem,
  state: ItemState & { status: 'WAITING_USER_INPUT' | 'WAITING_USER_ACTION' },
  seen: ProviderItem,
  policy: ItemPolicy,
): Transition {
  const isInput = state.status === 'WAITING_USER_INPUT';
  const asked = isInput ? seen.parameter : seen.userAction;
  const wasWaiting = item.status === state.status;
  const maxUntil = new Date(item.at.getTime() + (isInput ? policy.maxInputMs : policy.maxActionMs));
  const until = asked && new Date(asked.expiresAt) < maxUntil ? new Date(asked.expiresAt) : maxUntil;
  const waitsUntil = (wasWaiting ? item.waitsUntil : null) ?? until;
  if (waitsUntil <= item.at) return endUnanswered(state, policy);
  const dueInMs = Math.min(pollAfter(item, policy), waitsUntil.getTime() - item.at.getTime());
  const type = isInput ? 'ITEM_WAITING_USER_INPUT' : 'ITEM_WAITING_USER_ACTION';
  return {
    state: {
      ...state,
      waitsUntil,
      parameter: isInput ? seen.parameter : null,
      userAction: isInput ? null : seen.userAction,
    },
    events: wasWaiting ? [] : [{ type, data: { status: state.status } }],
    dueInMs,
  };
}

function endUnanswered(state: ItemState, policy: ItemPolicy): Transition {
  return endRun(
    state,
    'OUTDATED',
    { code: 'USER_INPUT_TIMEOUT', message: 'The user did not answer in time; update the item to begin again' },
    policy,
  );
}

/** Ends a run without data. After a failed login nothing happens until the user acts. */
function endRun(
  state: ItemState,
  status: 'LOGIN_ERROR' | 'OUTDATED',
  error: ItemError,
  policy: ItemPolicy,
): Transition {
  return {
    state: { ...state, ...noUserRequest, status, executionStatus: error.code, error, step: nextStep(state) },
    events: [{ type: 'ITEM_ERROR', data: { status, error } }],
    dueInMs: status === 'LOGIN_ERROR' ? null : policy.syncEveryMs,
  };
}

function nextStep({ providerItemId, step }: ItemState): ItemStep {
  if (providerItemId !== null) return 'refresh';
  return step === 'find' ? 'find' : 'create';
}

/** Returns the transition after the data of a run are stored. */
export function afterCollecting(state: ItemState, policy: ItemPolicy): Transition {
  return {
    state: { ...state, status: 'UPDATED', step: 'refresh' },
    events: [{ type: 'ITEM_UPDATED', data: { status: 'UPDATED' } }],
    dueInMs: policy.syncEveryMs,
  };
}

/** A failed call to the provider, as the item reports it. */
export interface StepFailure extends ItemError {
  /** Another attempt may succeed. */
  isTransient: boolean;
  /** The next attempt waits at least this long. */
  retryAfterMs?: number;
  /** LOGIN_ERROR: the user has to act. */
  status: 'LOGIN_ERROR' | 'OUTDATED';
  /** The provider no longer knows the item: it has to be created again. */
  isGone?: boolean;
}

/**
 * Returns the transition after a failed call. An item that waits for its user keeps waiting as long as before; for it,
 * the failure does not count.
 */
export function afterFailure(
  item: RunningItem,
  failure: StepFailure,
  policy: ItemPolicy,
): Transition & { madeProgress: boolean } {
  const { code, message, isTransient: passing, retryAfterMs = 0, status, isGone: gone } = failure;
  if (passing && item.waitsUntil !== null) {
    if (item.waitsUntil <= item.at) return { ...endUnanswered(item, policy), madeProgress: true };
    return { state: item, events: [], dueInMs: Math.max(pollAfter(item, policy), retryAfterMs), madeProgress: true };
  }
  const delayMs = policy.retryDelaysMs[item.attempts - 1];
  if (passing && delayMs !== undefined)
    return { state: item, events: [], dueInMs: Math.max(delayMs, retryAfterMs), madeProgress: false };
  const state = gone ? { ...item, providerItemId: null } : item;
  return { ...endRun(state, status, { code, message }, policy), madeProgress: true };
}
