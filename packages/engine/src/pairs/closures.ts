import { someTookLong } from '../expression/scalar/runtime/meter';
import { comparedColumns } from './column-plan';
import type { StoredColumn } from './column-store';
import { Code } from './codes';
import type { LoopFactory, LoopRules, PairFrame, PairLoop } from './loop';
import type { Column, PairInput, PairNode } from './nodes';
import * as operations from './operations';
import { batchScore } from '../scoring/scoring';
import type { ScoreReach } from '../scoring/scoring';
import { reachOf } from './scores';
import { NO_DAY } from './types';

/** The value of an expression for a left and a right row, as jsonata has it. */
type Evaluate = (left: number, right: number) => unknown;

/** The loop over pairs where code must not be generated from text: the same decisions, several times slower. */
export function closureLoop(rules: LoopRules): LoopFactory {
  return (frame) => new ClosureLoop(rules, frame).run;
}

class ClosureLoop {
  private readonly filters: readonly Evaluate[];
  private readonly main: Evaluate | null;
  private readonly matchers: readonly Evaluate[] | null;
  private readonly reach: ScoreReach;
  /** What the matchers of the pair at hand said, in definition order. */
  private readonly values: (number | null)[];
  /** The number of the expression at hand, for its errors. */
  private stage = 0;

  constructor(
    private readonly rules: LoopRules,
    private readonly frame: PairFrame,
  ) {
    const compiler = new NodeClosures(frame);
    const { filters, main, matchers } = rules.plan;
    this.filters = filters.map(({ root }) => compiler.compile(root));
    this.main = main === null ? null : compiler.compile(main.root);
    this.matchers = matchers?.map(({ root }) => compiler.compile(root)) ?? null;
    this.reach = reachOf(rules);
    this.values = rules.weights.map(() => null);
  }

  readonly run: PairLoop = (left, from, to) => {
    let dropped = 0;
    let right = from;
    for (; right < to && !someTookLong(); right += 1) {
      try {
        if (!this.keeps(left, right)) dropped += 1;
      } catch (thrown) {
        if (this.frame.fail(left, right, this.stage, thrown)) continue;
        this.frame.drop(dropped);
        return right;
      }
    }
    this.frame.drop(dropped);
    return right;
  };

  private keeps(left: number, right: number): boolean {
    if (!this.isWithinWindow(left, right) || !this.isWithinTolerance(left, right)) return false;
    for (const [stage, filter] of this.filters.entries()) if (!this.passes(stage, filter, left, right)) return false;
    if (this.matchers === null) return this.keepsExpression(left, right);
    if (this.main !== null && !this.passes(this.filters.length, this.main, left, right)) return false;
    return this.keepsBatch(this.matchers, left, right);
  }

  private isWithinWindow(left: number, right: number): boolean {
    const { windowDays } = this.rules;
    if (windowDays === undefined) return true;
    const leftDay = this.frame.left.days[left] ?? NO_DAY;
    const rightDay = this.frame.right.days[right] ?? NO_DAY;
    return leftDay !== NO_DAY && rightDay !== NO_DAY && Math.abs(leftDay - rightDay) <= windowDays;
  }

  private isWithinTolerance(left: number, right: number): boolean {
    const { withinTolerance } = this.rules;
    if (withinTolerance === null) return true;
    const leftUnits = this.frame.left.units[left] ?? NaN;
    const rightUnits = this.frame.right.units[right] ?? NaN;
    return !Number.isNaN(leftUnits) && !Number.isNaN(rightUnits) && withinTolerance(leftUnits, rightUnits);
  }

  private passes(stage: number, gate: Evaluate, left: number, right: number): boolean {
    this.stage = stage;
    return operations.passes(gate(left, right));
  }

  private keepsExpression(left: number, right: number): boolean {
    const { scale, possibleThreshold } = this.rules;
    this.stage = this.filters.length;
    const reading = this.main === null ? { score: 0 } : operations.expressionScore(this.main(left, right), scale);
    if (reading.score < possibleThreshold) return false;
    this.frame.keeper.reasons = reading.reasons;
    this.frame.keeper.keep(left, right, reading.score);
    return true;
  }

  private keepsBatch(matchers: readonly Evaluate[], left: number, right: number): boolean {
    const { scale, weights, possibleThreshold, order, required } = this.rules;
    const {
      reach,
      values,
      frame: { keeper },
    } = this;
    const firstStage = this.filters.length + (this.main === null ? 0 : 1);
    let weight = 0;
    let weighted = 0;
    for (let step = 0; step < order.length; step += 1) {
      const index = order[step] ?? 0;
      this.stage = firstStage + index;
      const share = operations.matcherShare(matchers[index]?.(left, right));
      if (required[index] === true && !(share > 0)) return false;
      const abstains = Number.isNaN(share);
      values[index] = abstains ? null : share;
      keeper.values[index] = share;
      if (!abstains) {
        const own = weights[index] ?? 0;
        weight += own;
        weighted += own * share;
      }
      if (reach.isLost(step, weight, weighted)) return false;
    }
    const score = batchScore(scale, weights, values);
    if (score < possibleThreshold) return false;
    keeper.keep(left, right, score);
    return true;
  }
}

class NodeClosures {
  private readonly input: PairInput = { left: {}, right: {} };
  private readonly variables: unknown[] = [];

