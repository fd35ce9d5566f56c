export { defineMetrics, each, type MetricCatalog, type MetricDefinition, type Metrics } from './definitions';
export { createMetricRegistry, type MetricRegistry } from './registry';
export { collectMeasures, replayMeasures } from './relay';
export { observeRequest, observeWhenAnswered, type AnsweredRequest } from './http-requests';
export { processMetrics } from './process-metrics';
export { metricsHandler, type MetricsHandler } from './serve-metrics';
