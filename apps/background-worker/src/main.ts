import {
  createItemHandlers,
  createMaintenanceHandlers,
  deferItems,
  gaugeBacklog,
  maxConcurrentMaintenance,
  openFinancePolicy,
  openProviders,
  requireSecretsKey,
  retentionOf,
  runWorker,
  scheduleMaintenance,
  withMaintenancePermit,
} from '@tieout/domain';
import { createCipher, createConsumer, gaugeQueues, messageOf, outboundPolicy } from '@tieout/infra';
import { config, itemPolicy } from './config';

/** The schedule is put back this often: an emptied queue has lost it. */
const scheduleEveryMs = 60_000;
/** Items that are synced at the same time; a sync mostly waits for the provider. */
const maxConcurrentItems = 16;

/** Runs what no request waits for: sweeps, their schedule, retention, and syncs of items. */
runWorker({ app: 'background-worker', config }, async ({ env, deps, service, registry, logger, consumer }) => {
  const openFinance = openProviders({ policy: openFinancePolicy(env), network: outboundPolicy(env), logger });
  service.onShutdown('open finance', () => openFinance.close());
  const cipher = createCipher(env.SECRETS_KEY);
  await requireSecretsKey({ db: deps.db.system, cipher, lostKeys: env.SECRETS_LOST_KEYS, logger });
  const maintenance = await createConsumer({
    ...consumer,
    queue: 'maintenance',
    concurrency: maxConcurrentMaintenance,
    ...withMaintenancePermit(createMaintenanceHandlers(deps, cipher, retentionOf(env))),
  });
  const stopping = new AbortController();
  const items = await createConsumer({
    ...consumer,
    queue: 'items',
    concurrency: maxConcurrentItems,
    deferMs: deferItems(deps),
    handlers: createItemHandlers(deps, {
      provider: openFinance.provider,
      cipher,
      policy: itemPolicy(env),
      stopping: stopping.signal,
    }),
  });
  service.onShutdown('work', () => {
    stopping.abort();
    return Promise.all([maintenance.close(), items.close()]);
  });
  await scheduleMaintenance(deps.queue);
  const timer = setInterval(() => {
    scheduleMaintenance(deps.queue).catch((error: unknown) =>
      logger.warn({ reason: messageOf(error) }, 'could not schedule the sweep'),
    );
  }, scheduleEveryMs);
  service.onShutdown('schedule', () => Promise.resolve(clearInterval(timer)));
  gaugeQueues(registry, deps.queue);
  gaugeBacklog(registry, deps.db);
});
