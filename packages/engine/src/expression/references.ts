import { isRangeError } from './error';
import { rarityField } from './snapshot-values';
import { walk } from './syntax';
import type { Group, PathStage, SyntaxNode } from './syntax';
import type { FieldSelection, References } from './types';

/**
 * The possible contents of a value or of its array items: the root `{left, right}`, a whole left record, a whole right
 * record. Everything below a record's key is NONE, because a key is always read whole.
 */
type Origin = number;
const noOrigin = 0;
const rootOrigin = 1;
const leftOrigin = 2;
const rightOrigin = 4;

/**
 * Builtins whose missing first argument is taken from the context and may be an object, with the
 * number of arguments from which on the context is out of play. (All other context arguments are
 * scalars: an object there is an error, whatever its keys.)
 */
const contextReaders: Readonly<Record<string, number>> = {
  string: 1,
  boolean: 1,
  not: 1,
  keys: 1,
  spread: 1,
  clone: 1,
  lookup: 2,
  sift: 2,
  each: 2,
};

/** Variables settle in two or three rounds; a tree that does not is given up as "everything". */
const maxRounds = 8;

/**
 * Finds the top-level keys of each side that an expression can read: an abstract interpretation of the
 * syntax tree that follows where the root and the records themselves can flow. Variables are taken
 * together by name, whatever their scope or order, so that closures and re-binding stay covered.
 * A side whose record is used as a whole, or cannot be followed, is marked `all`.
 */
export function findReferences(root: SyntaxNode): References {
  const analysis = new ReferenceAnalysis(root);
  try {
    return analysis.run();
  } catch (error) {
    // Deeper than our own recursion can follow: nothing is provable, so everything is read.
    if (isRangeError(error)) return analysis.everything();
    throw error;
  }
}

/** The union of several expressions' references. */
export function unionReferences(all: readonly References[]): References {
  return { left: unionSelections(all.map((one) => one.left)), right: unionSelections(all.map((one) => one.right)) };
}

function unionSelections(selections: readonly FieldSelection[]): FieldSelection {
  return {
    all: selections.some((selection) => selection.all),
    keys: sortedKeys(selections.flatMap((selection) => selection.keys)),
  };
}

function sortedKeys(keys: Iterable<string>): string[] {
  return [...new Set(keys)].sort();
}

class ReferenceAnalysis {
  private readonly keys = { left: new Set<string>(), right: new Set<string>() };
  private escaped: Origin = noOrigin;
  private named: Origin = noOrigin;
  private readonly variables = new Map<string, Origin>();
  private readonly boundNames = new Set<string>();
  private readonly lambdaNames: ReadonlySet<string>;
  private changed = false;
  private lambdaDepth = 0;

  constructor(private readonly root: SyntaxNode) {
    this.lambdaNames = this.collectNames();
  }

  run(): References {
    let rounds = 0;
    do {
      this.changed = false;
      this.escape(this.visit(this.root, rootOrigin));
      rounds++;
    } while (this.changed && rounds < maxRounds);
    if (this.changed) this.escape(rootOrigin);
    return this.result();
  }

  everything(): References {
    this.escape(rootOrigin);
    return this.result();
  }

  private result(): References {
    return { left: this.selection(leftOrigin, this.keys.left), right: this.selection(rightOrigin, this.keys.right) };
  }

  /** A side that is named without a key, as in `left.(1)`, still depends on its record. */
  private selection(side: Origin, keys: ReadonlySet<string>): FieldSelection {
    const namedAlone = (this.named & side) !== 0 && keys.size === 0;
    return { all: namedAlone || (this.escaped & side) !== 0, keys: sortedKeys(keys) };
  }

