import {
  createLogger,
  createMetricRegistry,
  gaugeProcess,
  metricsHandler,
  readSettingsOrExit,
  requireMigrations,
  requireQueueSchema,
  runService,
  serveHealth,
  type ChildPool,
  type Logger,
  type MetricRegistry,
  type QueueSettings,
  type Service,
} from '@tieout/infra';
import { openDomain, queueSettings, readinessChecks, type DomainEnvironment } from './compose';
import { jobCatalog } from './kernel/jobs';
import { domainMetrics } from './kernel/metrics';
import { defaultQuotas } from './kernel/quotas';
import type { DomainDeps } from './kernel/scope';
import { inPlaceEvaluator } from './rules/evaluation';

export interface WorkerEnvironment extends DomainEnvironment {
  LOG_LEVEL: string;
  HOST: string;
  HEALTH_PORT: number;
  METRICS_TOKEN?: string;
  /** Set for workers that store records. */
  QUOTA_RECORDS?: number;
}

/** The parts of a worker process that its `start` builds on. */
export interface WorkerParts<E> {
  env: E;
  deps: DomainDeps;
  service: Service;
  registry: MetricRegistry;
  logger: Logger;
  /** Options of every consumer. */
  consumer: { catalog: typeof jobCatalog; settings: QueueSettings; logger: Logger };
}

/** The result of `start`. */
export interface StartedWorker {
  /** Child processes whose use is reported. */
  children?: ChildPool;
  /** Fields of the line that says the worker is ready. */
  readyFields?: object;
}

/**
 * Runs a worker process: reads its settings, opens the domain, checks the migrations, starts it, and serves its health.
 * @param poolSize connections to the database; default: DATABASE_POOL_SIZE
 */
export function runWorker<E extends WorkerEnvironment>(
  { app, config, poolSize }: { app: string; config: () => E; poolSize?: number },
  start: (worker: WorkerParts<E>) => Promise<StartedWorker | void>,
): void {
  const env = readSettingsOrExit(app, config);
  const logger = createLogger(app, env.LOG_LEVEL);
  void runService(logger, async (service) => {
    // First: counts made before the registry exists would be lost.
    const registry = createMetricRegistry({ app, metrics: [domainMetrics], logger });
    const { deps, close } = openDomain({
      env: poolSize === undefined ? env : { ...env, DATABASE_POOL_SIZE: poolSize },
      applicationName: `tieout ${app.replace('-worker', '')}`,
      logger,
      evaluator: inPlaceEvaluator(),
      settings: {
        quotas: { ...defaultQuotas, ...(env.QUOTA_RECORDS !== undefined && { records: env.QUOTA_RECORDS }) },
      },
    });
    service.onShutdown('domain', close);
    const settings = queueSettings(env);
    await requireMigrations(deps.db.system, logger);
    await requireQueueSchema(settings, logger);
    const consumer = { catalog: jobCatalog, settings, logger };
    const started = (await start({ env, deps, service, registry, logger, consumer })) ?? {};
    const checks = readinessChecks(deps);
    gaugeProcess(registry, {
      db: deps.db,
      checks,
      ...(started.children ? { children: started.children } : {}),
    });
    const port = await serveHealth(service, logger, {
      host: env.HOST,
      port: env.HEALTH_PORT,
      checks,
      metrics: metricsHandler(registry, env.METRICS_TOKEN),
    });
    logger.info({ port, ...started.readyFields }, 'ready');
  });
}
