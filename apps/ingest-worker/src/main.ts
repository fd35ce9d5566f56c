import path from 'node:path';
import {
  domainMetrics,
  failFileOfWorker,
  failFileOutOfMemory,
  inPlaceEvaluator,
  jobCatalog,
  openDomain,
  othersHaveOpenFiles,
  othersHaveReceivedRecords,
  pacedChunks,
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

const env = readSettingsOrExit('ingest-worker', config);
const logger = createLogger('ingest-worker', env.LOG_LEVEL);

/** Holds the rows of two chunks of a file: with less, copying them takes a third of the CPU time of reading a file. */
const semiSpaceMb = 64;

void runService(logger, async (service) => {
  // First: counts made before the registry exists would be lost.
  const registry = createMetricRegistry({ app: 'ingest-worker', metrics: [domainMetrics], logger });
  // This process needs connections for its health checks only: child processes have their own.
  const { deps, close } = openDomain({
    env: { ...env, DATABASE_POOL_SIZE: 2 },
    applicationName: 'tieout ingest',
    logger,
    evaluator: inPlaceEvaluator(),
  });
  service.onShutdown('domain', close);
  await requireMigrations(deps.db.system, logger);
  await requireQueueSchema(queueSettings(env), logger);
  const pool = createChildPool({
    file: path.join(__dirname, 'child.js'),
    size: env.INGEST_CONCURRENCY,
    heapMb: env.INGEST_HEAP_MB,
    semiSpaceMb,
    logger,
  });
  service.onShutdown('child processes', () => pool.close());
  const slots = createFairSlots(
    env.INGEST_CONCURRENCY,
    async (tenantId) => (await othersHaveOpenFiles(deps, tenantId)) || othersHaveReceivedRecords(deps, tenantId),
    { paced: pacedChunks(deps.queue) },
  );
  const failFile = async (name: string, payload: unknown, fail: typeof failFileOfWorker): Promise<void> => {
    if (name !== 'file.ingest') return;
    const { tenantId, fileId } = payload as { tenantId: string; fileId: string };
    await fail(tenantScope(deps, tenantId), fileId);
  };
  const consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'ingest',
    settings: queueSettings(env),
    logger,
    concurrency: env.INGEST_CONCURRENCY,
    handlers: slots.track(handlersInChildren(jobCatalog, 'ingest', pool)),
    deferMs: slots.deferMs,
    priorityOf: slots.priorityOf,
    interrupt: () => pool.close(),
    onExhausted: (name, payload) => failFile(name, payload, failFileOfWorker),
    onOutOfMemory: (name, payload) => failFile(name, payload, failFileOutOfMemory),
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
  logger.info({ port, concurrency: env.INGEST_CONCURRENCY }, 'ready');
});
