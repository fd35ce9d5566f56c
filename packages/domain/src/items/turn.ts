import { AppError, type Cipher, type Logger } from '@tieout/infra';
import type { CallOptions, OpenFinanceProvider, Parameters, ProviderItem } from '../open-finance';
import type { TenantScope } from '../scope';
import { collect } from './collect';
import { providerFailure } from './failure';
import { feedDatasets } from './feed';
import { claimItem, endTurn, keepLease, LeaseLostError, writeState, type HeldItem } from './lease';
import { decryptParameters } from './parameters';
import type { ItemPolicy } from './policy';
import { forgetAtProvider, removeItem } from './remove';
import { afterCollecting, afterFailure, transition, type ItemStep, type TurnFailure } from './transition';

export interface TurnMeans {
  provider: OpenFinanceProvider;
  cipher: Cipher;
  policy: ItemPolicy;
  logger: Logger;
}

/** A turn that fails in itself, again and again, is given up: a worker that dies of it included. */
const mostAttempts = 10;

/**
 * Takes the next step of an item, if one is due: asks the provider, and stores what that leads to with its events. Safe to repeat,
 * to be killed at any point and to run twice at a time: who does not hold the item any more writes nothing.
 */
export async function takeTurn(scope: TenantScope, itemId: string, means: TurnMeans): Promise<void> {
  const item = await claimItem(scope, itemId);
  if (!item) return;
  const lease = keepLease(scope, item, means.logger);
  try {
    if (item.step === 'remove') await removeItem(scope, item, means, lease.signal);
    else await advance(scope, item, means, lease.signal);
  } catch (error) {
    if (!(error instanceof LeaseLostError) && !lease.signal.aborted) throw error;
  } finally {
    lease.end();
  }
}

async function advance(scope: TenantScope, item: HeldItem, means: TurnMeans, signal: AbortSignal): Promise<void> {
  const broken = unusable(item, means.provider);
  if (broken) return fail(scope, item, broken, means.policy);
  try {
    const seen = await ask(means, scope.tenantId, item, { signal });
    await follow(scope, item, seen, means, signal);
  } catch (error) {
    const failure = providerFailure(error, item.step);
    if (!failure || signal.aborted) throw error;
    means.logger.warn({ itemId: item.id, step: item.step, attempt: item.attempts, code: failure.code, reason: failure.message }, 'sync of an item failed');
    await fail(scope, item, failure, means.policy);
  }
}

function unusable(item: HeldItem, { origin }: OpenFinanceProvider): TurnFailure | undefined {
  const given = { code: 'ERROR', passing: false } as const;
  if (item.origin !== origin) {
    return { ...given, status: 'LOGIN_ERROR', message: 'The item was made with another provider: delete it and create it again' };
  }
  if (item.attempts > mostAttempts) return { ...given, status: 'OUTDATED', message: 'The sync failed on our side' };
  return undefined;
}

async function fail(scope: TenantScope, item: HeldItem, failure: TurnFailure, policy: ItemPolicy): Promise<void> {
  const next = afterFailure(item, failure, policy);
  // What the provider has not taken is tried again, unless it is the user's turn.
  await endTurn(scope, item, { ...next, keepParameters: failure.status !== 'LOGIN_ERROR' && next.state.step === item.step });
}

async function follow(scope: TenantScope, item: HeldItem, seen: ProviderItem, means: TurnMeans, signal: AbortSignal): Promise<void> {
  const next = transition(item, seen, means.policy);
  try {
    if (!next.collect) return await endTurn(scope, item, { ...next, achieved: true, keepParameters: false });
    await writeState(scope, item, { ...next, keepParameters: false });
  } catch (error) {
    if (error instanceof LeaseLostError && item.step === 'create') await forgetAtProvider(scope, item.id, seen.id, means.provider);
    throw error;
  }
  const accounts = await collect(scope, { ...item, ...next.state }, seen.id, means.provider, signal);
  await feedDatasets(scope, item.id);
  await endTurn(scope, item, { ...afterCollecting(next.state, means.policy), achieved: true, keepParameters: false, accounts });
}

function ask({ provider, cipher }: TurnMeans, tenantId: string, item: HeldItem, options: CallOptions): Promise<ProviderItem> {
  const { id, connectorId, clientUserId, providerItemId } = item;
  const parameters = (): Parameters => (item.parameters === null ? {} : decryptParameters(cipher, tenantId, id, item.parameters));
  const atProvider = (): string => {
    if (providerItemId === null) throw new Error(`item ${id} has no place at the provider for the step ${item.step}`);
    return providerItemId;
  };
  const steps: Record<Exclude<ItemStep, 'remove'>, () => Promise<ProviderItem>> = {
    create: () =>
      provider.createItem({ connectorId, parameters: parameters(), idempotencyKey: runKey(item), ...(clientUserId === null ? {} : { clientUserId }) }, options),
    'log-in': () => provider.refresh(atProvider(), parameters(), options),
    refresh: () => provider.refresh(atProvider(), undefined, options),
    submit: () => provider.submitInput(atProvider(), parameters(), options).catch((error: unknown) => {
      // It may have taken the answer before, from a worker that died of it.
      if (!(error instanceof AppError) || error.code !== 'provider_rejected') throw error;
      return provider.getItem(atProvider(), options);
    }),
    look: () => provider.getItem(atProvider(), options),
  };
  return steps[item.step as Exclude<ItemStep, 'remove'>]();
}

/** The same for all tries of one run: the provider makes one item of them. */
const runKey = ({ id, startedAt }: HeldItem): string => `${id}-${startedAt.getTime()}`;
