import type { ExecutionStatus, ProviderItem, RequestedParameter, UserAction } from '../open-finance';
import type { ItemError, ItemStatus } from './item';
import type { ItemEvent } from './item-events';
import type { ItemPolicy } from './policy';

/**
 * What is done with the provider: `look` asks how a run stands; `find` learns what an item is called that an earlier try may have made
 * there, to log in with other parameters then.
 */
export type ItemStep = 'create' | 'find' | 'log-in' | 'refresh' | 'submit' | 'look' | 'remove';

/** The part of an item that what the provider answers decides. */
export interface ItemState {
  status: ItemStatus;
  executionStatus: ExecutionStatus;
  error: ItemError | null;
  parameter: RequestedParameter | null;
  userAction: UserAction | null;
  waitsUntil: Date | null;
  consentExpiresAt: Date | null;
  providerItemId: string | null;
  /** The login of this run has been told of. */
  loggedIn: boolean;
  step: ItemStep;
}

/** An item in the middle of a run. */
export interface RunningItem extends ItemState {
  startedAt: Date;
  /** Turns since something was achieved, this one included. */
  attempts: number;
  /** The time, by the clock of the database. */
  at: Date;
}

export interface Transition {
  state: ItemState;
  /** In their order. */
  events: ItemEvent[];
  /** Until the next step; null: somebody has to ask for it. */
  dueInMs: number | null;
}

/** From this on the login has been accepted. */
const acceptedStatuses: readonly ExecutionStatus[] = ['COLLECTING', 'SUCCESS', 'PARTIAL_SUCCESS'];

const nothingAsked = { parameter: null, userAction: null, waitsUntil: null };

/**
 * Where what the provider says of an item leads. `collect`: its data are there, and the state is the one to be in while they are
 * read; `afterCollecting` follows.
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
    ...nothingAsked,
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
      if (item.at.getTime() - item.startedAt.getTime() > policy.longestRunMs) {
        const late = ended(
          state,
          'OUTDATED',
          { code: 'ERROR', message: 'The provider did not come to an end' },
          policy,
        );
        return { ...late, events: [...loginEvents, ...late.events], collect: false };
      }
      return { state, events: loginEvents, dueInMs: pollMs, collect: false };
    case 'WAITING_USER_INPUT':
    case 'WAITING_USER_ACTION':
      return { ...waiting(item, { ...state, status: seen.status }, seen, policy), collect: false };
    case 'LOGIN_ERROR':
    case 'OUTDATED':
      return { ...ended(state, seen.status, seen.error ?? unexplained(seen), policy), collect: false };
  }
}

const unexplained = ({ executionStatus }: ProviderItem): ItemError => ({
  code: executionStatus,
  message: 'The provider gave no reason',
});

/** A user may take a day: who waits for long is asked about rarely. */
function pollAfter({ at, startedAt }: RunningItem, { pollMs, longestPollMs }: ItemPolicy): number {
  return Math.max(pollMs, Math.min(longestPollMs, Math.round((at.getTime() - startedAt.getTime()) / 10)));
}

/** Events tell of what is asked for once: when it is asked for, and not when it is seen again. */
function waiting(
  item: RunningItem,
  state: ItemState & { status: 'WAITING_USER_INPUT' | 'WAITING_USER_ACTION' },
  seen: ProviderItem,
  policy: ItemPolicy,
): Transition {
  const input = state.status === 'WAITING_USER_INPUT';
  const asked = input ? seen.parameter : seen.userAction;
  const again = item.status === state.status;
  const longest = new Date(item.at.getTime() + (input ? policy.longestInputMs : policy.longestActionMs));
  const until = asked && new Date(asked.expiresAt) < longest ? new Date(asked.expiresAt) : longest;
  const waitsUntil = (again ? item.waitsUntil : null) ?? until;
  if (waitsUntil <= item.at) return missed(state, policy);
  const dueInMs = Math.min(pollAfter(item, policy), waitsUntil.getTime() - item.at.getTime());
  const type = input ? 'ITEM_WAITING_USER_INPUT' : 'ITEM_WAITING_USER_ACTION';
  return {
    state: {
      ...state,
      waitsUntil,
      parameter: input ? seen.parameter : null,
      userAction: input ? null : seen.userAction,
    },
    events: again ? [] : [{ type, data: { status: state.status } }],
    dueInMs,
  };
}

function missed(state: ItemState, policy: ItemPolicy): Transition {
  return ended(
    state,
    'OUTDATED',
    { code: 'USER_INPUT_TIMEOUT', message: 'The user did not answer in time; update the item to begin again' },
    policy,
  );
}

/** A run that did not bring what it was for. After a failed login nothing happens until the user does something. */
function ended(state: ItemState, status: 'LOGIN_ERROR' | 'OUTDATED', error: ItemError, policy: ItemPolicy): Transition {
  return {
    state: { ...state, ...nothingAsked, status, executionStatus: error.code, error, step: nextStep(state) },
    events: [{ type: 'ITEM_ERROR', data: { status, error } }],
    dueInMs: status === 'LOGIN_ERROR' ? null : policy.syncEveryMs,
  };
}

function nextStep({ providerItemId, step }: ItemState): ItemStep {
  if (providerItemId !== null) return 'refresh';
  return step === 'find' ? 'find' : 'create';
}

/** The data of a run are stored. */
export function afterCollecting(state: ItemState, policy: ItemPolicy): Transition {
  return {
    state: { ...state, status: 'UPDATED', step: 'refresh' },
    events: [{ type: 'ITEM_UPDATED', data: { status: 'UPDATED' } }],
    dueInMs: policy.syncEveryMs,
  };
}

/** What went wrong with the provider, in the item's words. */
export interface TurnFailure extends ItemError {
  /** Trying again may help. */
  passing: boolean;
  /** Not before this. */
  retryAfterMs?: number;
  /** It is the user who has to do something. */
  status: 'LOGIN_ERROR' | 'OUTDATED';
  /** The provider knows nothing of the item any more: it is to be made anew. */
  gone?: boolean;
}

/** Where a call that failed leads. An item that waits for its user goes on waiting, for as long as it would have; that counts as no failure. */
export function afterFailure(
  item: RunningItem,
  failure: TurnFailure,
  policy: ItemPolicy,
): Transition & { achieved: boolean } {
  const { code, message, passing, retryAfterMs = 0, status, gone } = failure;
  if (passing && item.waitsUntil !== null) {
    if (item.waitsUntil <= item.at) return { ...missed(item, policy), achieved: true };
    return { state: item, events: [], dueInMs: Math.max(pollAfter(item, policy), retryAfterMs), achieved: true };
  }
  const delayMs = policy.retryDelaysMs[item.attempts - 1];
  if (passing && delayMs !== undefined)
    return { state: item, events: [], dueInMs: Math.max(delayMs, retryAfterMs), achieved: false };
  const state = gone ? { ...item, providerItemId: null } : item;
  return { ...ended(state, status, { code, message }, policy), achieved: true };
}
