import { nestsSequences } from '../../expression/scalar';
import type { ArithmeticOperator, OrderOperator } from '../../expression/scalar/runtime';
import { walk } from '../../expression/syntax';
import type { SyntaxNode } from '../../expression/syntax';
import type { Expression } from '../../expression/types';
import type { ColumnPlan } from './column-plan';
import type { PairInput, PairNode } from './nodes';
import { isContextFree } from './pure-calls';
import { findBindings, isBare, isPlain, isSelfContained, substitute } from './one-sided';
import type { Bindings, SizedTree } from './one-sided';

/**
 * Bounds on expressions that are taken apart; larger ones are evaluated whole, because analysis would cost more
 * than it gains.
 */
const maxNodes = 1_000;
const maxDepth = 200;

interface Variable {
  node: PairNode;
  /** Its value with all variables substituted; null when that is impossible. */
  tree: SizedTree | null;
}

type Scope = ReadonlyMap<string, Variable>;

const noVariables: Scope = new Map();

/** Splits an expression into columns, which one record determines, and the nodes that remain for each pair. */
export function lowerExpression(expression: Expression, columns: ColumnPlan): PairNode {
  const { tree } = expression;
  const whole: PairNode = { kind: 'pair', evaluate: (input) => expression.evaluate(input) };
  if (expression.mode === 'reference' || isTooLarge(tree)) return whole;
  return new Lowering(tree, columns).lower(tree, noVariables) ?? whole;
}

function isTooLarge(tree: SyntaxNode): boolean {
  let nodes = 0;
  let deepest = 0;
  walk(tree, ({ depth }) => {
    nodes++;
    deepest = Math.max(deepest, depth);
  });
  return nodes > maxNodes || deepest > maxDepth;
}

const arithmeticOperators: ReadonlySet<unknown> = new Set<ArithmeticOperator>(['+', '-', '*', '/', '%']);
const orderOperators: ReadonlySet<unknown> = new Set<OrderOperator>(['<', '<=', '>', '>=']);

/** Lowers one expression; each method returns null for a part that it cannot take apart. */
class Lowering {
  private readonly bindings: Bindings;
  /**
   * True if conditions, blocks and variables can be taken apart: they flatten their values, which only shows where
   * sequences can be items of sequences.
   */
  private readonly handsOn: boolean;

  constructor(
    tree: SyntaxNode,
    private readonly columns: ColumnPlan,
  ) {
    this.bindings = findBindings(tree);
    this.handsOn = !nestsSequences(tree);
  }

  lower(node: SyntaxNode, scope: Scope): PairNode | null {
    if (isLiteral(node)) return { kind: 'constant', value: node.value as string | number | boolean | null };
    const variable = node.type === 'variable' && isBare(node) ? scope.get(String(node.value)) : undefined;
    if (variable !== undefined) return variable.node;
    return this.lowerColumn(node, scope) ?? this.lowerParts(node, scope) ?? this.lowerPair(node, scope);
  }

  private lowerColumn(node: SyntaxNode, scope: Scope): PairNode | null {
    const whole = this.selfContained(node, scope);
    const column = whole === null ? null : this.columns.add(whole.tree);
    return column === null ? null : { kind: 'column', column };
  }

  private lowerPair(node: SyntaxNode, scope: Scope): PairNode | null {
    const whole = this.selfContained(node, scope);
    const compiled = whole === null ? null : this.columns.compile(whole.tree);
    if (compiled === null) return null;
    return { kind: 'pair', evaluate: (input: PairInput) => compiled.run(input) };
  }

  private selfContained(node: SyntaxNode, scope: Scope): SizedTree | null {
    const trees = new Map<string, SizedTree>();
    for (const [name, { tree }] of scope) if (tree !== null) trees.set(name, tree);
    const whole = substitute(node, trees, maxNodes);
    return whole !== null && isSelfContained(whole.tree, this.bindings) ? whole : null;
  }

  private lowerParts(node: SyntaxNode, scope: Scope): PairNode | null {
    if (!isPlain(node)) return null;
    switch (node.type) {
      case 'binary':
        return this.lowerBinary(node, scope);
      case 'unary':
        return node.value === '-' ? this.lowerNegation(node, scope) : null;
      case 'condition':
        return this.handsOn ? this.lowerCondition(node, scope) : null;
      case 'block':
        return this.handsOn ? this.lowerBlock(node, scope) : null;
      case 'function':
        return this.lowerCall(node, scope);
      default:
        return null;
    }
  }

