import {
  createItemHandlers,
  createMaintenanceHandlers,
  deferItems,
  domainMetrics,
  gaugeBacklog,
  withMaintenancePermit,
  inPlaceEvaluator,
  jobCatalog,
  maxConcurrentMaintenance,
  openDomain,
  openFinancePolicy,
  openProviders,
  queueSettings,
  readinessChecks,
  retentionOf,
  scheduleMaintenance,
} from '@tieout/domain';
import {
  createCipher,
  createConsumer,
  createLogger,
  createMetricRegistry,
  gaugeProcess,
  messageOf,
  metricsHandler,
  outboundPolicy,
  requireMigrations,
  requireQueueSchema,
  runService,
  serveHealth,
  readSettingsOrExit,
} from '@tieout/infra';
import { config, itemPolicy } from './config';

/** The schedule is put back this often: an emptied queue has lost it. */
const scheduleEveryMs = 60_000;
/** Items that are synced at the same time; a sync mostly waits for the provider. */
const maxConcurrentItems = 16;

const env = readSettingsOrExit('background-worker', config);
const logger = createLogger('background-worker', env.LOG_LEVEL);

/** Runs what no request waits for: sweeps, their schedule, retention, and syncs of items. */
void runService(logger, async (service) => {
  // First: counts made before the registry exists would be lost.
  const registry = createMetricRegistry({ app: 'background-worker', metrics: [domainMetrics], logger });
  const { deps, close } = openDomain({
    env,
    applicationName: 'tieout background',
    logger,
    evaluator: inPlaceEvaluator(),
  });
  service.onShutdown('domain', close);
  await requireMigrations(deps.db.system, logger);
  await requireQueueSchema(queueSettings(env), logger);
  const openFinance = openProviders({ policy: openFinancePolicy(env), network: outboundPolicy(env), logger });
  service.onShutdown('open finance', () => openFinance.close());
  const cipher = createCipher(env.SECRETS_KEY);
  const common = { catalog: jobCatalog, settings: queueSettings(env), logger };
  const maintenance = await createConsumer({
    ...common,
    queue: 'maintenance',
    concurrency: maxConcurrentMaintenance,
    ...withMaintenancePermit(createMaintenanceHandlers(deps, cipher, retentionOf(env))),
  });
  const stopping = new AbortController();
  const items = await createConsumer({
    ...common,
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
