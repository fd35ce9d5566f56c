import {
  createDeliverer,
  createDeliveryHandlers,
  createItemHandlers,
  createMaintenanceHandlers,
  deferItems,
  domainMetrics,
  gaugeBacklog,
  inMaintenanceTurns,
  inPlaceEvaluator,
  jobCatalog,
  maintenanceAtOnce,
  openDomain,
  openFinancePolicy,
  openProviders,
  queueSettings,
  readinessChecks,
  retentionOf,
  scheduleMaintenance,
  startDeliverySweeps,
  wakeDeliveries,
} from '@tieout/domain';
import {
  createCipher,
  createConsumer,
  createLogger,
  createMetricRegistry,
  createOutboundClient,
  gaugeProcess,
  messageOf,
  metricsHandler,
  outboundPolicy,
  requireMigrations,
  requireQueueSchema,
  runService,
  serveHealth,
  settingsOrEnd,
} from '@tieout/infra';
import { config, deliveryPolicy, itemPolicy } from './config';

/** An emptied queue loses the schedule of the sweep: it is put back this often. */
const scheduleEveryMs = 60_000;
/** Tenants that are served at the same time; a turn mostly waits for receivers. */
const turnsAtOnce = 64;
/** Items that are synced at the same time; a sync mostly waits for the provider. */
const itemsAtOnce = 16;

const env = settingsOrEnd('webhook-worker', config);
const logger = createLogger('webhook-worker', env.LOG_LEVEL);

/** The worker for work that waits on others rather than computes: sweeps, clean-up, and the delivery of events. */
void runService(logger, async (service) => {
  // First: what is counted before it is there is lost.
  const registry = createMetricRegistry({ app: 'webhook-worker', metrics: [domainMetrics], logger });
  const { deps, close } = openDomain({
    env,
    applicationName: 'tieout webhook',
    logger,
    evaluator: inPlaceEvaluator(),
  });
  service.onShutdown('domain', close);
  await requireMigrations(deps.db.system, logger);
  await requireQueueSchema(queueSettings(env), logger);
  const network = outboundPolicy(env);
  const outbound = createOutboundClient(network);
  service.onShutdown('outbound requests', () => outbound.close());
  const openFinance = openProviders({ policy: openFinancePolicy(env), network, logger });
  service.onShutdown('open finance', () => openFinance.close());
  const policy = deliveryPolicy(env);
  const cipher = createCipher(env.SECRETS_KEY);
  const wake = (tenantId: string): Promise<void> =>
    wakeDeliveries({ tenantId, db: deps.db.system, queue: deps.queue, keyIds: cipher.keyIds });
  const deliverer = createDeliverer({ db: deps.db, outbound, cipher, policy, logger, wake });
  const common = { catalog: jobCatalog, settings: queueSettings(env), logger };
  const inTurns = inMaintenanceTurns(createMaintenanceHandlers(deps, cipher, retentionOf(env)));
  const maintenance = await createConsumer({
    ...common,
    queue: 'maintenance',
    concurrency: maintenanceAtOnce,
    ...inTurns,
  });
  const deliveries = await createConsumer({
    ...common,
    queue: 'webhook-delivery',
    concurrency: turnsAtOnce,
    handlers: createDeliveryHandlers(deliverer),
    onDone: (_name, payload) => wake((payload as { tenantId: string }).tenantId),
  });
  const stopping = new AbortController();
  const items = await createConsumer({
    ...common,
    queue: 'items',
    concurrency: itemsAtOnce,
    deferMs: deferItems(deps),
    handlers: createItemHandlers(deps, {
      provider: openFinance.provider,
      cipher,
      policy: itemPolicy(env),
      stopping: stopping.signal,
    }),
  });
  const stopItems = (): Promise<void> => {
    stopping.abort();
    return items.close();
  };
  const stopSweeps = startDeliverySweeps(deps, policy, cipher);
  // All at once: the attempts under way get the time that there is.
  service.onShutdown('work', () =>
    Promise.all([deliverer.close(), deliveries.close(), maintenance.close(), stopItems(), stopSweeps()]),
  );
  await scheduleMaintenance(deps.queue);
  const timer = setInterval(() => {
    scheduleMaintenance(deps.queue).catch((error: unknown) =>
      logger.warn({ reason: messageOf(error) }, 'could not schedule the sweep'),
    );
  }, scheduleEveryMs);
  service.onShutdown('schedule', () => Promise.resolve(clearInterval(timer)));
  const checks = readinessChecks(deps);
  gaugeProcess(registry, { db: deps.db, queues: deps.queue, checks });
  gaugeBacklog(registry, deps.db);
  const port = await serveHealth(service, logger, {
    host: env.HOST,
    port: env.HEALTH_PORT,
    checks,
    metrics: metricsHandler(registry, env.METRICS_TOKEN),
  });
  logger.info({ port }, 'ready');
});
