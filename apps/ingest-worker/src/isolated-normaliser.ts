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
  /** A record that fails after so long counts as a slow failure. */
  slowMs?: number;
  /** What the expressions of one record may take together. */
  recordTimeoutMs?: number;
  /** JavaScript file of the thread. */
  threadFile?: string;
}

const defaultRecordTimeoutMs = 5_000;
/** Records of one chunk that may fail after a long time before the rest of the chunk is given up. */
const allowedSlowFailures = 3;
const defaultSlowMs = 500;
/** When a turn is over, the record in hand may end within this: a thread that goes on is dearer than what is lost with it. */
const lastRecordMs = 500;

interface Failure {
  code: string;
  message: string;
}

/** How far the thread came: all records, those before the one that stopped it, or those of its turn. */
interface Run {
  done: NormalisedRecord[];
  /** Whether the thread has nothing in hand. */
  isIdle: boolean;
  /** Whether it has made as much as it may. */
  isFull: boolean;
  slowFailures: RecordError[];
  failure?: Failure;
}

/**
 * A normaliser whose expressions run in a thread that can be ended from outside: one that never ends (a regular
 * expression that backtracks without end cannot be interrupted otherwise) or fills the memory fails its own
 * record, and the rest of the chunk goes on in a new thread. When it happens again and again, the records that are left
 * fail without being tried: other chunks, of other tenants too, wait behind this one. The thread has one chunk at a time,
 * however many are asked for.
 */
export function createIsolatedNormaliser(options: IsolatedNormaliserOptions): NormaliseRecords {
  let thread: Worker | undefined;
  let tasks = 0;
  const inThread: NormaliseRecords = async (fields, records, turnMs) => {
    const results: NormalisedRecord[] = [];
    thread ??= await startThread(options);
    // From here: on a busy machine a start takes longer than a turn, which would then bring one record.
    let endMs = performance.now() + (turnMs ?? Infinity);
    const slowFailures: RecordError[] = [];
    while (results.length < records.length && (results.length === 0 || performance.now() < endMs)) {
      const lastSlow = slowFailures[allowedSlowFailures - 1];
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
        mostMade: turnMs === undefined ? Infinity : maxNormalisedCharacters,
        progress,
      };
      const {
        done,
        failure,
        isIdle,
        isFull,
        slowFailures: seen,
      } = await runTask(thread, task, options, { slowFailures: allowedSlowFailures - slowFailures.length, endMs });
      results.push(...done);
      slowFailures.push(...seen);
      if (failure) {
        const error = { field: fields[Atomics.load(progress, cells.field)]?.key ?? '', value: null, ...failure };
        options.logger.warn({ field: error.field, code: error.code }, 'an expression was stopped');
        results.push({ status: 'failed', error });
        slowFailures.push(error);
      }
      // The turn lasts until the chunk is given up: it would begin with the next slow record.
      if (slowFailures.length > 0) endMs = Infinity;
      if (isFull) break;
      if (isIdle) continue;
      await thread.terminate();
      thread = undefined;
    }
    return results;
  };
  let before: Promise<unknown> = Promise.resolve();
  return (fields, records, turnMs) => {
    if (fields.every((field) => field.transformExpr === null)) return normaliseInPlace(fields, records, turnMs);
    const own = before.then(() => inThread(fields, records, turnMs));
    // Whoever asked is told of a failure; the next chunk only waits for the end.
    before = own.catch(() => undefined);
    return own;
  };
}

const givenUp = ({ field, message }: RecordError): RecordError => ({
  field,
  value: null,
  code: 'transform_timeout',
  message: `not evaluated: ${allowedSlowFailures} records of the same chunk took long and failed, the last one with: ${message}`,
});

/** The thread is up before the clock of the first record starts. */
async function startThread(options: IsolatedNormaliserOptions): Promise<Worker> {
  const worker = new Worker(options.threadFile ?? path.join(__dirname, 'normaliser-thread.js'), {
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb },
  });
  await once(worker, 'message');
  // A thread at rest that fails is replaced; without a listener it would end the process.
  worker.on('error', (error) => options.logger.debug({ reason: error.message }, 'normaliser thread'));
  worker.unref();
  return worker;
}

/** Ends early, without a failure of its own, when so many records have failed after a long time, and when its turn is over. */
function runTask(
  worker: Worker,
  task: NormaliseTask,
  options: IsolatedNormaliserOptions,
  most: { slowFailures: number; endMs: number },
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
      if (slowFailures.length >= most.slowFailures) return settle();
      if (slowFailures.length > 0 || nowMs < most.endMs) return;
      Atomics.store(task.progress, cells.isOver, 1);
      last ??= setTimeout(settle, lastRecordMs);
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
