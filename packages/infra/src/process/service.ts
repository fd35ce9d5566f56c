import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError, messageOf } from '../kernel/errors';
import { createLogger, type Logger } from '../kernel/logger';

/** A shutdown must end within 10 s of the signal; the last second is for the exit itself. */
const shutdownDeadlineMs = 9_000;
/** The shutdown steps have at least this long, however long the process drains before. */
const minShutdownMs = 6_000;
/** Signals within this time count as one: a terminal signals all programs, and some pass the signal on. */
const sameSignalMs = 1_000;

export interface Service {
  /** Registers a step of the shutdown; the step registered last runs first. */
  onShutdown(label: string, close: () => Promise<unknown>): void;
  /** Aborted as soon as the process is asked to stop, before the first step. */
  readonly stopping: AbortSignal;
}

interface ServiceOptions {
  /** Delays the shutdown after the signal; work that arrives until then is done. Default: 0. */
  drainMs?: number;
}

/** Reads the settings of a process. Invalid ones end the process with one log line that names them all. */
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
 * Runs a process: `start` wires it and registers what must be closed. SIGTERM, SIGINT and the loss of the parent's IPC
 * channel close everything in reverse order and exit with 0, also when the deadline passes: other processes take over
 * unfinished work. An uncaught error does the same and exits with 1. A second signal, a second or more after the first,
 * ends the process at once.
 */
export async function runService(
  logger: Logger,
  start: (service: Service) => Promise<void>,
  { drainMs = 0 }: ServiceOptions = {},
): Promise<void> {
  const shutdown = new Shutdown(logger);
  let signalledMs = -Infinity;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (!shutdown.stopping.aborted) {
      signalledMs = performance.now();
      return void shutdown.run(signal, 0, drainMs);
    }
    if (performance.now() - signalledMs < sameSignalMs) return;
    logger.warn({ reason: signal }, 'asked to stop again: ending at once');
    process.exit(1);
  };
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  if (process.send) process.on('disconnect', () => void shutdown.run('parent gone', 0));
  const onFatal = (reason: string, error: unknown): void => {
    logger.fatal({ err: error }, reason);
    void shutdown.run(reason, 1);
  };
  process.on('uncaughtException', (error) => onFatal('uncaught exception', error));
  process.on('unhandledRejection', (error) => onFatal('unhandled rejection', error));
  try {
    await start(shutdown);
  } catch (error) {
    // A shutdown closes what the start still uses and so makes it fail.
    if (shutdown.stopping.aborted) return;
    logger.fatal({ err: error }, 'could not start');
    await shutdown.run('could not start', 1);
  }
}

class Shutdown implements Service {
  private readonly steps: { label: string; close: () => Promise<unknown> }[] = [];
  private readonly controller = new AbortController();
  readonly stopping = this.controller.signal;

  constructor(private readonly logger: Logger) {
    setMaxListeners(0, this.stopping);
  }

  readonly onShutdown: Service['onShutdown'] = (label, close) => void this.steps.push({ label, close });

  /** Drains, runs the steps and ends the process. Further calls do nothing. */
  async run(reason: string, exitCode: number, drainMs = 0): Promise<void> {
    if (this.stopping.aborted) return;
    this.logger.info({ reason, ...(drainMs > 0 ? { drainMs } : {}) }, 'stopping');
    this.controller.abort();
    const onDeadline = (): void => {
      this.logger.warn('shutdown deadline passed; unfinished work is taken over by others');
      process.exit(exitCode);
    };
    setTimeout(onDeadline, Math.max(shutdownDeadlineMs, drainMs + minShutdownMs)).unref();
    if (drainMs > 0) await sleep(drainMs);
    for (const { label, close } of this.steps.reverse()) {
      try {
        await close();
      } catch (error) {
        this.logger.warn({ step: label, reason: messageOf(error) }, 'shutdown step failed');
      }
    }
    this.logger.info('stopped');
    process.exit(exitCode);
  }
}
