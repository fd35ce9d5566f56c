import { AsyncLocalStorage } from 'node:async_hooks';
import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { messageOf, stackOf } from './errors';

export type { Logger };

/** What every log line of one piece of work carries. */
export interface WorkContext {
  requestId?: string;
  tenantId?: string;
  /** Name and id of the job in the queue. */
  queueJob?: string;
  /** Rows that the work is about: jobId of a matching job, fileId, itemId, … */
  [rowId: `${string}Id`]: string;
}

/** What the log says of an error. Other properties are left out: drivers put statements, values and credentials there. */
function errorForLog(error: unknown): object {
  if (!(error instanceof Error)) return { message: messageOf(error) };
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    message: messageOf(error),
    ...(typeof code === 'string' ? { code } : {}),
    stack: stackOf(error),
    ...(error.cause === undefined ? {} : { cause: errorForLog(error.cause) }),
  };
}

const storage = new AsyncLocalStorage<WorkContext>();

/** Runs `fn` with a context that its log lines carry; inner values win over outer ones. */
export function withContext<T>(context: WorkContext, fn: () => T): T {
  return storage.run({ ...storage.getStore(), ...context }, fn);
}

/** Runs `fn` as part of no work: what it begins outlives the work that has it begun. */
export const withoutContext = <T>(fn: () => T): T => storage.run({}, fn);

/** Adds to the context of the work in hand what has become known of it. */
export function extendContext(context: WorkContext): void {
  Object.assign(storage.getStore() ?? {}, context);
}

/** The context of the work in hand; {} outside of any. */
export function currentContext(): WorkContext {
  return storage.getStore() ?? {};
}

/** As much of the log as is kept while it cannot be written. */
const keptBytes = 1024 * 1024;

/**
 * stdout, written at once: a process whose reader is gone must still be able to exit, and pino's buffered writer then retries
 * its last lines for ever. What cannot be written, as on a full disk, is kept for the next line that can be, or lost, and
 * harms nobody.
 *
 * @param onLost Told how many lines are lost, once there is room again.
 */
function standardOutput(onLost: (lines: number) => void): DestinationStream {
  // Nothing but `flush` writes what is kept while it is as much as can be, and `flush` does nothing without `minLength`.
  const stream = destination({ dest: 1, sync: true, minLength: 1, maxLength: keptBytes });
  let lost = 0;
  const tell = (): void => {
    const lines = lost;
    lost = 0;
    onLost(lines);
  };
  stream.on('error', () => undefined);
  stream.on('drop', () => {
    if (lost === 0) stream.once('drain', tell);
    lost += 1;
    stream.flush();
  });
  // Its `flushSync`, which pino calls after a fatal line, would wait for room without end.
  return { write: (line) => void stream.write(line) };
}

/** JSON lines on stdout. Keys and secrets are censored even if somebody logs them by mistake. */
export function createLogger(name: string, level: string): Logger {
  const options: LoggerOptions = {
    name,
    level,
    mixin: currentContext,
    // No copy by spreading: what is added to one takes a new shape each time.
    mixinMergeStrategy: (line, context) => Object.assign({}, context, line),
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      bindings: (b) => ({ app: b['name'] as unknown, pid: b['pid'] as unknown }),
    },
    serializers: { err: errorForLog },
    redact: {
      paths: ['*.key', '*.secret', '*.password', '*["x-api-key"]', '*.authorization', 'key', 'secret', 'password'],
      censor: '[redacted]',
    },
  };
  const logger: Logger = pino(
    options,
    standardOutput((lines) => storage.run({}, () => logger.warn({ lines }, 'lines of this log could not be written'))),
  );
  return logger;
}