  constructor(private readonly frame: PairFrame) {}

  compile(node: PairNode): Evaluate {
    switch (node.kind) {
      case 'constant':
        return () => node.value;
      case 'column':
        return this.column(node.column);
      case 'equality':
        return this.equality(node);
      case 'negation':
        return this.unary(node.operand, operations.negate);
      case 'logical':
        return this.logical(node);
      case 'condition':
        return this.condition(node);
      case 'call':
        return this.call(node);
      case 'list':
        return this.list(node.items);
      case 'block':
        return this.block(node);
      case 'bind':
        return this.bind(node);
      case 'variable':
        return () => this.variables[node.id];
      case 'pair':
        return this.pair(node.evaluate);
      case 'arithmetic':
        return this.binary(node, (left, right) => operations.arithmetic(node.operator, left, right));
      case 'order':
        return this.binary(node, (left, right) => operations.order(node.operator, left, right));
      case 'operation':
        return this.binary(node, node.operator === '&' ? operations.concat : operations.includes);
    }
  }

  private stored({ side, index }: Column): StoredColumn {
    return this.frame[side].columns[index] as StoredColumn;
  }

  private column(column: Column): Evaluate {
    const stored = this.stored(column);
    const isLeft = column.side === 'left';
    return (left, right) => operations.settled(stored.valueAt(isLeft ? left : right));
  }

  /** What a column as a step has: of one of codes nothing else is known. */
  private errorOf(column: Column): Evaluate {
    const stored = this.stored(column);
    const isLeft = column.side === 'left';
    return (left, right) => operations.raiseError(stored.valueAt(isLeft ? left : right));
  }

  private unary(operand: PairNode, apply: (value: unknown) => unknown): Evaluate {
    const evaluate = this.compile(operand);
    return (left, right) => apply(evaluate(left, right));
  }

  private binary(
    node: { left: PairNode; right: PairNode },
    apply: (left: unknown, right: unknown) => unknown,
  ): Evaluate {
    const one = this.compile(node.left);
    const other = this.compile(node.right);
    return (left, right) => apply(one(left, right), other(left, right));
  }

  private equality(node: Extract<PairNode, { kind: 'equality' }>): Evaluate {
    const columns = comparedColumns(node);
    if (columns !== null && columns[0].dictionary !== null) return this.codeEquality(node.operator, columns);
    return this.binary(node, (one, other) => {
      if (one === undefined || other === undefined) return false;
      return operations.equalValues(one, other) === (node.operator === '=');
    });
  }

  private codeEquality(operator: '=' | '!=', [one, other]: readonly [Column, Column]): Evaluate {
    const first = this.stored(one);
    const second = this.stored(other);
    const firstIsLeft = one.side === 'left';
    return (left, right) => {
      const firstRow = firstIsLeft ? left : right;
      const secondRow = firstIsLeft ? right : left;
      const code = first.data[firstRow] as number;
      const otherCode = second.data[secondRow] as number;
      const isCoded = code !== Code.NONE && otherCode !== Code.NONE;
      if (!isCoded) return operations.uncodedEquality(operator, first, firstRow, second, secondRow);
      return operator === '='
        ? code === otherCode
        : code !== otherCode && code >= Code.UNKNOWN && otherCode >= Code.UNKNOWN;
    };
  }

  private logical({ operator, left: one, right: other }: Extract<PairNode, { kind: 'logical' }>): Evaluate {
    const first = this.compile(one);
    const second = this.compile(other);
    const decides = operator === 'or';
    return (left, right) =>
      operations.isTruthy(first(left, right)) === decides ? decides : operations.isTruthy(second(left, right));
  }

  private condition({ test, then, otherwise }: Extract<PairNode, { kind: 'condition' }>): Evaluate {
    const holds = this.compile(test);
    const first = this.compile(then);
    const second = otherwise === null ? () => undefined : this.compile(otherwise);
    return (left, right) => (operations.isTruthy(holds(left, right)) ? first : second)(left, right);
  }

  private call(node: Extract<PairNode, { kind: 'call' }>): Evaluate {
    const given = node.arguments.map((argument) => this.compile(argument));
    return (left, right) =>
      operations.call(
        node.name,
        given.map((evaluate) => evaluate(left, right)),
      );
  }

  private list(nodes: readonly PairNode[]): Evaluate {
    const items = nodes.map((item) => this.compile(item));
    return (left, right) => operations.list(items.map((evaluate) => evaluate(left, right)));
  }

  private block({ steps, result }: Extract<PairNode, { kind: 'block' }>): Evaluate {
    const each = steps.map((step) => (step.kind === 'column' ? this.errorOf(step.column) : this.compile(step)));
    const last = this.compile(result);
    return (left, right) => {
      for (const step of each) step(left, right);
      return last(left, right);
    };
  }

  private bind({ id, value }: Extract<PairNode, { kind: 'bind' }>): Evaluate {
    const evaluate = this.compile(value);
    return (left, right) => (this.variables[id] = evaluate(left, right));
  }

  private pair(evaluate: (input: PairInput) => unknown): Evaluate {
    const {
      left: { records: lefts },
      right: { records: rights },
    } = this.frame;
    return (left, right) => {
      this.input.left = lefts[left] ?? {};
      this.input.right = rights[right] ?? {};
      return operations.evaluatePair(evaluate, this.input);
    };
  }
}
