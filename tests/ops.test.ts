import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { domainMetrics } from '@tieout/domain';
import { createLogger, createMetricRegistry, processMetrics, type MetricDefinition } from '@tieout/infra';
import { httpMetrics } from '../apps/api/src/http-metrics';
import { featureRoutes } from '../apps/api/src/routes';
import { serviceRoutes } from '../apps/api/src/routes/service/routes';
import { root } from './support/architecture/load';
import { monitoringFiles, namedMetrics } from './support/monitoring';

const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const catalog: Record<string, MetricDefinition> = {
  ...processMetrics.catalog,
  ...httpMetrics.catalog,
  ...domainMetrics.catalog,
};

test.each(monitoringFiles)('%s names metrics that exist', (file) => {
  const unknown = namedMetrics(read(file)).filter((name) => name.startsWith('tieout_') && !(name in catalog));
  expect(unknown).toEqual([]);
});

test('the page on monitoring lists every metric with its kind, labels and meaning, and no other', () => {
  const page = read('docs/reference/monitoring.md');
  const listed = [...page.matchAll(/^- `(tieout_\w+)` \((\w+)(.*?)\): (.*)$/gm)].map(
    ([, name, kind, labels, help]) => ({
      name,
      kind,
      help,
      labels: [...String(labels).matchAll(/`(\w+)`/g)].map(([, label]) => label),
    }),
  );
  expect(listed).toEqual(
    Object.entries(catalog).map(([name, { kind, help, labels }]) => ({ name, kind, help, labels: [...labels] })),
  );
});

test('metrics are named by convention, and have no label of unbounded cardinality', () => {
  const odd = Object.entries(catalog).filter(
    ([name, { kind, labels }]) =>
      (kind === 'counter') !== name.endsWith('_total') || labels.some((label) => /tenant|id$|path|url/i.test(label)),
  );
  expect(odd).toEqual([]);
});

test('no metric has a label that Prometheus adds itself', () => {
  const taken = Object.entries(catalog).filter(([, { labels }]) =>
    labels.some((label) => ['job', 'instance'].includes(label)),
  );
  expect(taken).toEqual([]);
});

test('each labelled metric of work has its series before anything has happened', () => {
  // Sweeps begin with the process.
  const { tieout_sweep_duration_seconds: _, ...ofWork }: Record<string, MetricDefinition> = domainMetrics.catalog;
  const silent = Object.entries(ofWork).filter(
    ([, { kind, labels, known = [] }]) => kind !== 'gauge' && labels.length > 0 && known.length === 0,
  );
  expect(silent.map(([name]) => name)).toEqual([]);
});

test('known series are served as 0', async () => {
  const text = await createMetricRegistry({
    app: 'test',
    metrics: [domainMetrics],
    logger: createLogger('test', 'silent'),
  }).text();
  expect(text).toMatch(/^tieout_matching_batch_duration_seconds_count\{.*kind="pairs",engine="reference".*\} 0$/m);
  expect(text).toMatch(/^tieout_webhook_deliveries_total\{status="abandoned".*\} 0$/m);
});

const rules = read('ops/prometheus/alerts.yml');
const anchors = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    String(title)
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );

