import { channel } from 'node:diagnostics_channel';

/** One family of series. Labels never name a tenant or a row: each value of one is a series that is kept for ever. */
export interface MetricDefinition {
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  labels: readonly string[];
  /** Series that are there from the start, at 0: the increase of one that begins with its first event does not show it. Not of gauges. */
  known?: readonly Readonly<Record<string, string>>[];
  /** Upper bounds; histograms only. */
  buckets?: readonly number[];
}

export type MetricName = `tieout_${string}`;
export type MetricCatalog = Readonly<Record<MetricName, MetricDefinition>>;

type NamesOf<C, K extends MetricDefinition['kind']> = {
  [N in keyof C]: C[N] extends { kind: K } ? N : never;
}[keyof C] &
  string;
export type LabelsOf<C, N extends keyof C> = C[N] extends { labels: readonly (infer L extends string)[] }
  ? Readonly<Record<L, string>>
  : never;
export type GaugeName<C> = NamesOf<C, 'gauge'>;

/** Something that was measured, on its way to whoever keeps metrics in this process. */
export interface Measure {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Nobody listens in tests and tools: measuring then costs nothing. */
export const measures = channel('tieout:measures');

export interface Metrics<C extends MetricCatalog> {
  catalog: C;
  /** Counts. Adding 0 makes the series visible before the first event. */
  add<N extends NamesOf<C, 'counter'>>(name: N, labels: LabelsOf<C, N>, by?: number): void;
  /** Takes one value into a histogram; times are in seconds. */
  observe<N extends NamesOf<C, 'histogram'>>(name: N, labels: LabelsOf<C, N>, value: number): void;
}

/** A set of labels for each value of the one label. */
export const each = <L extends string>(label: L, values: readonly string[]): Record<L, string>[] =>
  values.map((value) => ({ [label]: value }) as Record<L, string>);

/** A catalog of metrics with the means to measure: what is measured goes to the registry of the process, or of its parent. */
export function defineMetrics<const C extends MetricCatalog>(catalog: C): Metrics<C> {
  const publish = (name: string, labels: Measure['labels'], value: number): void => {
    if (measures.hasSubscribers) measures.publish({ name, labels, value } satisfies Measure);
  };
  return { catalog, add: (name, labels, by = 1) => publish(name, labels, by), observe: publish };
}
