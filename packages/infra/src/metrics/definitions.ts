import { channel } from 'node:diagnostics_channel';

/** Describes a family of series. Labels never name a tenant or a row: each value is a series kept for ever. */
export interface MetricDefinition {
  kind: 'counter' | 'histogram' | 'gauge';
  help: string;
  labels: readonly string[];
  /** Series that start at 0, because a series that starts with its first event shows no increase. Not for gauges. */
  known?: readonly Readonly<Record<string, string>>[];
  /** Upper bounds, for histograms only. */
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

/** A measured value on its way to the registry of metrics. */
export interface Measure {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** Carries measures to the registry. Without a subscriber, as in tests and tools, measuring costs nothing. */
export const measures = channel('tieout:measures');

export interface Metrics<C extends MetricCatalog> {
  catalog: C;
  /** Adds to a counter. Adding 0 makes the series visible before the first event. */
  add<N extends NamesOf<C, 'counter'>>(name: N, labels: LabelsOf<C, N>, by?: number): void;
  /** Adds one value to a histogram; times are in seconds. */
  observe<N extends NamesOf<C, 'histogram'>>(name: N, labels: LabelsOf<C, N>, value: number): void;
}

/** Gives a set of labels for each value of one label. */
export const each = <L extends string>(label: L, values: readonly string[]): Record<L, string>[] =>
  values.map((value) => ({ [label]: value }) as Record<L, string>);

/** Defines metrics. Their measures go to the registry of the process, or to that of its parent. */
export function defineMetrics<const C extends MetricCatalog>(catalog: C): Metrics<C> {
  const publish = (name: string, labels: Measure['labels'], value: number): void => {
    if (measures.hasSubscribers) measures.publish({ name, labels, value } satisfies Measure);
  };
  return { catalog, add: (name, labels, by = 1) => publish(name, labels, by), observe: publish };
}

/** Collects the measures of a child process for its parent: a series must not end with the child that began it. */
export function collectMeasures(): () => Measure[] {
  let collected: Measure[] = [];
  measures.subscribe((message) => void collected.push(message as Measure));
  return () => {
    const taken = collected;
    collected = [];
    return taken;
  };
}

/** Publishes measures of a child process in its parent. */
export function replayMeasures(taken: readonly Measure[]): void {
  if (measures.hasSubscribers) for (const measure of taken) measures.publish(measure);
}
