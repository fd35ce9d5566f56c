import { AppError, type Cipher, type Logger } from '@tieout/infra';
import type { CallOptions, OpenFinanceProvider, Parameters, ProviderItem } from '../open-finance';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import { collect } from './collect';
import { providerFailure } from './failure';
import { feedDatasets } from './feed';
import { claimItem, endTurn, handBack, keepLease, LeaseLostError, writeState, type HeldItem } from './lease';
import { makeAtProvider } from './make';
import { heldParameters } from './parameters';
import type { ItemPolicy } from './policy';
import { forgetAtProvider, removeItem } from './remove';
import { afterCollecting, afterFailure, transition, type ItemStep, type TurnFailure } from './transition';

export interface TurnMeans {
  provider: OpenFinanceProvider;
  cipher: Cipher;
  policy: ItemPolicy;
  logger: Logger;
  /** Aborts when the process ends: what is under way is handed back. */
  stopping?: AbortSignal;
}

/** A turn that fails in itself, again and again, is given up: a worker that dies of it included. */
const mostAttempts = 10;

/**
 * Takes the next step of an item, if one is due: asks the provider, and stores what that leads to with its events. Safe to repeat,
 * to be killed at any point and to run twice at a time: who does not hold the item any more writes nothing.
 */
export async function takeTurn(scope: TenantScope, itemId: string, means: TurnMeans): Promise<void> {
  const item = await claimItem(scope, itemId, means.cipher.keyIds);
  if (!item) return;
  const startedMs = performance.now();
  const ended = (outcome: 'done' | 'failed' | 'given back'): void =>
    domainMetrics.observe(
      'tieout_item_turn_duration_seconds',
      { step: item.step, outcome },
      (performance.now() - startedMs) / 1000,
    );
  const lease = keepLease(scope, item, means.logger);
  const signal = means.stopping ? AbortSignal.any([lease.signal, means.stopping]) : lease.signal;
  try {
    if (item.step === 'remove') await removeItem(scope, item, means, signal);
    else await advance(scope, item, means, signal);
    ended('done');
  } catch (error) {
    ended(signal.aborted || error instanceof LeaseLostError ? 'given back' : 'failed');
    if (!(error instanceof LeaseLostError) && !signal.aborted) throw error;
    if (means.stopping?.aborted) await handBack(scope, item);
  } finally {
    lease.end();
  }
}

async function advance(scope: TenantScope, item: HeldItem, means: TurnMeans, signal: AbortSignal): Promise<void> {
  const { provider, policy, logger } = means;
  const broken = unusable(item, provider);
  if (broken) return fail(scope, item, broken, policy);
  // As it is stored: a failure goes on from there.
  let held = item;
  let step: ItemStep | 'collect' = item.step;
  try {
    const seen = await ask(means, scope, item, { signal });
    const next = transition(item, seen, policy);
    await store(scope, item, next, seen, provider);
    if (next.state.error) tellFailure(means, item, step, next.state.status);
    if (!next.collect) return;
    held = { ...item, ...next.state, parameters: null };
    step = 'collect';
    const accounts = await collect(scope, held, seen.id, provider, signal);
    await feedDatasets(scope, item.id, signal);
    signal.throwIfAborted();
    await endTurn(scope, held, {
      ...afterCollecting(next.state, policy),
      achieved: true,
      keepParameters: false,
      accounts,
    });
  } catch (error) {
    const failure = providerFailure(error, step);
    if (!failure || signal.aborted) throw error;
    logger.warn(
      { itemId: item.id, step, attempt: item.attempts, code: failure.code, reason: failure.message },
      'a step of an item failed',
    );
    tellFailure(means, item, step, failure.status);
    await fail(scope, held, failure, policy);
  }
}

/** What a provider says of an item may hold anything: the status tells enough. */
function tellFailure({ logger }: TurnMeans, { id }: HeldItem, step: string, status: string): void {
  domainMetrics.add('tieout_item_failures_total', { step, status });
  logger.info({ itemId: id, step, status }, 'sync of an item failed');
}

/** Stores what the provider has answered; the turn ends with it, or goes on to collect. */
async function store(
  scope: TenantScope,
  item: HeldItem,
  next: ReturnType<typeof transition>,
  seen: ProviderItem,
  provider: OpenFinanceProvider,
): Promise<void> {
  try {
    if (next.collect) await writeState(scope, item, { ...next, keepParameters: false });
    else await endTurn(scope, item, { ...next, achieved: true, keepParameters: next.state.step === 'log-in' });
  } catch (error) {
    if (error instanceof LeaseLostError && item.providerItemId === null)
      await forgetAtProvider(scope, item.id, seen.id, provider);
    throw error;
  }
}

function unusable(item: HeldItem, { origin }: OpenFinanceProvider): TurnFailure | undefined {
  const given = { code: 'ERROR', passing: false } as const;
  if (item.origin !== origin) {
    return {
      ...given,
      status: 'LOGIN_ERROR',
      message: 'The item was made with another provider: delete it and create it again',
    };
  }
  if (item.attempts > mostAttempts) return { ...given, status: 'OUTDATED', message: 'The sync failed on our side' };
  return undefined;
}

async function fail(scope: TenantScope, item: HeldItem, failure: TurnFailure, policy: ItemPolicy): Promise<void> {
  const next = afterFailure(item, failure, policy);
  // What the provider has not taken is tried again, unless it is the user's turn.
  await endTurn(scope, item, {
    ...next,
    keepParameters: failure.status !== 'LOGIN_ERROR' && next.state.step === item.step,
  });
}

function ask(means: TurnMeans, scope: TenantScope, item: HeldItem, options: CallOptions): Promise<ProviderItem> {
  const { provider, cipher } = means;
  const { id, providerItemId } = item;
  const parameters = (): Parameters => heldParameters(cipher, scope.tenantId, item);
  const atProvider = (): string => {
    if (providerItemId === null) throw new Error(`item ${id} has no place at the provider for the step ${item.step}`);
    return providerItemId;
  };
  const steps: Record<Exclude<ItemStep, 'remove'>, () => Promise<ProviderItem>> = {
    create: () => makeAtProvider(scope, item, means, options),
    find: () => makeAtProvider(scope, item, means, options),
    'log-in': () => provider.refresh(atProvider(), parameters(), options),
    refresh: () => provider.refresh(atProvider(), undefined, options),
    submit: () =>
      provider.submitInput(atProvider(), parameters(), options).catch((error: unknown) => {
        // It may have taken the answer before, from a worker that died of it.
        if (!(error instanceof AppError) || error.code !== 'provider_rejected') throw error;
        return provider.getItem(atProvider(), options);
      }),
    look: () => provider.getItem(atProvider(), options),
  };
  return steps[item.step as Exclude<ItemStep, 'remove'>]();
}
