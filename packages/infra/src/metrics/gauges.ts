import type { ChildPool } from '../process/child-pool';
import { withDeadline } from '../concurrency/deadline';
import type { Db } from '../db/db';
import { processMetrics, type MetricRegistry } from '.';
import type { QueueDepth } from '../queue';
import { checkTimeoutMs, type ReadinessChecks } from '../process/service';
import { singleFlight } from '../concurrency/single-flight';

/** What the process holds at the moment somebody asks. */
export interface GaugeSources {
  db?: Pick<Db, 'usage'>;
  children?: Pick<ChildPool, 'usage'>;
  queues?: { depths(): Promise<QueueDepth[]> };
  checks: ReadinessChecks;
}

export function gaugeProcess(registry: MetricRegistry, { db, children, queues, checks }: GaugeSources): void {
  const pools = () => [
    ...(db ? [{ part: 'main', ...db.usage() }] : []),
    ...(children
      ? children.usage().reports.flatMap(({ database }) => (database ? [{ part: 'children', ...database }] : []))
      : []),
  ];
  const total = (part: string, state: 'busy' | 'idle' | 'waiting'): number =>
    pools().reduce((sum, pool) => sum + (pool.part === part ? pool[state] : 0), 0);
  const parts = (): string[] => [...new Set(pools().map(({ part }) => part))];
  registry.gauge(processMetrics, 'tieout_database_connections', () =>
    parts().flatMap((part) =>
      (['busy', 'idle'] as const).map((state) => ({ labels: { part, state }, value: total(part, state) })),
    ),
  );
  registry.gauge(processMetrics, 'tieout_database_waiting', () =>
    parts().map((part) => ({ labels: { part }, value: total(part, 'waiting') })),
  );
  registry.gauge(
    processMetrics,
    'tieout_dependency_up',
    singleFlight(0, () => Promise.all(Object.entries(checks).map(dependencyUp))),
  );
  if (children) gaugeChildren(registry, children);
  if (queues) gaugeQueues(registry, queues);
}

/** Without a line in the log: whoever collects metrics asks all the time. */
async function dependencyUp([dependency, check]: [string, () => Promise<void>]): Promise<{
  labels: { dependency: string };
  value: number;
}> {
  const value = await withDeadline(check(), checkTimeoutMs, 'no answer').then(
    () => 1,
    () => 0,
  );
  return { labels: { dependency }, value };
}

function gaugeChildren(registry: MetricRegistry, children: Pick<ChildPool, 'usage'>): void {
  const one = (read: () => number) => () => [{ labels: {}, value: read() }];
  registry.gauge(processMetrics, 'tieout_child_processes', () => {
    const { busy, idle } = children.usage();
    return [
      { labels: { state: 'busy' }, value: busy },
      { labels: { state: 'idle' }, value: idle },
    ];
  });
  registry.gauge(
    processMetrics,
    'tieout_child_calls_waiting',
    one(() => children.usage().callsWaiting),
  );
  registry.gauge(
    processMetrics,
    'tieout_child_resident_memory_bytes',
    one(() => children.usage().reports.reduce((sum, report) => sum + report.residentBytes, 0)),
  );
  registry.gauge(
    processMetrics,
    'tieout_child_event_loop_lag_seconds',
    one(() => Math.max(0, ...children.usage().reports.map((report) => report.lagSeconds))),
  );
}

function gaugeQueues(registry: MetricRegistry, queues: { depths(): Promise<QueueDepth[]> }): void {
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
