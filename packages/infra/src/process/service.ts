import { setMaxListeners } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../kernel/config';
import { withDeadline } from '../concurrency/deadline';
import { messageOf } from '../kernel/errors';
import { createHttpServer } from '../http-server/http-server';
import { createLogger, type Logger } from '../kernel/logger';
import { observeWhenAnswered, type MetricsHandler } from '../metrics';
import { singleFlight } from '../concurrency/single-flight';

/** Shutdown must end within 10 s of the signal; the last second belongs to the exit itself. */
const shutdownDeadlineMs = 9_000;
/** What the steps of a shutdown have at least, however long work is taken before. */
const shortestShutdownMs = 6_000;
/** Signals so close are one: a terminal sends it to all programs in it, and some of them pass it on to those that they started. */
const sameSignalMs = 1_000;

export interface Service {
  /** Registers a step of the shutdown; steps run last registered first. */
  onShutdown(label: string, close: () => Promise<unknown>): void;
  /** Aborted as soon as the process is asked to stop, before the first step. */
  readonly stopping: AbortSignal;
}

export interface ServiceOptions {
  /** So long after the signal the shutdown begins: until then work that still comes is done. Default 0. */
  drainMs?: number;
}

/** The settings of a process. Faulty ones end it, with a line in its log that names them all. */
export function readSettingsOrExit<T>(app: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    createLogger(app, 'info').fatal({ reason: error.message }, 'could not start');
    return process.exit(1);
  }
}

/**
 * Runs a process: `start` wires it and registers what has to be closed. SIGTERM, SIGINT and the loss of the
 * parent's IPC channel close everything in reverse order and exit 0, also when the deadline passes: others take over what is
 * left. A failure that nobody caught does the same and exits 1. A signal that comes a second or more after
 * the first ends the process at once.
 */
export async function runService(
  logger: Logger,
  start: (service: Service) => Promise<void>,
  { drainMs = 0 }: ServiceOptions = {},
): Promise<void> {
  const steps: { label: string; close: () => Promise<unknown> }[] = [];
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const stop = async (reason: string, code: number, waitMs = 0): Promise<void> => {
    if (stopping.signal.aborted) return;
    logger.info({ reason, ...(waitMs > 0 ? { drainMs: waitMs } : {}) }, 'stopping');
    stopping.abort();
    setTimeout(
      () => {
        logger.warn('shutdown deadline passed; unfinished work is taken over by others');
        process.exit(code);
      },
      Math.max(shutdownDeadlineMs, waitMs + shortestShutdownMs),
    ).unref();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    for (const step of steps.reverse()) {
      try {
        await step.close();
      } catch (error) {
        logger.warn({ step: step.label, reason: messageOf(error) }, 'shutdown step failed');
      }
    }
    logger.info('stopped');
    process.exit(code);
  };
  let signalledMs = -Infinity;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!stopping.signal.aborted) {
      signalledMs = performance.now();
      return void stop(signal, 0, drainMs);
    }
    if (performance.now() - signalledMs < sameSignalMs) return;
    logger.warn({ reason: signal }, 'asked to stop again: ending at once');
    process.exit(1);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  if (process.send) process.on('disconnect', () => void stop('parent gone', 0));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    void stop('uncaught exception', 1);
  });
  process.on('unhandledRejection', (error) => {
    logger.fatal({ err: error }, 'unhandled rejection');
    void stop('unhandled rejection', 1);
  });
  try {
    await start({ onShutdown: (label, close) => steps.push({ label, close }), stopping: stopping.signal });
  } catch (error) {
    // What the shutdown closes under it makes a start fail.
    if (stopping.signal.aborted) return;
    logger.fatal({ err: error }, 'could not start');
    await stop('could not start', 1);
  }
}

/** Named checks of what a process needs to do its work. */
export type ReadinessChecks = Record<string, () => Promise<void>>;

export interface Readiness {
  ready: boolean;
  checks: Record<string, 'ok' | 'failed'>;
}

/** A process that is asked to stop is not ready: work goes to others. */
export const runningCheck = ({ stopping }: Pick<Service, 'stopping'>): ReadinessChecks => ({
  running: () => (stopping.aborted ? Promise.reject(new Error('the process is stopping')) : Promise.resolve()),
});

export const checkTimeoutMs = 2_000;

/** Runs all checks at once, each with a deadline. What fails is told to `onFailed`. */
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

/** For so long what has been seen is kept: anybody may ask, and as often as they like. */
const keptMs = 1_000;
const toldEveryMs = 10_000;

/**
 * Checks that all share who ask meanwhile, and for a second after. The log has what fails when that begins and every ten
 * seconds, and when it is over. A process that is asked to stop says so at once.
 */
export function createReadiness(
  checks: ReadinessChecks,
  logger: Logger,
  stopping?: AbortSignal,
): () => Promise<Readiness> {
  let failures = 0;
  let toldMs = -Infinity;
  const readiness = singleFlight(keptMs, async () => {
    const failed: { check: string; reason: string }[] = [];
    const seen = await checkReadiness(checks, (check, reason) => void failed.push({ check, reason }));
    if (seen.ready) {
      if (failures > 0) logger.info({ failures }, 'ready again');
      [failures, toldMs] = [0, -Infinity];
      return seen;
    }
    failures += 1;
    if (performance.now() - toldMs < toldEveryMs) return seen;
    toldMs = performance.now();
    for (const each of failed) logger.warn({ ...each, failures }, 'not ready');
    return seen;
  });
  stopping?.addEventListener('abort', readiness.forget);
  return readiness;
}

const healthRoutes = ['/healthz', '/readyz', '/metrics'];

/** Serves GET /healthz, /readyz and /metrics for a process without an HTTP interface of its own. Port 0 takes a free one. */
export async function serveHealth(
  service: Service,
  logger: Logger,
  options: { host: string; port: number; checks: ReadinessChecks; metrics: MetricsHandler },
): Promise<number> {
  const readiness = createReadiness({ ...options.checks, ...runningCheck(service) }, logger, service.stopping);
  const server = createHttpServer((request, response) => {
    const [path] = (request.url ?? '').split('?');
    observeWhenAnswered(
      request,
      response,
      healthRoutes.find((route) => route === path),
    );
    const reply = (status: number, body: object): void => {
      response
        .writeHead(status, {
          'content-type': 'application/json',
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
        })
        .end(JSON.stringify(body));
    };
    if (path === '/healthz') return reply(200, { status: 'ok' });
    if (path === '/readyz') {
      void readiness().then(({ ready, checks }) =>
        reply(ready ? 200 : 503, { status: ready ? 'ok' : 'error', checks }),
      );
      return;
    }
    if (path === '/metrics') return options.metrics(request, response);
    reply(404, {
      status: 'error',
      code: 'route_not_found',
      message: 'Only /healthz, /readyz and /metrics are served here',
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  service.onShutdown('health server', () => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}
