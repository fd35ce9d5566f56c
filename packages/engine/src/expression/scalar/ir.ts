import type { Operation } from './operations';

/** A function of the compiled program. Its variables live for one call. */
export interface FunctionScope {
  /** 0 for the expression itself; one more inside of each function. */
  readonly depth: number;
  readonly locals: Local[];
}

export interface Local {
  readonly depth: number;
  /** Number within its function. */
  readonly slot: number;
}

/**
 * A program between the syntax tree and generated code. Evaluation goes from left to right. Everything that the tenant
 * wrote is a constant.
 */
export type Ir =
  | { kind: 'constant'; value: unknown }
  | { kind: 'local'; local: Local }
  | { kind: 'assign'; local: Local; value: Ir }
  /** Evaluates all; the last one is the value. */
  | { kind: 'comma'; parts: readonly Ir[] }
  | { kind: 'choose'; test: Ir; then: Ir; otherwise: Ir }
  | { kind: 'operation'; operation: Operation; operands: readonly Ir[] }
  | { kind: 'call'; target: (...args: never[]) => unknown; operands: readonly Ir[] }
  | { kind: 'function'; scope: FunctionScope; parameters: readonly Local[]; body: Ir }
  | { kind: 'array'; items: readonly Ir[] }
  | { kind: 'object'; keys: readonly string[]; values: readonly Ir[] };

export const nothing: Ir = { kind: 'constant', value: undefined };

export function constant(value: unknown): Ir {
  return { kind: 'constant', value: typeof value === 'string' ? asKey(value) : value };
}

/** The same text as V8 keeps it for keys of objects: access by another copy of it is several times slower. */
function asKey(text: string): string {
  return Object.keys({ [text]: true })[0] ?? text;
}

/** An object with these members. No key has a special meaning in JavaScript. */
export function object(keys: readonly string[], values: readonly Ir[]): Ir {
  return { kind: 'object', keys: keys.map(asKey), values };
}

export function array(items: readonly Ir[]): Ir {
  return { kind: 'array', items };
}

export function local(of: Local): Ir {
  return { kind: 'local', local: of };
}

export function assign(to: Local, value: Ir): Ir {
  return { kind: 'assign', local: to, value };
}

export function comma(...parts: readonly Ir[]): Ir {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind: 'comma', parts };
}

export function choose(test: Ir, then: Ir, otherwise: Ir): Ir {
  if (test.kind === 'constant') return test.value === true ? then : otherwise;
  return { kind: 'choose', test, then, otherwise };
}

export function both(first: Ir, second: Ir): Ir {
  return isConstant(second, true) ? first : choose(first, second, constant(false));
}

export function either(first: Ir, second: Ir): Ir {
  return isConstant(second, false) ? first : choose(first, constant(true), second);
}

function isConstant(ir: Ir, value: boolean): boolean {
  return ir.kind === 'constant' && ir.value === value;
}

export function operate(operation: Operation, ...operands: readonly Ir[]): Ir {
  return { kind: 'operation', operation, operands };
}

export function call(target: (...args: never[]) => unknown, ...operands: readonly Ir[]): Ir {
  return { kind: 'call', target, operands };
}

export function newFunctionScope(parent: FunctionScope | null): FunctionScope {
  return { depth: parent === null ? 0 : parent.depth + 1, locals: [] };
}

export function newLocal(scope: FunctionScope): Local {
  const made: Local = { depth: scope.depth, slot: scope.locals.length };
  scope.locals.push(made);
  return made;
}
