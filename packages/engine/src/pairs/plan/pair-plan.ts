import type { Expression } from '../../expression/types';
import { cheapCalls } from './pure-calls';
import { ColumnPlan, childrenOf } from './column-plan';
import { lowerExpression } from './lowering';
import type { PairColumn, PairNode } from './nodes';
import type { Side } from '../../values/types';

/** An expression of a rule set with its id. */
export interface PlannedExpression {
  /** `jsonataExpr`, a matcher id, or `filters/0`… */
  id: string;
  root: PairNode;
}

/**
 * Plan for the pairs of a rule set, the same for all its batches: the columns of each side and what remains for
 * each pair.
 */
export interface PairPlan {
  columns: Readonly<Record<Side, readonly PairColumn[]>>;
  dictionaries: number;
  filters: readonly PlannedExpression[];
  /** The expression of a `jsonata` rule set, or the gate of a batch. */
  main: PlannedExpression | null;
  /** Matchers in definition order; null for a `jsonata` rule set. */
  matchers: readonly PlannedExpression[] | null;
  /** True if pairs need the records themselves, not only their columns. */
  needsRecords: boolean;
}

export interface PlannedExpressions {
  filters: readonly { id: string; expression: Expression }[];
  main: { id: string; expression: Expression } | null;
  matchers: readonly { id: string; expression: Expression }[] | null;
}

/** Plans the evaluation of pairs: lowers each expression and shares columns and dictionaries among them. */
export function planPairs(expressions: PlannedExpressions): PairPlan {
  const columns = new ColumnPlan();
  const planned = ({ id, expression }: { id: string; expression: Expression }): PlannedExpression => ({
    id,
    root: lowerExpression(expression, columns),
  });
  const filters = expressions.filters.map(planned);
  const main = expressions.main === null ? null : planned(expressions.main);
  const matchers = expressions.matchers?.map(planned) ?? null;
  const roots = [...filters, ...(main === null ? [] : [main]), ...(matchers ?? [])].map(({ root }) => root);
  columns.assignDictionaries(roots);
  return {
    columns: columns.columns,
    dictionaries: columns.dictionaryCount,
    filters,
    main,
    matchers,
    needsRecords: columns.mayNeedReference || roots.some(readsRecords),
  };
}

function readsRecords(root: PairNode): boolean {
  return root.kind === 'pair' || childrenOf(root).some(readsRecords);
}

/** 0: only columns, comparisons and arithmetic. 1: more than that. 2: the reference evaluator. */
export type CostClass = 0 | 1 | 2;

export function costOf(expression: Expression, root: PairNode): CostClass {
  if (expression.mode === 'reference') return 2;
  return isCheap(root) ? 0 : 1;
}

function isCheap(node: PairNode): boolean {
  if (node.kind === 'pair' || node.kind === 'operation') return false;
  return (node.kind !== 'call' || cheapCalls.has(node.name)) && childrenOf(node).every(isCheap);
}

/** Returns the number of function calls that deciding on a pair may take, without cheap ones. */
export function callsOf({ filters, main, matchers }: PairPlan): number {
  const count = (node: PairNode): number => {
    const isCall = node.kind === 'pair' || (node.kind === 'call' && !cheapCalls.has(node.name));
    return childrenOf(node).reduce((sum, child) => sum + count(child), isCall ? 1 : 0);
  };
  const planned = [...filters, ...(main === null ? [] : [main]), ...(matchers ?? [])];
  return planned.reduce((sum, { root }) => sum + count(root), 0);
}
