import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import {
  maxNormalisedCharacters,
  normaliseInPlace,
  type NormalisedRecord,
  type NormaliseRecords,
  type RecordError,
} from '@tieout/domain';
import { runningTimeout, type Logger } from '@tieout/infra';
import { cellCount, cells, type NormaliseResult, type NormaliseTask } from './normalise-task';

export interface IsolatedNormaliserOptions {
  /** Heap of the thread in MiB. */
  heapMb: number;
  logger: Logger;
  /** A record that fails after this time counts as a slow failure. */
  slowMs?: number;
  /** Time limit for all expressions on one record. */
  recordTimeoutMs?: number;
  /** JavaScript file of the thread. */
  threadFile?: string;
}

const defaultRecordTimeoutMs = 5_000;
/** Slow failures of one chunk after which the rest of the chunk is given up. */
const maxSlowFailures = 3;
const defaultSlowMs = 500;
/** Grace of the current record when the time slice is over: a new thread costs more than a short wait. */
const lastRecordGraceMs = 500;

interface Failure {
  code: string;
  message: string;
}

/** The result of a task: all records, those before the one that stopped the thread, or those of the time slice. */
interface Run {
  done: NormalisedRecord[];
  /** True if the thread is idle, and may take another task. */
  isIdle: boolean;
  /** True if the thread has produced the max characters of a slice. */
  isFull: boolean;
  slowFailures: RecordError[];
  failure?: Failure;
}

/**
 * Creates a normaliser that runs expressions in a thread, which can be terminated: an expression that never ends
 * (endless backtracking of a regular expression cannot be interrupted otherwise) or fills the memory fails its own
 * record, and the rest of the chunk continues in a new thread. After `maxSlowFailures` the remaining records fail
 * untried, since chunks of other tenants wait for this one. The thread has one chunk at a time; further calls wait.
 */
export function createIsolatedNormaliser(options: IsolatedNormaliserOptions): NormaliseRecords {
  let thread: Worker | undefined;
  let tasks = 0;
  const inThread: NormaliseRecords = async (fields, records, sliceMs) => {
    const results: NormalisedRecord[] = [];
    thread ??= await startThread(options);
    // The slice begins after the start, which may take longer on a busy machine and leave time for one record only.
    let endMs = performance.now() + (sliceMs ?? Infinity);
    const slowFailures: RecordError[] = [];
    while (results.length < records.length && (results.length === 0 || performance.now() < endMs)) {
      const lastSlow = slowFailures[maxSlowFailures - 1];
      if (lastSlow) {
        const error = givenUp(lastSlow);
        results.push(...records.slice(results.length).map((): NormalisedRecord => ({ status: 'failed', error })));
        break;
      }
      thread ??= await startThread(options);
      const progress = new Int32Array(new SharedArrayBuffer(cellCount * Int32Array.BYTES_PER_ELEMENT));
      const task = {
        number: ++tasks,
        fields,
        records: records.slice(results.length),
        maxCharacters: sliceMs === undefined ? Infinity : maxNormalisedCharacters,
        progress,
      };
      const {
        done,
        failure,
        isIdle,
        isFull,
        slowFailures: seen,
      } = await runTask(thread, task, options, { slowFailures: maxSlowFailures - slowFailures.length, endMs });
      results.push(...done);
      slowFailures.push(...seen);
      if (failure) {
        const error = { field: fields[Atomics.load(progress, cells.field)]?.key ?? '', value: null, ...failure };
        options.logger.warn({ field: error.field, code: error.code }, 'an expression was stopped');
        results.push({ status: 'failed', error });
        slowFailures.push(error);
      }
      // The slice now lasts until the chunk is given up: another slice would begin with the next slow record.
      if (slowFailures.length > 0) endMs = Infinity;
      if (isFull) break;
      if (isIdle) continue;
      await thread.terminate();
      thread = undefined;
    }
    return results;
  };
  let previous: Promise<unknown> = Promise.resolve();
  return (fields, records, sliceMs) => {
    if (fields.every((field) => field.transformExpr === null)) return normaliseInPlace(fields, records, sliceMs);
    const own = previous.then(() => inThread(fields, records, sliceMs));
    // The caller gets the failure; the next chunk only waits for the end.
    previous = own.catch(() => undefined);
    return own;
  };
}

const givenUp = ({ field, message }: RecordError): RecordError => ({
  field,
  value: null,
  code: 'transform_timeout',
  message:
    `not evaluated: ${maxSlowFailures} records of the same chunk took long and failed, ` +
    `the last one with: ${message}`,
});

/** Resolves when the thread runs, so that its start does not count as time of the first record. */
async function startThread(options: IsolatedNormaliserOptions): Promise<Worker> {
  const worker = new Worker(options.threadFile ?? path.join(__dirname, 'normaliser-thread.js'), {
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
  });
  await once(worker, 'message');
  // An idle thread that fails is replaced; without a listener its error would end the process.
  worker.on('error', (error) => options.logger.debug({ reason: error.message }, 'normaliser thread'));
  worker.unref();
  return worker;
}

/** Runs a task until all records are done, `limits.slowFailures` is reached, or the time slice is over. */
function runTask(
  worker: Worker,
  task: NormaliseTask,
  options: IsolatedNormaliserOptions,
  limits: { slowFailures: number; endMs: number },
): Promise<Run> {
  const timeoutMs = options.recordTimeoutMs ?? defaultRecordTimeoutMs;
  return new Promise((resolve) => {
    const done: NormalisedRecord[] = [];
    const slowFailures: RecordError[] = [];
    let startedMs = performance.now();
    let last: NodeJS.Timeout | undefined;
    const settle = (run: { isIdle?: boolean; isFull?: boolean; failure?: Failure } = {}): void => {
      timer.clear();
      clearTimeout(last);
      worker.off('message', onResult);
      worker.off('error', onError);
      worker.off('exit', onExit);
      resolve({ done, isIdle: false, isFull: false, ...run, slowFailures });
    };
    const onResult = ({ task: number, record: result, isFull }: NormaliseResult): void => {
      if (number !== task.number)
        return settle({ failure: { code: 'transform_failed', message: 'the thread answered for other records' } });
      if (!result) return settle({ isIdle: true, isFull: isFull === true });
      done.push(result);
      timer.refresh();
      const nowMs = performance.now();
      if (result.status === 'failed' && nowMs - startedMs >= (options.slowMs ?? defaultSlowMs))
        slowFailures.push(result.error);
      startedMs = nowMs;
      if (slowFailures.length >= limits.slowFailures) return settle();
      if (slowFailures.length > 0 || nowMs < limits.endMs) return;
      Atomics.store(task.progress, cells.isOver, 1);
      last ??= setTimeout(settle, lastRecordGraceMs);
    };
    const onError = (error: Error): void => {
      const outOfMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
      const failure = outOfMemory
        ? { code: 'transform_out_of_memory', message: 'transform_expr used too much memory' }
        : { code: 'transform_failed', message: `transform_expr failed: ${error.message}` };
      settle({ failure });
    };
    const onExit = (): void =>
      settle({ failure: { code: 'transform_failed', message: 'transform_expr ended its thread' } });
    const timer = runningTimeout(timeoutMs, () =>
      settle({ failure: { code: 'transform_timeout', message: `transform_expr took longer than ${timeoutMs} ms` } }),
    );
    worker.on('message', onResult);
    worker.on('error', onError);
    worker.on('exit', onExit);
    worker.postMessage(task);
  });
}
