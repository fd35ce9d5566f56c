import type { JobPayload } from '@tieout/infra';
import type { Jobs } from '../kernel/jobs';
import type { Deliverer } from './deliverer';

/** The jobs of the webhook-delivery queue. */
export function createDeliveryHandlers(deliverer: Pick<Deliverer, 'takeTurn'>) {
  return {
    'webhook.deliver': ({ tenantId }: JobPayload<Jobs, 'webhook.deliver'>): Promise<void> =>
      deliverer.takeTurn(tenantId),
  };
}