  /** Notes every bound name; returns those that only ever name a lambda without a signature. */
  private collectNames(): ReadonlySet<string> {
    const lambdas = new Set<string>();
    const others = new Set<string>();
    walk(this.root, ({ node }) => {
      if (node.type === 'bind') {
        const plain = node.rhs?.type === 'lambda' && node.rhs.signature === undefined;
        (plain ? lambdas : others).add(String((node.lhs as SyntaxNode).value));
      }
      if (node.type === 'lambda') for (const parameter of node.arguments ?? []) others.add(String(parameter.value));
      if (node.focus !== undefined) others.add(node.focus);
      if (node.index !== undefined) others.add(node.index);
      for (const stage of node.stages ?? []) if (stage.type === 'index') others.add(stage.value);
    });
    for (const name of [...lambdas, ...others]) this.boundNames.add(name);
    for (const name of others) lambdas.delete(name);
    return lambdas;
  }

  private escape(origin: Origin): void {
    this.escaped |= (origin & rootOrigin) === 0 ? origin : leftOrigin | rightOrigin;
  }

  private consume(node: SyntaxNode | undefined, context: Origin): void {
    if (node !== undefined) this.escape(this.visit(node, context));
  }

  private bind(name: string, origin: Origin): void {
    const known = this.variables.get(name) ?? noOrigin;
    if ((known | origin) === known) return;
    this.variables.set(name, known | origin);
    this.changed = true;
  }

  private visit(node: SyntaxNode, context: Origin): Origin {
    const origin = this.visitCore(node, context);
    for (const stage of node.predicate ?? []) this.visitStage(stage, origin);
    if (node.type === 'path' || node.group === undefined) return origin;
    this.visitGroup(node.group, origin);
    return noOrigin;
  }

  private visitCore(node: SyntaxNode, context: Origin): Origin {
    switch (node.type) {
      case 'string':
      case 'number':
      case 'value':
      case 'regex':
        return noOrigin;
      case 'name':
        return this.readKey(context, String(node.value));
      case 'wildcard':
        return this.readWildcard(context);
      case 'descendant':
      case 'parent':
        this.escape(node.type === 'parent' ? rootOrigin : context);
        return noOrigin;
      case 'variable':
        return this.readVariable(String(node.value), context);
      case 'path':
        return this.visitPath(node, context);
      case 'binary':
        return this.visitBinary(node, context);
      case 'unary':
        return this.visitUnary(node, context);
      case 'bind':
        return this.visitBind(node, context);
      case 'block':
        return this.visitBlock(node, context);
      case 'condition':
        return this.visitCondition(node, context);
      case 'lambda':
        return this.visitLambda(node, context);
      case 'function':
      case 'partial':
        return this.visitCall(node, context, 0);
      case 'apply':
        return this.visitApply(node, context);
      case 'transform':
        this.consume(node.pattern, noOrigin);
        this.consume(node.update, noOrigin);
        this.consume(node.delete, noOrigin);
        return noOrigin;
      default:
        this.escape(rootOrigin);
        return noOrigin;
    }
  }

  private readKey(context: Origin, key: string): Origin {
    // Records of another value may be as rare: the value is read too.
    for (const read of [key, rarityField(key)]) {
      if (read === undefined) continue;
      if (context & leftOrigin) this.keys.left.add(read);
      if (context & rightOrigin) this.keys.right.add(read);
    }
    if ((context & rootOrigin) === 0) return noOrigin;
    const side = key === 'left' ? leftOrigin : key === 'right' ? rightOrigin : noOrigin;
    this.named |= side;
    return side;
  }

  /** The values of the root are the records; inside a nested array `*` may give its items back. */
  private readWildcard(context: Origin): Origin {
    this.escape(context & (leftOrigin | rightOrigin));
    if (context & rootOrigin) this.named |= leftOrigin | rightOrigin;
    return context & rootOrigin ? rootOrigin | leftOrigin | rightOrigin : noOrigin;
  }

  private readVariable(name: string, context: Origin): Origin {
    if (name === '') return context;
    return name === '$' ? rootOrigin : (this.variables.get(name) ?? noOrigin);
  }

  private visitPath(node: SyntaxNode, context: Origin): Origin {
    let current = context;
    for (const step of node.steps ?? []) current = this.visitStep(step, current);
    if (node.group === undefined) return current;
    this.visitGroup(node.group, current);
    return noOrigin;
  }

