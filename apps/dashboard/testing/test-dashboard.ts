import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Type } from '@sinclair/typebox';
import { queueNames } from '@tieout/domain';
import {
  createConsumer,
  createLogger,
  createMetricRegistry,
  createProducer,
  defineJobs,
  metricsHandler,
  queueClasses,
  type Consumer,
  type Logger,
  type MetricsHandler,
  type Producer,
  type QueueSettings,
} from '@tieout/infra';
import { createDashboard } from '../src/app';
import type { BoardQueue } from '../src/board';

export const credentials = { user: 'oncall', password: 'correct horse battery' };

/** Jobs on real queues of the service with a single attempt, so that a test decides their outcome. */
export const testJobs = defineJobs({
  'records.process': {
    queue: 'ingest',
    payload: Type.Object({ recordIds: Type.Array(Type.String({ format: 'uuid' })) }),
    attempts: 1,
    backoffMs: 10,
  },
  'matching.plan': {
    queue: 'matching',
    payload: Type.Object({ jobId: Type.String({ format: 'uuid' }) }),
    attempts: 1,
    backoffMs: 10,
  },
});

export interface TestDashboard {
  url: string;
  producer: Producer<typeof testJobs>;
  queue(name: (typeof queueNames)[number]): BoardQueue;
  /** Runs the jobs of `ingest`; `nextFailure` resolves with the message of a job that has failed for good. */
  consume(
    handler: (recordIds: string[]) => Promise<void>,
  ): Promise<{ nextFailure(): Promise<string>; close(): Promise<void> }>;
  close(): Promise<void>;
}

/** Serves the metrics of a dashboard to callers of this machine. */
export const ownMetrics = (logger: Logger): MetricsHandler =>
  metricsHandler(createMetricRegistry({ app: 'dashboard', logger }), undefined);

/** Starts a dashboard for the queues of `settings` on a free port of this machine. */
export async function startTestDashboard(settings: QueueSettings): Promise<TestDashboard> {
  const logger = createLogger('dashboard-test', 'silent');
  const { openQueue } = queueClasses(settings, { role: 'consumer' });
  const queues = new Map(queueNames.map((name) => [name, openQueue(name)]));
  await Promise.all([...queues.values()].map((queue) => queue.waitUntilReady()));
  const producer = createProducer(testJobs, settings, logger);
  const consumers: Consumer[] = [];
  const app = createDashboard({
    queues: [...queues.values()],
    credentials,
    checks: { queue: () => producer.ping() },
    logger,
    metrics: ownMetrics(logger),
  });
  const server: Server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    producer,
    queue: (name) => queues.get(name) as BoardQueue,
    consume: async (handler) => {
      const failures: string[] = [];
      const waiting: ((reason: string) => void)[] = [];
      const consumer = await createConsumer({
        catalog: testJobs,
        queue: 'ingest',
        settings,
        logger,
        concurrency: 1,
        handlers: { 'records.process': ({ recordIds }) => handler(recordIds) },
        onExhausted: (_name, _payload, error) => {
          const next = waiting.shift();
          if (next) next(error.message);
          else failures.push(error.message);
          return Promise.resolve();
        },
      });
      consumers.push(consumer);
      return {
        nextFailure: () => {
          const reason = failures.shift();
          return reason === undefined ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(reason);
        },
        close: () => consumer.close(),
      };
    },
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      await Promise.all(consumers.map((consumer) => consumer.close()));
      await producer.close();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
