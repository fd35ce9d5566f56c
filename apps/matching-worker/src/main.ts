import path from 'node:path';
import {
  domainMetrics,
  failJobOfWorker,
  failJobOutOfMemory,
  failJobOverdue,
  hasOtherTenantsWork,
  inPlaceEvaluator,
  jobCatalog,
  openDomain,
  hasOtherTenantsWaiting,
  planWaitMs,
  queueSettings,
  readinessChecks,
  tenantScope,
} from '@tieout/domain';
import {
  createChildPool,
  createConsumer,
  createFairSlots,
  createLogger,
  createMetricRegistry,
  gaugeProcess,
  handlersInChildren,
  metricsHandler,
  requireMigrations,
  requireQueueSchema,
  runService,
  serveHealth,
  readSettingsOrExit,
} from '@tieout/infra';
import { config } from './config';
import { lowerSession } from './priority';

void lowerSession();
const env = readSettingsOrExit('matching-worker', config);
const logger = createLogger('matching-worker', env.LOG_LEVEL);

/** What a batch keeps of its rows is garbage when it ends: with less, most batches would pay for a collection of all that the process has loaded. */
const heapGrowthPercent = 100;

void runService(logger, async (service) => {
  // First: what is counted before it is there is lost.
  const registry = createMetricRegistry({ app: 'matching-worker', metrics: [domainMetrics], logger });
  const { deps, close } = openDomain({
    env: { ...env, DATABASE_POOL_SIZE: 2 },
    applicationName: 'tieout matching',
    logger,
    evaluator: inPlaceEvaluator(),
  });
  service.onShutdown('domain', close);
  await requireMigrations(deps.db.system, logger);
  await requireQueueSchema(queueSettings(env), logger);
  const pool = createChildPool({
    file: path.join(__dirname, 'child.js'),
    size: env.MATCHING_CONCURRENCY,
    heapMb: env.MATCHING_HEAP_MB,
    heapGrowthPercent,
    prestart: true,
    logger,
  });
  service.onShutdown('child processes', () => pool.close());
  const slots = createFairSlots(env.MATCHING_CONCURRENCY, (tenantId) => hasOtherTenantsWork(deps, tenantId), {
    unbounded: ['matching.plan'],
    repeatable: {
      names: ['matching.batch'],
      othersWait: (tenantIds) => hasOtherTenantsWaiting(deps, tenantIds),
      logger,
    },
  });
  const consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'matching',
    settings: queueSettings(env),
    logger,
    concurrency: env.MATCHING_CONCURRENCY,
    handlers: slots.track(handlersInChildren(jobCatalog, 'matching', pool)),
    deferMs: async (payload, name) =>
      (name === 'matching.plan' ? await planWaitMs(deps, payload as { tenantId: string; jobId: string }) : 0) ||
      slots.deferMs(payload, name),
    onOverdue: async (_name, payload) => {
      const { tenantId, jobId } = payload as { tenantId: string; jobId: string };
      await failJobOverdue(tenantScope(deps, tenantId), jobId, env.MATCHING_STALL_MS);
    },
    onOutOfMemory: async (_name, payload) => {
      const { tenantId, jobId } = payload as { tenantId: string; jobId: string };
      await failJobOutOfMemory(tenantScope(deps, tenantId), jobId, env.MATCHING_HEAP_MB);
    },
    interrupt: () => pool.close(),
    onExhausted: async (_name, payload, error) => {
      const { tenantId, jobId } = payload as { tenantId: string; jobId: string };
      await failJobOfWorker(tenantScope(deps, tenantId), jobId, error.message);
    },
  });
  service.onShutdown('consumer', () => consumer.close());
  const checks = readinessChecks(deps);
  gaugeProcess(registry, { db: deps.db, children: pool, checks });
  const port = await serveHealth(service, logger, {
    host: env.HOST,
    port: env.HEALTH_PORT,
    checks,
    metrics: metricsHandler(registry, env.METRICS_TOKEN),
  });
  logger.info({ port, concurrency: env.MATCHING_CONCURRENCY }, 'ready');
});
