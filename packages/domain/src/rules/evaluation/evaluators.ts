import {
  AppError,
  ChildDiedError,
  createChildPool,
  outOfMemorySignal,
  serveChild,
  type ChildPool,
  type ChildPoolOptions,
} from '@tieout/infra';
import { identifyBodies } from '../../data/records';
import { checkRuleSet, runPreview } from '../rule-sets';
import type { Evaluator } from './evaluator';

/** Evaluates in this process: for one that may block, such as a worker's child process. */
export const inPlaceEvaluator = (): Evaluator => ({
  check: checkRuleSet,
  preview: runPreview,
  identify: identifyBodies,
});

/** A process may be killed for what has nothing to do with the request; one that is killed each time may have to do with it. */
const mostTries = 3;

/** Evaluates in child processes that run a file which calls `serveEvaluations`. */
export function childProcessEvaluator(options: ChildPoolOptions): Evaluator & Pick<ChildPool, 'close' | 'usage'> {
  const pool = createChildPool(options);
  const outOfMemory = (cause: ChildDiedError): AppError =>
    new AppError(
      'expression_memory',
      `The expressions need more memory than the ${options.heapMb} MB that a process has: let them build smaller texts, arrays and objects`,
      { cause },
    );
  const killed = (cause: ChildDiedError): AppError =>
    new AppError('service_unavailable', 'The process that evaluates expressions was ended: send the request again', {
      cause,
      retryAfterSeconds: 1,
    });
  const evaluate = async <T>(method: string, request: unknown): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await pool.call<T>(method, request);
      } catch (error) {
        if (!(error instanceof ChildDiedError)) throw error;
        if (error.signal === outOfMemorySignal) throw outOfMemory(error);
        if (tries === mostTries) throw killed(error);
      }
    }
  };
  return {
    check: (request) => evaluate('check', request),
    preview: (request) => evaluate('preview', request),
    identify: (request) => evaluate('identify', request),
    usage: pool.usage,
    close: () => pool.close(),
  };
}

/** The child's side of `childProcessEvaluator`. */
export function serveEvaluations(): void {
  const evaluator = inPlaceEvaluator();
  serveChild({ check: evaluator.check, preview: evaluator.preview, identify: evaluator.identify });
}
