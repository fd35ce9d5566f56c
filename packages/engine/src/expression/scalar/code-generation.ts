import { operations } from './operations';
import type { FunctionScope, Ir, Local } from './ir';

/** Recognises the error of `new Function` in a process that forbids code generation. Checks by name, for any realm. */
export function isCodeForbidden(thrown: unknown): boolean {
  return typeof thrown === 'object' && thrown !== null && (thrown as { name?: unknown }).name === 'EvalError';
}

/**
 * Turns a program into one JavaScript function. Its text consists of fixed words, operators and numbered slots;
 * names, literals and helpers are handed in as an array of constants.
 */
export function generate(scope: FunctionScope, parameter: Local, body: Ir): (input: unknown) => unknown {
  const printer = new Printer();
  const main = printer.printFunction(scope, [parameter], body).text;
  const declarations = printer.constants.map((_, index) => `const K${index}=K[${index}];`).join('');
  const source = `'use strict';${declarations}${printer.hoisted.join('')}return ${main};`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return (new Function('K', source) as (constants: readonly unknown[]) => (input: unknown) => unknown)(
    printer.constants,
  );
}

let ownFunctions = 0;

/**
 * Compiles a function of fixed text over these values. V8 shares type feedback among functions with the same text. A
 * unique number in the text keeps the feedback separate, so that every call inside has one target and is inlined.
 */
export function generateOwn<F>(values: Readonly<Record<string, unknown>>, parameters: string, body: string): F {
  ownFunctions++;
  const source = `'use strict';return function K${ownFunctions}(${parameters}){${body}};`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  return (new Function(...Object.keys(values), source) as (...values: readonly unknown[]) => F)(
    ...Object.values(values),
  );
}

class Printer {
  readonly constants: unknown[] = [];
  /** Functions that use no variable of another one are made once. */
  readonly hoisted: string[] = [];
  private readonly slots = new Map<unknown, string>();
  /** The outermost function whose variables have been printed since this was last set. */
  private outermost = Number.POSITIVE_INFINITY;

  printFunction(scope: FunctionScope, parameters: readonly Local[], body: Ir): { text: string; isClosed: boolean } {
    const surrounding = this.outermost;
    this.outermost = Number.POSITIVE_INFINITY;
    const value = this.print(body);
    const others = scope.locals.filter((each) => !parameters.includes(each)).map((each) => this.name(each));
    const declared = others.length === 0 ? '' : `let ${others.join(',')};`;
    const isClosed = this.outermost >= scope.depth;
    this.outermost = Math.min(surrounding, isClosed ? Number.POSITIVE_INFINITY : this.outermost);
    return {
      text: `function(${parameters.map((each) => this.name(each)).join(',')}){${declared}return ${value};}`,
      isClosed,
    };
  }

  private print(ir: Ir): string {
    switch (ir.kind) {
      case 'constant':
        return this.constant(ir.value);
      case 'local':
        return this.use(ir.local);
      case 'assign':
        return `(${this.use(ir.local)}=${this.print(ir.value)})`;
      case 'comma':
        return `(${this.printAll(ir.parts)})`;
      case 'choose':
        return `(${this.print(ir.test)}?${this.print(ir.then)}:${this.print(ir.otherwise)})`;
      case 'operation': {
        const [first = '', second = ''] = ir.operands.map((operand) => this.print(operand));
        return operations[ir.operation](first, second);
      }
      case 'call':
        return `${this.slot(ir.target)}(${this.printAll(ir.operands)})`;
      case 'function':
        return this.printInner(ir);
      case 'array':
        return `[${this.printAll(ir.items)}]`;
      case 'object': {
        const members = ir.values.map((value, index) => `[${this.slot(ir.keys[index])}]:${this.print(value)}`);
        return `{${members.join(',')}}`;
      }
    }
  }

  private printAll(parts: readonly Ir[]): string {
    return parts.map((part) => this.print(part)).join(',');
  }

  private printInner(ir: Extract<Ir, { kind: 'function' }>): string {
    const { text, isClosed } = this.printFunction(ir.scope, ir.parameters, ir.body);
    if (!isClosed) return `(${text})`;
    const name = `F${this.hoisted.length}`;
    this.hoisted.push(`const ${name}=${text};`);
    return name;
  }

  private use(local: Local): string {
    this.outermost = Math.min(this.outermost, local.depth);
    return this.name(local);
  }

  private name(local: Local): string {
    return `t${local.depth}_${local.slot}`;
  }

  private constant(value: unknown): string {
    if (value === undefined || value === null || typeof value === 'boolean') return String(value);
    return this.slot(value);
  }

  private slot(value: unknown): string {
    // A map takes 0 and -0 for the same key.
    const known = Object.is(value, -0) ? undefined : this.slots.get(value);
    if (known !== undefined) return known;
    const name = `K${this.constants.length}`;
    this.constants.push(value);
    if (!Object.is(value, -0)) this.slots.set(value, name);
    return name;
  }
}
