import { readFileSync } from 'node:fs';
import path from 'node:path';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { withDeadline } from '../concurrency/timeouts';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import {
  measures,
  type GaugeName,
  type LabelsOf,
  type Measure,
  type MetricCatalog,
  type MetricDefinition,
  type Metrics,
} from './definitions';
import { processMetrics } from './process-metrics';

export interface Sample {
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** The registry of all series of a process. */
export interface MetricRegistry {
  /** Registers a gauge, which is read when metrics are collected. A gauge that fails is left out of that answer. */
  gauge<C extends MetricCatalog, N extends GaugeName<C>>(
    metrics: Metrics<C>,
    name: N,
    read: () => readonly GaugeSample<C, N>[] | Promise<readonly GaugeSample<C, N>[]>,
  ): void;
  /** Gives all metrics in the format of Prometheus. */
  text(): Promise<string>;
  readonly contentType: string;
}

interface GaugeSample<C, N extends keyof C> {
  labels: LabelsOf<C, N>;
  value: number;
}

interface RegistryOptions {
  /** The label `app` of every series, which identifies the kind of process. */
  app: string;
  /** Metrics in addition to those of every process. */
  metrics?: readonly Metrics<MetricCatalog>[];
  logger: Logger;
}

type Samples = readonly Sample[] | Promise<readonly Sample[]>;

interface Reader {
  name: string;
  read(): Samples;
}

interface MetricRecorder {
  take(labels: Measure['labels'], value: number): void;
}

const readTimeoutMs = 3_000;

/** Gauges whose names look like counters. Gauges by type already measure the same things. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** The metrics of this process: takes what is measured in it from now on. Once a process. */
export function createMetricRegistry({ app, metrics = [], logger }: RegistryOptions): MetricRegistry {
  const registry = new Registry();
  registry.setDefaultLabels({ app });
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const recorders = new Map<string, MetricRecorder>();
  const common = (name: string, { help, labels }: MetricDefinition) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  for (const { catalog } of [processMetrics, ...metrics]) {
    for (const [name, definition] of Object.entries<MetricDefinition>(catalog)) {
      // A gauge that this process does not read would say 0.
      if (definition.kind === 'gauge') continue;
      recorders.set(
        name,
        definition.kind === 'counter'
          ? counter(new Counter(common(name, definition)), definition)
          : histogram(
              new Histogram({ ...common(name, definition), buckets: [...(definition.buckets ?? [])] }),
              definition,
            ),
      );
    }
  }
  measures.subscribe((message) => {
    const { name, labels, value } = message as Measure;
    recorders.get(name)?.take(labels, value);
  });
  const readers = new Map<Gauge, Reader>();
  const readGauge = async (gauge: Gauge, { name, read }: Reader): Promise<void> => {
    let samples: readonly Sample[] = [];
    try {
      samples = await withDeadline(Promise.resolve(read()), readTimeoutMs, `no answer in ${readTimeoutMs} ms`);
    } catch (error) {
      logger.warn({ metric: name, reason: messageOf(error) }, 'a metric could not be read');
    }
    gauge.reset();
    for (const { labels, value } of samples) gauge.set(labels, value);
  };
  const made: MetricRegistry = {
    gauge: ({ catalog }, name, read) =>
      void readers.set(new Gauge(common(name, catalog[name] as MetricDefinition)), { name, read }),
    text: async () => {
      await Promise.all([...readers].map(([gauge, reader]) => readGauge(gauge, reader)));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
  made.gauge(processMetrics, 'tieout_build_info', () => [{ labels: { version, node: process.version }, value: 1 }]);
  return made;
}

const { version } = JSON.parse(readFileSync(path.join(__dirname, '..', '..', 'package.json'), 'utf8')) as {
  version: string;
};

function counter(family: Counter, { known = [] }: MetricDefinition): MetricRecorder {
  for (const labels of known) family.inc(labels, 0);
  return { take: (labels, value) => family.inc(labels, value) };
}

function histogram(family: Histogram, { known = [] }: MetricDefinition): MetricRecorder {
  for (const labels of known) family.zero(labels);
  return { take: (labels, value) => family.observe(labels, value) };
}
