import { singleFlight } from '../concurrency/single-flight';
import { withDeadline } from '../concurrency/timeouts';
import type { DatabaseUsage, Db } from '../db';
import { processMetrics, type MetricRegistry } from '../metrics';
import type { ChildPool } from './child-pool';
import { checkTimeoutMs, type ReadinessChecks } from './readiness';

/** The sources of the gauges, which are read when metrics are collected. */
interface GaugeSources {
  db?: Pick<Db, 'usage' | 'replicaLag'>;
  children?: Pick<ChildPool, 'usage'>;
  checks: ReadinessChecks;
}

export function gaugeProcess(registry: MetricRegistry, { db, children, checks }: GaugeSources): void {
  gaugeDatabase(registry, () => [
    ...(db ? [{ part: 'main', ...db.usage() }] : []),
    ...(children?.usage().reports ?? []).flatMap(({ database }) =>
      database ? [{ part: 'children', ...database }] : [],
    ),
  ]);
  if (db) gaugeReplicas(registry, db);
  registry.gauge(
    processMetrics,
    'tieout_dependency_up',
    singleFlight(0, () => Promise.all(Object.entries(checks).map(dependencyUp))),
  );
  if (children) gaugeChildren(registry, children);
}

function gaugeDatabase(registry: MetricRegistry, pools: () => (DatabaseUsage & { part: string })[]): void {
  const total = (part: string, state: keyof DatabaseUsage): number =>
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
}

function gaugeReplicas(registry: MetricRegistry, db: Pick<Db, 'replicaLag'>): void {
  registry.gauge(processMetrics, 'tieout_replica_lag_bytes', async () =>
    (await db.replicaLag()).flatMap(({ replica, bytes }) =>
      bytes === undefined ? [] : [{ labels: { replica }, value: bytes }],
    ),
  );
}

/** Logs nothing: metrics are collected all the time. */
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
