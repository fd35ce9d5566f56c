import { counted } from '@tieout/engine';
import {
  ExpressionTimeoutError,
  maxHeavyFailures,
  SlowFiltersError,
  TooManyPairsError,
  type JobError,
} from '../jobs/errors';
import { TrialTooLargeError } from './held-side';

const timeoutCode = 'expression_timeout';

/** Returns the reason why a trial failed, for its tenant; undefined for a failure of the service. */
export function trialFailure(error: unknown): JobError | undefined {
  if (error instanceof TooManyPairsError) return { code: 'too_many_pairs', message: error.message };
  if (error instanceof TrialTooLargeError) {
    const message =
      `The ${error.side} records take more memory than a simulation may use: leave records out with a filter that ` +
      `names this side, or read fewer or shorter fields`;
    return { code: 'too_many_records', message };
  }
  if (error instanceof ExpressionTimeoutError) {
    const last = error.failures.at(-1);
    const message =
      `Expressions ran into their limits ${maxHeavyFailures} times, the last time "${last?.expression ?? ''}" with ` +
      `${last?.code ?? ''}: simplify them`;
    return { code: timeoutCode, message };
  }
  if (!(error instanceof SlowFiltersError)) return undefined;
  const message =
    `Filters that read one record took ${(error.tookMs / 1000).toFixed(1)} s for ` +
    `${counted(error.records, 'record')}. Let them do less, or compute what they ask for once, in a field with ` +
    'transform_expr';
  return { code: timeoutCode, message };
}
