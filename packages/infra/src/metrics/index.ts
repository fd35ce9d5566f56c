export {
  collectMeasures,
  defineMetrics,
  each,
  replayMeasures,
  type Measure,
  type MetricCatalog,
  type MetricDefinition,
  type Metrics,
} from './definitions';
export { createMetricRegistry, type MetricRegistry } from './registry';
export { observeRequest, observeWhenAnswered, type AnsweredRequest } from './http-requests';
export { processMetrics } from './process-metrics';
export { metricsHandler, type MetricsHandler } from './serve-metrics';
