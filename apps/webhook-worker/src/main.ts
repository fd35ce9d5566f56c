import {
  createDeliverer,
  createDeliveryHandlers,
  domainMetrics,
  inPlaceEvaluator,
  jobCatalog,
  openDomain,
  queueSettings,
  readinessChecks,
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
  metricsHandler,
  outboundPolicy,
  requireMigrations,
  requireQueueSchema,
  runService,
  serveHealth,
  readSettingsOrExit,
} from '@tieout/infra';
import { config, deliveryPolicy } from './config';

/** Tenants that are served at the same time; their jobs mostly wait for receivers. */
const maxConcurrentTenants = 64;

const env = readSettingsOrExit('webhook-worker', config);
const logger = createLogger('webhook-worker', env.LOG_LEVEL);

/** Delivers events to the webhooks of tenants. */
void runService(logger, async (service) => {
  // First: counts made before the registry exists would be lost.
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
  const outbound = createOutboundClient(outboundPolicy(env));
  service.onShutdown('outbound requests', () => outbound.close());
  const policy = deliveryPolicy(env);
  const cipher = createCipher(env.SECRETS_KEY);
  const wake = (tenantId: string): Promise<void> =>
    wakeDeliveries({ tenantId, db: deps.db.system, queue: deps.queue, keyIds: cipher.keyIds });
  const deliverer = createDeliverer({ db: deps.db, outbound, cipher, policy, logger, wake });
  const deliveries = await createConsumer({
    catalog: jobCatalog,
    queue: 'webhook-delivery',
    settings: queueSettings(env),
    logger,
    concurrency: maxConcurrentTenants,
    handlers: createDeliveryHandlers(deliverer),
    onDone: (_name, payload) => wake((payload as { tenantId: string }).tenantId),
  });
  const stopSweeps = startDeliverySweeps(deps, policy, cipher);
  // At the same time: attempts under way get all the time that a shutdown has.
  service.onShutdown('work', () => Promise.all([deliverer.close(), deliveries.close(), stopSweeps()]));
  const checks = readinessChecks(deps);
  gaugeProcess(registry, { db: deps.db, checks });
  const port = await serveHealth(service, logger, {
    host: env.HOST,
    port: env.HEALTH_PORT,
    checks,
    metrics: metricsHandler(registry, env.METRICS_TOKEN),
  });
  logger.info({ port }, 'ready');
});
