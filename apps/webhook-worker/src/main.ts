import {
  createDeliverer,
  createDeliveryHandlers,
  requireSecretsKey,
  runWorker,
  startDeliverySweeps,
  wakeDeliveries,
} from '@tieout/domain';
import { createCipher, createConsumer, createOutboundClient, outboundPolicy } from '@tieout/infra';
import { config, deliveryPolicy } from './config';

/** Tenants that are served at the same time; their jobs mostly wait for receivers. */
const maxConcurrentTenants = 64;

/** Delivers events to the webhooks of tenants. */
runWorker({ app: 'webhook-worker', config }, async ({ env, deps, service, logger, consumer }) => {
  const outbound = createOutboundClient(outboundPolicy(env));
  service.onShutdown('outbound requests', () => outbound.close());
  const policy = deliveryPolicy(env);
  const cipher = createCipher(env.SECRETS_KEY);
  await requireSecretsKey({ db: deps.db.system, cipher, lostKeys: env.SECRETS_LOST_KEYS, logger });
  const wake = (tenantId: string): Promise<void> =>
    wakeDeliveries({ tenantId, db: deps.db.system, queue: deps.queue, keyIds: cipher.keyIds });
  const deliverer = createDeliverer({ db: deps.db, outbound, cipher, policy, logger, wake });
  const deliveries = await createConsumer({
    ...consumer,
    queue: 'webhook-delivery',
    concurrency: maxConcurrentTenants,
    handlers: createDeliveryHandlers(deliverer),
    onDone: (_name, payload) => wake((payload as { tenantId: string }).tenantId),
  });
  const stopSweeps = startDeliverySweeps(deps, policy, cipher);
  // At the same time: attempts in flight get all the time that a shutdown has.
  service.onShutdown('work', () => Promise.all([deliverer.close(), deliveries.close(), stopSweeps()]));
});
