import type { Cipher } from '@tieout/infra';
import type { CallOptions, OpenFinanceProvider, ProviderItem } from '../open-finance';
import type { TenantScope } from '../../kernel/scope';
import type { HeldItem } from './lease';
import { heldParameters } from './parameters';

/** Has the provider make an item, or say which one it has made under the same key before. */
export function makeAtProvider(
  scope: TenantScope,
  item: HeldItem,
  { provider, cipher }: { provider: OpenFinanceProvider; cipher: Cipher },
  options: CallOptions,
): Promise<ProviderItem> {
  const { id, connectorId, clientUserId, creationKey } = item;
  if (creationKey === null) throw new Error(`item ${id} has no key to be made under`);
  const parameters = heldParameters(cipher, scope.tenantId, item);
  return provider.createItem(
    { connectorId, parameters, idempotencyKey: creationKey, ...(clientUserId === null ? {} : { clientUserId }) },
    options,
  );
}
