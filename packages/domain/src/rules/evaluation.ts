import { ruleSetReferences, sampledPairs } from '@tieout/engine';
import {
  AppError,
  ChildDiedError,
  createChildPool,
  outOfMemorySignal,
  serveChild,
  type ChildPool,
  type ChildPoolOptions,
} from '@tieout/infra';
import { fieldValues, identifyBodies } from '../data/records';
import type { Evaluator } from '../kernel/ports';
import { checkRuleSet, runCandidates, runPreview } from './rule-sets';

/** Evaluates in this process, for a process that may block, such as a worker's child process. */
export const inPlaceEvaluator = (): Evaluator => ({
  check: checkRuleSet,
  references: (definition) => Promise.resolve(ruleSetReferences(definition)),
  samplePairs: sampledPairs,
  preview: runPreview,
  candidates: runCandidates,
  identify: identifyBodies,
  fieldValues,
});

/** A process may be killed for other reasons than the request, but not every time. */
const maxTries = 3;

/** Evaluates in child processes, whose file calls `serveEvaluations`. */
export function childProcessEvaluator(options: ChildPoolOptions): Evaluator & Pick<ChildPool, 'close' | 'usage'> {
  const pool = createChildPool(options);
  const outOfMemory = (cause: ChildDiedError): AppError =>
    new AppError(
      'expression_memory',
      `The expressions need more memory than the ${options.heapMb} MB that a process has: ` +
        'let them build smaller texts, arrays and objects',
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
        if (tries === maxTries) throw killed(error);
      }
    }
  };
  return {
    check: (request) => evaluate('check', request),
    references: (definition) => evaluate('references', definition),
    samplePairs: (request) => evaluate('samplePairs', request),
    preview: (request) => evaluate('preview', request),
    candidates: (request) => evaluate('candidates', request),
    identify: (request) => evaluate('identify', request),
    fieldValues: (request) => evaluate('fieldValues', request),
    usage: () => pool.usage(),
    close: () => pool.close(),
  };
}

/** Runs in the child process of `childProcessEvaluator`. */
export function serveEvaluations(): void {
  const evaluator = inPlaceEvaluator();
  serveChild({ ...evaluator });
}
