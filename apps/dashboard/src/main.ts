import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { queueNames } from '@tieout/domain';
import {
  connectionLog,
  createHttpServer,
  createLogger,
  createMetricRegistry,
  gaugeProcess,
  metricsHandler,
  queueClasses,
  requireQueueSchema,
  runService,
  readSettingsOrExit,
  type Logger,
  type Service,
} from '@tieout/infra';
import { createDashboard } from './app';
import { readConfig, type DashboardConfig } from './config';

async function start(config: DashboardConfig, logger: Logger, service: Service): Promise<void> {
  await requireQueueSchema(config.queue, logger);
  const { openQueue } = queueClasses(config.queue, { role: 'producer' });
  const logFailure = connectionLog(logger, 'queue connection');
  const queues = queueNames.map((name) => {
    const queue = openQueue(name);
    queue.on('error', (error) => logFailure(name, error));
    return queue;
  });
  service.onShutdown('queues', () => Promise.all(queues.map((queue) => queue.close())));
  // A queue that was opened while the store was away may stay unusable: exit, and be started again.
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  const [first] = queues;
  const checks = {
    queue: async () => {
      await first?.getJobCountByTypes('waiting');
    },
  };
  const registry = createMetricRegistry({ app: 'dashboard', logger });
  gaugeProcess(registry, { checks });
  const app = createDashboard({
    queues,
    credentials: config.credentials,
    trustedProxies: config.trustedProxies,
    checks,
    logger,
    metrics: metricsHandler(registry, config.metricsToken),
  });
  const server = createHttpServer(app).listen(config.port, config.host);
  await once(server, 'listening');
  service.onShutdown('http server', () => new Promise((resolve) => server.close(resolve)));
  logger.info({ port: (server.address() as AddressInfo).port }, 'ready');
}

const config = readSettingsOrExit('dashboard', readConfig);
const logger = createLogger('dashboard', config.logLevel);
void runService(logger, (service) => start(config, logger, service));
