import { type Cipher, type Logger } from '@tieout/infra';
import type { OpenFinanceProvider, ProviderItem } from '../open-finance';
import { domainMetrics } from '../../kernel/metrics';
import type { TenantScope } from '../../kernel/scope';
import { collect } from './collect';
import { providerFailure } from './failure';
import { feedDatasets } from './feed';
import { claimItem, endStep, handBack, keepLease, LeaseLostError, writeState, type HeldItem } from './lease';
import type { ItemPolicy } from './policy';
import { callProvider } from './provider-calls';
import { forgetAtProvider, removeItem } from './remove';
import { afterCollecting, afterFailure, transition, type ItemStep, type StepFailure } from './transition';

export interface ItemStepMeans {
  provider: OpenFinanceProvider;
  cipher: Cipher;
  policy: ItemPolicy;
  logger: Logger;
  /** Aborts when the process shuts down: the running step is handed back. */
  stopping?: AbortSignal;
}

/** A step that keeps failing on our side is given up after this many attempts, crashes of the worker included. */
const maxAttempts = 10;

/**
 * Runs the next step of an item, if one is due: calls the provider, and stores the new state with its events. Safe to
 * repeat, to be killed at any point and to run twice at a time: a process that has lost the lease of the item writes
 * nothing.
 */
export async function runItemStep(scope: TenantScope, itemId: string, means: ItemStepMeans): Promise<void> {
  const item = await claimItem(scope, itemId, means.cipher.keyIds);
  if (!item) return;
  const startedMs = performance.now();
  const observe = (outcome: 'done' | 'failed' | 'given back'): void =>
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
    observe('done');
  } catch (error) {
    observe(signal.aborted || error instanceof LeaseLostError ? 'given back' : 'failed');
    if (!(error instanceof LeaseLostError) && !signal.aborted) throw error;
    if (means.stopping?.aborted) await handBack(scope, item);
  } finally {
    lease.end();
  }
}

async function advance(scope: TenantScope, item: HeldItem, means: ItemStepMeans, signal: AbortSignal): Promise<void> {
  const { provider, policy, logger } = means;
  const blocked = blockingFailure(item, provider);
  if (blocked) return fail(scope, item, blocked, policy);
  // The state as it is stored: a failure starts from it.
  let held = item;
  let step: ItemStep | 'collect' = item.step;
  try {
    const seen = await callProvider(scope, item, means, { signal });
    const next = transition(item, seen, policy);
    await storeAnswer(scope, item, next, { seen, provider });
    if (next.state.error) reportFailure(means, item, step, next.state.status);
    if (!next.collect) return;
    held = { ...item, ...next.state, parameters: null };
    step = 'collect';
    const accounts = await collect(scope, held, { provider, providerItemId: seen.id, signal });
    await feedDatasets(scope, item.id, signal);
    signal.throwIfAborted();
    await endStep(scope, held, {
      ...afterCollecting(next.state, policy),
      madeProgress: true,
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
    reportFailure(means, item, step, failure.status);
    await fail(scope, held, failure, policy);
  }
}

/** Logs the status only: what a provider says of an item may hold anything. */
function reportFailure({ logger }: ItemStepMeans, { id }: HeldItem, step: string, status: string): void {
  domainMetrics.add('tieout_item_failures_total', { step, status });
  logger.info({ itemId: id, step, status }, 'sync of an item failed');
}

/** Stores the provider's answer; it ends the step, unless data are to be collected. */
async function storeAnswer(
  scope: TenantScope,
  item: HeldItem,
  next: ReturnType<typeof transition>,
  { seen, provider }: { seen: ProviderItem; provider: OpenFinanceProvider },
): Promise<void> {
  try {
    if (next.collect) await writeState(scope, item, { ...next, keepParameters: false });
    else await endStep(scope, item, { ...next, madeProgress: true, keepParameters: next.state.step === 'log-in' });
  } catch (error) {
    if (error instanceof LeaseLostError && item.providerItemId === null)
      await forgetAtProvider(scope, item.id, seen.id, provider);
    throw error;
  }
}

/** Returns why the provider is not called at all, if so. */
function blockingFailure(item: HeldItem, { origin }: OpenFinanceProvider): StepFailure | undefined {
  const common = { code: 'ERROR', isTransient: false } as const;
  if (item.origin !== origin) {
    return {
      ...common,
      status: 'LOGIN_ERROR',
      message: 'The item was made with another provider: delete it and create it again',
    };
  }
  if (item.attempts > maxAttempts) return { ...common, status: 'OUTDATED', message: 'The sync failed on our side' };
  return undefined;
}

async function fail(scope: TenantScope, item: HeldItem, failure: StepFailure, policy: ItemPolicy): Promise<void> {
  const next = afterFailure(item, failure, policy);
  // Parameters that have not reached the provider are kept for the next try, unless the user has to act.
  await endStep(scope, item, {
    ...next,
    keepParameters: failure.status !== 'LOGIN_ERROR' && next.state.step === item.step,
  });
}