  private lowerBinary(node: SyntaxNode, scope: Scope): PairNode | null {
    const operator = node.value;
    const left = this.lower(node.lhs as SyntaxNode, scope);
    const right = node.rhs && this.lower(node.rhs, scope);
    if (left === null || !right) return null;
    const parts = { left, right };
    if (operator === 'and' || operator === 'or') return { kind: 'logical', operator, ...parts };
    if (operator === '=' || operator === '!=') return { kind: 'equality', operator, ...parts };
    if (operator === '&' || operator === 'in') return { kind: 'operation', operator, ...parts };
    if (arithmeticOperators.has(operator))
      return { kind: 'arithmetic', operator: operator as ArithmeticOperator, ...parts };
    return orderOperators.has(operator) ? { kind: 'order', operator: operator as OrderOperator, ...parts } : null;
  }

  private lowerNegation(node: SyntaxNode, scope: Scope): PairNode | null {
    const operand = node.expression && this.lower(node.expression, scope);
    return operand ? { kind: 'negation', operand } : null;
  }

  private lowerCondition(node: SyntaxNode, scope: Scope): PairNode | null {
    const test = node.condition && this.lower(node.condition, scope);
    const then = node.then && this.lower(node.then, scope);
    const otherwise = node.else === undefined ? null : this.lower(node.else, scope);
    if (!test || !then || (node.else !== undefined && otherwise === null)) return null;
    return { kind: 'condition', test, then, otherwise };
  }

  private lowerBlock(node: SyntaxNode, outer: Scope): PairNode | null {
    const inner = new Map(outer);
    const steps: PairNode[] = [];
    for (const expression of node.expressions ?? []) {
      const step = expression.type === 'bind' ? this.lowerBind(expression, inner) : this.lower(expression, inner);
      if (step === null) return null;
      steps.push(step);
    }
    const result = steps.pop();
    if (result === undefined) return null;
    return steps.length === 0 ? result : { kind: 'block', steps, result };
  }

  private lowerBind(node: SyntaxNode, scope: Map<string, Variable>): PairNode | null {
    if (!isPlain(node) || node.rhs === undefined || node.rhs.type === 'bind' || node.rhs.type === 'lambda') return null;
    const name = String((node.lhs as SyntaxNode).value);
    // The compiler decides which of several values a name has.
    if (this.bindings.get(name) !== 1) return null;
    const value = this.lower(node.rhs, scope);
    if (value === null) return null;
    const tree = this.selfContained(node.rhs, scope);
    if (value.kind === 'column' || value.kind === 'constant') {
      scope.set(name, { node: value, tree });
      return value;
    }
    const id = this.columns.nextVariable();
    scope.set(name, { node: { kind: 'variable', id }, tree });
    return { kind: 'bind', id, value };
  }

  private lowerCall(node: SyntaxNode, scope: Scope): PairNode | null {
    const name = calledName(node);
    if (name === null || this.bindings.has(name) || !isContextFree(name, node.arguments ?? [])) return null;
    const given: PairNode[] = [];
    for (const argument of node.arguments ?? []) {
      const lowered = isList(argument) ? this.lowerList(argument, scope) : this.lower(argument, scope);
      if (lowered === null) return null;
      given.push(lowered);
    }
    return { kind: 'call', name, arguments: given };
  }

  private lowerList(node: SyntaxNode, scope: Scope): PairNode | null {
    const items: PairNode[] = [];
    for (const expression of node.expressions ?? []) {
      const item = expression.value === '[' ? null : this.lower(expression, scope);
      if (item === null) return null;
      items.push(item);
    }
    return { kind: 'list', items };
  }
}

function isLiteral(node: SyntaxNode): boolean {
  return (node.type === 'string' || node.type === 'number' || node.type === 'value') && isBare(node);
}

function isList(node: SyntaxNode): boolean {
  return node.type === 'unary' && node.value === '[' && isPlain(node) && !('consarray' in node);
}

function calledName(node: SyntaxNode): string | null {
  const { procedure } = node;
  return procedure?.type === 'variable' && isBare(procedure) ? String(procedure.value) : null;
}