  private visitStep(step: SyntaxNode, context: Origin): Origin {
    if (step.type === 'sort') {
      for (const term of step.terms ?? []) this.consume(term.expression, context);
    }
    const origin = step.type === 'sort' ? context : this.visit(step, context);
    if (step.focus !== undefined) this.bind(step.focus, origin);
    // `@` does not change the context, so a filter after it may see either value.
    const seen = step.focus === undefined ? origin : origin | context;
    for (const stage of step.stages ?? []) this.visitStage(stage, seen);
    return step.focus === undefined ? origin : context;
  }

  private visitStage(stage: PathStage, context: Origin): void {
    if (stage.type === 'filter') this.consume(stage.expr, context);
  }

  private visitGroup(group: Group, context: Origin): void {
    for (const [key, value] of group.lhs) {
      this.consume(key, context);
      this.consume(value, context);
    }
  }

  /** Walks the left operands in a loop, because a long `and` chain is as deep as it is long. */
  private visitBinary(node: SyntaxNode, context: Origin): Origin {
    let current = node;
    for (;;) {
      this.consume(current.rhs, context);
      const next = current.lhs as SyntaxNode;
      if (next.type !== 'binary' || next.predicate !== undefined || next.group !== undefined) break;
      current = next;
    }
    this.consume(current.lhs as SyntaxNode, context);
    return noOrigin;
  }

  private visitUnary(node: SyntaxNode, context: Origin): Origin {
    if (node.value === '[') {
      return (node.expressions ?? []).reduce((origin, item) => origin | this.visit(item, context), noOrigin);
    }
    if (node.value === '{') this.visitGroup({ lhs: node.lhs as [SyntaxNode, SyntaxNode][] }, context);
    else this.consume(node.expression, context);
    return noOrigin;
  }

  private visitBind(node: SyntaxNode, context: Origin): Origin {
    const origin = node.rhs === undefined ? noOrigin : this.visit(node.rhs, context);
    this.bind(String((node.lhs as SyntaxNode).value), origin);
    return origin;
  }

  private visitBlock(node: SyntaxNode, context: Origin): Origin {
    return (node.expressions ?? []).reduce((_last, item) => this.visit(item, context), noOrigin);
  }

  private visitCondition(node: SyntaxNode, context: Origin): Origin {
    this.consume(node.condition, context);
    const then = node.then === undefined ? noOrigin : this.visit(node.then, context);
    return node.else === undefined ? then : then | this.visit(node.else, context);
  }

  /** Arguments and results of calls escape, hence parameters and call results are NONE. */
  private visitLambda(node: SyntaxNode, context: Origin): Origin {
    this.lambdaDepth++;
    this.consume(node.body, context);
    this.lambdaDepth--;
    return noOrigin;
  }

  private visitCall(node: SyntaxNode, context: Origin, piped: number): Origin {
    const given = (node.arguments ?? []).filter((argument) => argument.type !== 'operator');
    for (const argument of given) this.consume(argument, context);
    if (node.procedure !== undefined && this.mayReadContext(node.procedure, given.length + piped)) {
      // A tail call inside a lambda runs with the caller's context, which is not known here.
      this.escape(this.lambdaDepth > 0 ? rootOrigin : context);
    }
    this.consume(node.procedure, context);
    return noOrigin;
  }

  private mayReadContext(procedure: SyntaxNode, argumentCount: number): boolean {
    if (procedure.type === 'lambda') return procedure.signature !== undefined;
    if (procedure.type !== 'variable' || procedure.predicate !== undefined) return true;
    const name = String(procedure.value);
    if (this.lambdaNames.has(name)) return false;
    if (this.boundNames.has(name)) return true;
    return Object.hasOwn(contextReaders, name) && argumentCount < (contextReaders[name] ?? 0);
  }

  private visitApply(node: SyntaxNode, context: Origin): Origin {
    this.consume(node.lhs as SyntaxNode, context);
    const target = node.rhs;
    if (target?.type === 'function') this.visitCall(target, context, 1);
    else this.consume(target, context);
    return noOrigin;
  }
}
