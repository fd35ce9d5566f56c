import { createMaintenanceHandlers, inPlaceEvaluator, jobCatalog, openDomain, queueSettings, readinessChecks, scheduleMaintenance } from '@tieout/domain';
import { createConsumer, createLogger, messageOf, runService, serveHealth } from '@tieout/infra';
import { config } from './config';

/** An emptied queue loses the schedule of the sweep: it is put back this often. */
const scheduleEveryMs = 60_000;

const env = config();
const logger = createLogger('webhook-worker', env.LOG_LEVEL);

/** The worker for work that waits on others rather than computes: sweeps, clean-up, and the delivery of events. */
void runService(logger, async (service) => {
  const { deps, close } = openDomain({
    env: { ...env, DATABASE_POOL_SIZE: 4 },
    applicationName: 'tieout webhook',
    logger,
    evaluator: inPlaceEvaluator(),
  });
  service.onShutdown('domain', close);
  const consumer = await createConsumer({
    catalog: jobCatalog,
    queue: 'maintenance',
    settings: queueSettings(env),
    logger,
    concurrency: 2,
    handlers: createMaintenanceHandlers(deps),
  });
  service.onShutdown('consumer', () => consumer.close());
  await scheduleMaintenance(deps.queue);
  const timer = setInterval(() => {
    scheduleMaintenance(deps.queue).catch((error: unknown) => logger.warn({ reason: messageOf(error) }, 'could not schedule the sweep'));
  }, scheduleEveryMs);
  service.onShutdown('schedule', () => Promise.resolve(clearInterval(timer)));
  const port = await serveHealth(service, logger, {
    host: env.HOST,
    port: env.HEALTH_PORT,
    checks: readinessChecks(deps),
  });
  logger.info({ port }, 'ready');
});
