import type { PreviewedPair } from '../../api/rules';

/** On how many of the scored pairs an expression fails, and the first reason. */
export interface FailureCount {
  count: number;
  of: number;
  message: string;
}

/** The failures by the id of their expression: `jsonataExpr`, the id of a matcher, or `filters/0` and so on. */
export type FailureCounts = ReadonlyMap<string, FailureCount>;

export function failuresOf(pairs: readonly PreviewedPair[]): FailureCounts {
  const found = new Map<string, FailureCount>();
  for (const { error } of pairs) {
    if (error === undefined) continue;
    const { count, message } = found.get(error.expression) ?? { count: 0, message: error.message };
    found.set(error.expression, { count: count + 1, of: pairs.length, message });
  }
  return found;
}

/** The failures of all expressions together; undefined if there are none. A pair fails with one expression. */
export function failureOfAll(failures: FailureCounts): FailureCount | undefined {
  const [first, ...others] = failures.values();
  return first && { ...first, count: others.reduce((sum, { count }) => sum + count, first.count) };
}
