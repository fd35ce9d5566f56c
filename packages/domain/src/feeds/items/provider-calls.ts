import { AppError, type Cipher } from '@tieout/infra';
import type { CallOptions, OpenFinanceProvider, Parameters, ProviderItem } from '../open-finance';
import type { TenantScope } from '../../kernel/scope';
import type { HeldItem } from './lease';
import { heldParameters } from './parameters';
import type { ItemStep } from './transition';

interface ProviderMeans {
  provider: OpenFinanceProvider;
  cipher: Cipher;
}

/** Makes the call to the provider that a step of an item consists of. */
export function callProvider(
  scope: TenantScope,
  item: HeldItem,
  means: ProviderMeans,
  options: CallOptions,
): Promise<ProviderItem> {
  const { provider, cipher } = means;
  const { id, providerItemId } = item;
  const parameters = (): Parameters => heldParameters(cipher, scope.tenantId, item);
  const knownId = (): string => {
    if (providerItemId === null) throw new Error(`item ${id} has no id at the provider for the step ${item.step}`);
    return providerItemId;
  };
  const calls: Record<Exclude<ItemStep, 'remove'>, () => Promise<ProviderItem>> = {
    create: () => createAtProvider(scope, item, means, options),
    find: () => createAtProvider(scope, item, means, options),
    'log-in': () => provider.refresh(knownId(), parameters(), options),
    refresh: () => provider.refresh(knownId(), undefined, options),
    submit: () =>
      provider.submitInput(knownId(), parameters(), options).catch((error: unknown) => {
        // The provider may have taken the answer before, from a worker that crashed.
        if (!(error instanceof AppError) || error.code !== 'provider_rejected') throw error;
        return provider.getItem(knownId(), options);
      }),
    look: () => provider.getItem(knownId(), options),
  };
  return calls[item.step as Exclude<ItemStep, 'remove'>]();
}

/** Has the provider create an item, or return the one that it has created under the same key before. */
export function createAtProvider(
  scope: TenantScope,
  item: HeldItem,
  { provider, cipher }: ProviderMeans,
  options: CallOptions,
): Promise<ProviderItem> {
  const { id, connectorId, clientUserId, creationKey } = item;
  if (creationKey === null) throw new Error(`item ${id} has no key to be created under`);
  const parameters = heldParameters(cipher, scope.tenantId, item);
  return provider.createItem(
    { connectorId, parameters, idempotencyKey: creationKey, ...(clientUserId === null ? {} : { clientUserId }) },
    options,
  );
}
