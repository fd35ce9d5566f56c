import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withDeadline } from './deadline';
import { messageOf } from './errors';
import type { Logger } from './logger';
import type { MetricsHandler } from './metrics';

/** Shutdown must end within 10 s of the signal; the last second belongs to the exit itself. */
const shutdownDeadlineMs = 9_000;

export interface Service {
  /** Registers a step of the shutdown; steps run last registered first. */
  onShutdown(label: string, close: () => Promise<unknown>): void;
}

/**
 * Runs a process: `start` wires it and registers what has to be closed. SIGTERM, SIGINT and the loss of the
 * parent's IPC channel close everything in reverse order and exit 0, or exit 1 when the deadline passes.
 */
export async function runService(logger: Logger, start: (service: Service) => Promise<void>): Promise<void> {
  const steps: { label: string; close: () => Promise<unknown> }[] = [];
  let stopping = false;
  const stop = async (reason: string, code: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    setTimeout(() => {
      logger.warn('shutdown deadline passed; unfinished work is taken over by others');
      process.exit(code);
    }, shutdownDeadlineMs).unref();
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
  process.on('SIGTERM', () => void stop('SIGTERM', 0));
  process.on('SIGINT', () => void stop('SIGINT', 0));
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
    await start({ onShutdown: (label, close) => steps.push({ label, close }) });
  } catch (error) {
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

export const checkTimeoutMs = 2_000;

/** Runs all checks at once, each with a deadline. */
export async function checkReadiness(checks: ReadinessChecks, logger: Logger): Promise<Readiness> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      try {
        await withDeadline(check(), checkTimeoutMs, `no answer in ${checkTimeoutMs} ms`);
        return [name, 'ok'] as const;
      } catch (error) {
        logger.warn({ check: name, reason: messageOf(error) }, 'not ready');
        return [name, 'failed'] as const;
      }
    }),
  );
  return { ready: results.every(([, state]) => state === 'ok'), checks: Object.fromEntries(results) };
}

/** Serves GET /healthz, /readyz and /metrics for a process without an HTTP interface of its own. Port 0 takes a free one. */
export async function serveHealth(
  service: Service,
  logger: Logger,
  options: { host: string; port: number; checks: ReadinessChecks; metrics: MetricsHandler },
): Promise<number> {
  const server = createServer((request, response) => {
    const reply = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/healthz') return reply(200, { status: 'ok' });
    if (request.url === '/readyz') {
      void checkReadiness(options.checks, logger).then((readiness) =>
        reply(readiness.ready ? 200 : 503, { status: readiness.ready ? 'ok' : 'error', checks: readiness.checks }),
      );
      return;
    }
    if (request.url === '/metrics') return options.metrics(request, response);
    reply(404, { status: 'error', code: 'route_not_found', message: 'Only /healthz, /readyz and /metrics are served here' });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  service.onShutdown('health server', () => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}
