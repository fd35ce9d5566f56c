import { singleFlight } from '../concurrency/single-flight';
import { processMetrics, type MetricRegistry } from '../metrics';
import type { QueueDepth } from './depth';

/** Registers the gauges of all queues. */
export function gaugeQueues(registry: MetricRegistry, queues: { depths(): Promise<QueueDepth[]> }): void {
  const depths = singleFlight(0, () => queues.depths());
  registry.gauge(processMetrics, 'tieout_queue_jobs', async () =>
    (await depths()).flatMap(({ queue, jobs }) =>
      Object.entries(jobs).map(([state, value]) => ({ labels: { queue, state }, value })),
    ),
  );
  registry.gauge(processMetrics, 'tieout_queue_paused', async () =>
    (await depths()).map(({ queue, paused }) => ({ labels: { queue }, value: Number(paused) })),
  );
  registry.gauge(processMetrics, 'tieout_queue_oldest_waiting_seconds', async () =>
    (await depths()).map(({ queue, oldestWaitingSeconds }) => ({ labels: { queue }, value: oldestWaitingSeconds })),
  );
}
