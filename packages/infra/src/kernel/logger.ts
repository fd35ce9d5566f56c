import { AsyncLocalStorage } from 'node:async_hooks';
import { destination, pino, type DestinationStream, type Logger, type LoggerOptions } from 'pino';
import { messageOf, stackOf } from './errors';

export type { Logger };

/** The fields that every log line about one piece of work carries. */
export interface WorkContext {
  requestId?: string;
  tenantId?: string;
  /** The name and id of the queue job. */
  queueJob?: string;
  /** Ids of the rows that the work concerns: jobId of a matching job, fileId, itemId, … */
  [rowId: `${string}Id`]: string;
}

/**
 * Selects the logged properties of an error. Others are left out: drivers put statements, values and credentials there.
 */
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

/** Runs `fn` with a context that its log lines carry; inner values override outer ones. */
export function withContext<T>(context: WorkContext, fn: () => T): T {
  return storage.run({ ...storage.getStore(), ...context }, fn);
}

/** Runs `fn` without a context: what it starts outlives the current work. */
export const withoutContext = <T>(fn: () => T): T => storage.run({}, fn);

/** Adds fields to the context of the current work. */
export function extendContext(context: WorkContext): void {
  Object.assign(storage.getStore() ?? {}, context);
}

/** Gives the context of the current work; {} outside of any. */
export function currentContext(): WorkContext {
  return storage.getStore() ?? {};
}

/** The bytes of the log that are kept while it cannot be written. */
const maxKeptBytes = 1024 * 1024;

/**
 * Opens stdout for synchronous writes: a process whose reader is gone must still be able to exit, and pino's buffered
 * writer would retry its last lines for ever. Lines that cannot be written, as on a full disk, are kept for the next
 * successful write, or lost.
 *
 * @param onLost called with the number of lost lines, once there is room again
 */
function standardOutput(onLost: (lines: number) => void): DestinationStream {
  // When the kept lines are at their limit, only `flush` writes them, and `flush` does nothing without `minLength`.
  const stream = destination({ dest: 1, sync: true, minLength: 1, maxLength: maxKeptBytes });
  let lost = 0;
  const reportLost = (): void => {
    const lines = lost;
    lost = 0;
    onLost(lines);
  };
  stream.on('error', () => undefined);
  stream.on('drop', () => {
    if (lost === 0) stream.once('drain', reportLost);
    lost++;
    stream.flush();
  });
  // The stream itself is not returned: its `flushSync`, which pino calls after a fatal line, would wait for room for
  // ever.
  return { write: (line) => void stream.write(line) };
}

/** Creates a logger of JSON lines on stdout. Keys and secrets are redacted even when they are logged by mistake. */
export function createLogger(name: string, level: string): Logger {
  const options: LoggerOptions = {
    name,
    level,
    mixin: currentContext,
    // Object.assign, not a spread: V8 gives a property that is added to a spread copy a new hidden class each time.
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