test('every alert leads to an entry of the runbook', () => {
  const alerts = rules.split(/^ +- alert: /m).slice(1);
  const entries = anchors(read('docs/how-to/runbook.md'));
  const lost = alerts.filter(
    (alert) => !entries.includes(/runbook_url: docs\/how-to\/runbook\.md#(\S+)/.exec(alert)?.[1] ?? ''),
  );
  expect(lost.map((alert) => alert.split('\n')[0])).toEqual([]);
  expect(alerts.length).toBeGreaterThan(15);
});

test('the runbook names existing alerts', () => {
  const named = [...read('docs/how-to/runbook.md').matchAll(/^Alerts?: (.+)$/gm)].flatMap(([, list]) =>
    [...String(list).matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );
  expect(new Set(named)).toEqual(new Set([...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)));
});

/** Apps without metrics: the API serves the one, and the other holds no data and may be left out. */
const withoutMetrics = ['console', 'mcp'];

test('an alert fires for each kind of service that is gone', () => {
  const gone = /- alert: KindOfProcessGone\n +expr: (.+)/.exec(rules)?.[1] ?? '';
  const kinds = [...gone.matchAll(/absent\(tieout_build_info\{app="([\w-]+)"\}\)/g)].map(([, app]) => app);
  const services = fs.readdirSync(path.join(root, 'apps')).filter((name) => !withoutMetrics.includes(name));
  expect(kinds.sort()).toEqual(services.sort());
});

test('the commands of the runbook are there for each way to run, and reach Redis in no other way', () => {
  const [before = '', ...entries] = read('docs/how-to/runbook.md').split(/^## (?!Before anything else)/m);
  const ways = [...before.matchAll(/^```\n([^]*?)^```/gm)].map(([, block]) =>
    [...String(block).matchAll(/^(\w+)\(\)/gm)].map(([, name]) => name),
  );
  expect(ways.slice(0, 2)).toEqual([
    ['ops', 'logs', 'redis'],
    ['ops', 'logs', 'redis'],
  ]);
  expect(entries.filter((entry) => entry.includes('redis-cli'))).toEqual([]);
});

test('the runbook names existing services of docker compose', () => {
  const asked = [
    ...read('docs/how-to/runbook.md').matchAll(
      /docker compose (?:exec|restart|stop)(?: -\w+(?: \d+)?)* ([a-z][\w-]*)/g,
    ),
  ].map(([, service]) => service);
  const services = [...read('docker-compose.yml').matchAll(/^ {2}([\w-]+):(?: &[\w-]+)?$/gm)].map(
    ([, service]) => service,
  );
  expect(asked.filter((service) => !services.includes(service))).toEqual([]);
  expect(asked).toContain('redis');
});

describe('the entry of the runbook on a leaked key', () => {
  const entry =
    read('docs/how-to/runbook.md')
      .split(/^## /m)
      .find((text) => text.startsWith('A key has leaked')) ?? '';
  const variable = (name: string): string[] => RegExp(`^${name}='([\\w|]+)'$`, 'm').exec(entry)?.[1]?.split('|') ?? [];
  const [harmless, reads] = [variable('harmless'), variable('reads')];
  const [, changes = ''] = entry.split(/^What it \*\*changed\*\*/m);
  const named = (text: string): string[] => {
    const bullets = [...text.matchAll(/^- [^]*?(?=^- |^$)/gm)].map(([bullet]) => bullet);
    return [...bullets.join('').matchAll(/`([a-z]+[A-Z]\w+)`/g)].map(([, name]) => String(name));
  };
  const operations = [...featureRoutes, ...serviceRoutes(featureRoutes)];
  const readOnly = [
    'previewFile',
    'previewDatasetFields',
    'previewRuleSet',
    'evaluateRuleSet',
    'exportEvaluation',
    'exportRecords',
  ];

  test('names each operation once: as harmless, as reading or as changing', () => {
    const all = [...harmless, ...reads, ...named(changes)].sort();
    expect(all).toEqual(operations.map(({ operationId }) => operationId).sort());
  });

  test.each(operations.map(({ operationId, method, access }) => [operationId, method, access] as const))(
    '%s stands where it belongs',
    (id, method, access) => {
      const isChange = method !== 'get' && !readOnly.includes(id);
      const shows = access.kind === 'tenant' && (access.records !== 'none' || access.scope === 'browse:read');
      expect(isChange ? named(changes) : shows ? reads : harmless).toContain(id);
    },
  );
});

const hasPromtool = spawnSync('promtool', ['--version'], { stdio: 'ignore' }).status === 0;

(hasPromtool ? test : test.skip)('Prometheus accepts the rules, and their own tests pass', () => {
  for (const args of [
    ['check', 'config', '--syntax-only', 'prometheus.yml'],
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stderr } = spawnSync('promtool', args, {
      cwd: path.join(root, 'ops/prometheus'),
      encoding: 'utf8',
    });
    expect({ args, status, stderr: status === 0 ? '' : stderr }).toEqual({ args, status: 0, stderr: '' });
  }
});
