import type { AddressInfo } from 'node:net';
import { singleFlight } from '../concurrency/single-flight';
import { withDeadline } from '../concurrency/timeouts';
import { createHttpServer } from '../http-server/http-server';
import { messageOf } from '../kernel/errors';
import type { Logger } from '../kernel/logger';
import { observeWhenAnswered, type MetricsHandler } from '../metrics';
import type { Service } from './service';

/** Named checks of the dependencies that a process needs for its work. */
export type ReadinessChecks = Record<string, () => Promise<void>>;

export interface Readiness {
  ready: boolean;
  checks: Record<string, 'ok' | 'failed'>;
}

/** Fails once the process is asked to stop: new work goes to other processes. */
export const runningCheck = ({ stopping }: Pick<Service, 'stopping'>): ReadinessChecks => ({
  running: () => (stopping.aborted ? Promise.reject(new Error('the process is stopping')) : Promise.resolve()),
});

export const checkTimeoutMs = 2_000;

/** Runs all checks at once, each with a deadline, and reports each failure to `onFailed`. */
export async function checkReadiness(
  checks: ReadinessChecks,
  onFailed?: (check: string, reason: string) => void,
): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withDeadline(check(), checkTimeoutMs, `no answer in ${checkTimeoutMs} ms`);
        return [name, 'ok'] as const;
      } catch (error) {
        onFailed?.(name, messageOf(error));
        return [name, 'failed'] as const;
      }
    }),
  );
  return { ready: results.every(([, state]) => state === 'ok'), checks: Object.fromEntries(results) };
}

/** Anybody may ask for the readiness, however often: the result is reused for this long. */
const keptMs = 1_000;
const logEveryMs = 10_000;

/** Decides by the results of all checks whether the process can do some of its work. */
type IsEnough = (results: Readiness['checks']) => boolean;

/**
 * Creates a readiness check whose result all callers within a second share. It logs failed checks when a failure begins
 * and every ten seconds, and the recovery. When the process is asked to stop, the next call runs the checks again.
 * @param isEnough default: all checks have to pass
 */
export function createReadiness(
  checks: ReadinessChecks,
  logger: Logger,
  stopping?: AbortSignal,
  isEnough: IsEnough = (results) => Object.values(results).every((state) => state === 'ok'),
): () => Promise<Readiness> {
  let failures = 0;
  let loggedMs = -Infinity;
  const readiness = singleFlight(keptMs, async () => {
    const failed: { check: string; reason: string }[] = [];
    const { checks: results } = await checkReadiness(checks, (check, reason) => void failed.push({ check, reason }));
    const result = { ready: isEnough(results), checks: results };
    if (failed.length === 0) {
      if (failures > 0) logger.info({ failures }, 'ready again');
      [failures, loggedMs] = [0, -Infinity];
      return result;
    }
    failures++;
    if (performance.now() - loggedMs < logEveryMs) return result;
    loggedMs = performance.now();
    const message = result.ready ? 'a part is not ready' : 'not ready';
    for (const each of failed) logger.warn({ ...each, failures }, message);
    return result;
  });
  stopping?.addEventListener('abort', readiness.forget);
  return readiness;
}

const healthRoutes = ['/healthz', '/readyz', '/metrics'];
const jsonHeaders = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};
const notFound = {
  status: 'error',
  code: 'route_not_found',
  message: 'Only /healthz, /readyz and /metrics are served here',
};

/** Serves GET /healthz, /readyz and /metrics for a process without its own HTTP server. Port 0 picks a free port. */
export async function serveHealth(
  service: Service,
  logger: Logger,
  options: { host: string; port: number; checks: ReadinessChecks; metrics: MetricsHandler },
): Promise<number> {
  const readiness = createReadiness({ ...options.checks, ...runningCheck(service) }, logger, service.stopping);
  const server = createHttpServer((request, response) => {
    const [path = ''] = (request.url ?? '').split('?');
    observeWhenAnswered(request, response, healthRoutes.includes(path) ? path : undefined);
    const reply = (status: number, body: object): void =>
      void response.writeHead(status, jsonHeaders).end(JSON.stringify(body));
    if (path === '/healthz') return reply(200, { status: 'ok' });
    if (path === '/metrics') return options.metrics(request, response);
    if (path !== '/readyz') return reply(404, notFound);
    void readiness().then(({ ready, checks }) => reply(ready ? 200 : 503, { status: ready ? 'ok' : 'error', checks }));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  service.onShutdown('health server', () => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}
