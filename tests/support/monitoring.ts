/** Files that name metrics. */
export const monitoringFiles = [
  'ops/prometheus/alerts.yml',
  'ops/prometheus/alerts.test.yml',
  'ops/grafana/dashboards/tieout.json',
  'docs/how-to/runbook.md',
];

/** The families of metrics that a text names, parts of histograms as the whole. */
export function namedMetrics(text: string): string[] {
  const names = [...text.matchAll(/\b(?:tieout|nodejs|process)_\w+/g)].map(([name]) => name);
  return [...new Set(names.map((name) => name.replace(/_(bucket|count|sum)$/, '')))].filter(
    (name) => name !== 'tieout_template',
  );
}
