import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isDatabaseUnavailable, type DatabaseUsage } from '../db';
import { AppError, messageOf, stackOf } from '../kernel/errors';
import { withContext, type Logger } from '../kernel/logger';
import { collectMeasures } from '../metrics';
import { reportEveryMs, type ChildAnswer, type ChildCall, type ChildMessage, type ChildReport } from './child-protocol';

type Methods = Record<string, (argument: never) => Promise<unknown>>;

interface ServeChildOptions {
  /** Logs the error that ends the process. */
  logger?: Logger;
  /** Reads the usage of this process's connection pool. */
  database?: () => DatabaseUsage;
}

/** Runs in a child process: answers calls by method name until the parent goes away. */
export function serveChild(methods: Methods, { logger, database }: ServeChildOptions = {}): void {
  const takeMeasures = collectMeasures();
  reportUsage(database);
  if (logger) {
    process.on('uncaughtException', (error) => {
      logger.fatal({ err: error }, 'uncaught exception');
      process.exit(1);
    });
  }
  process.on('disconnect', () => process.exit(0));
  // Ctrl-C reaches the whole process group, and a service manager may signal every process; the parent decides when
  // this one ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('message', (call: ChildCall) => {
    void withContext(call.context, async () => {
      const startedMs = performance.now();
      const reply = await answer(methods, call);
      logger?.debug({ method: call.method, durationMs: Math.round(performance.now() - startedMs) }, 'call answered');
      return reply;
    }).then((reply) => send({ ...reply, measures: takeMeasures() }));
  });
  send({ ready: true });
}

/** Sends a message to the parent. When the parent is gone, this process ends. */
function send(message: ChildMessage): void {
  process.send?.(message, undefined, undefined, (error: Error | null) => {
    if (error) process.exit(0);
  });
}

function reportUsage(database: (() => DatabaseUsage) | undefined): void {
  const lag = monitorEventLoopDelay();
  lag.enable();
  const report = (): void => {
    const current: ChildReport = {
      residentBytes: process.memoryUsage.rss(),
      lagSeconds: lag.max / 1e9,
      ...(database ? { database: database() } : {}),
    };
    lag.reset();
    send({ report: current });
  };
  report();
  setInterval(report, reportEveryMs).unref();
}

async function answer(methods: Methods, { method, argument }: ChildCall): Promise<Omit<ChildAnswer, 'measures'>> {
  try {
    const run = methods[method];
    if (!run) throw new Error(`unknown method ${method}`);
    return { value: await run(argument as never) };
  } catch (error) {
    const stack = error instanceof Error ? { stack: stackOf(error) } : {};
    if (error instanceof AppError) {
      const { code, message, errors } = error;
      return { error: { code, message, ...(errors ? { errors: [...errors] } : {}), ...stack } };
    }
    const code = isDatabaseUnavailable(error) ? 'service_unavailable' : 'internal_error';
    return { error: { code, message: messageOf(error), ...stack } };
  }
}
