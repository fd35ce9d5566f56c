import { operations } from './operations';
import type { FunctionScope, Ir, Local } from './ir';

/** The variables of one call: the frame of the surrounding function first, then the locals. */
type Frame = unknown[];
type Step = (frame: Frame) => unknown;

/** Turns a program into closures: the same results as generated code, for where no text may become code. */
export function makeClosure(scope: FunctionScope, parameter: Local, body: Ir): (input: unknown) => unknown {
  const run = build(body, scope.depth);
  const size = scope.locals.length + 1;
  return (input) => {
    const frame = newFrame(size, undefined);
    frame[place(parameter)] = input;
    return run(frame);
  };
}

function newFrame(size: number, outer: Frame | undefined): Frame {
  const frame = new Array<unknown>(size).fill(undefined);
  frame[0] = outer;
  return frame;
}

function place(local: Local): number {
  return local.slot + 1;
}

function build(ir: Ir, depth: number): Step {
  switch (ir.kind) {
    case 'constant': {
      const { value } = ir;
      return () => value;
    }
    case 'local':
      return read(ir.local, depth);
    case 'assign':
      return write(ir.local, build(ir.value, depth), depth);
    case 'comma':
      return inOrder(ir.parts.map((part) => build(part, depth)));
    case 'choose': {
      const [test, then, otherwise] = [build(ir.test, depth), build(ir.then, depth), build(ir.otherwise, depth)];
      return (frame) => (test(frame) === true ? then(frame) : otherwise(frame));
    }
    case 'operation':
      return operate(ir, depth);
    case 'call':
      return invoke(
        ir.target,
        ir.operands.map((operand) => build(operand, depth)),
      );
    case 'function':
      return makeFunction(ir);
    case 'array': {
      const items = ir.items.map((item) => build(item, depth));
      return (frame) => items.map((item) => item(frame));
    }
    case 'object':
      return makeObject(
        ir.keys,
        ir.values.map((value) => build(value, depth)),
      );
  }
}

function read(local: Local, depth: number): Step {
  const at = place(local);
  switch (depth - local.depth) {
    case 0:
      return (frame) => frame[at];
    case 1:
      return (frame) => (frame[0] as Frame)[at];
    default:
      return (frame) => outerFrame(frame, depth - local.depth)[at];
  }
}

function write(local: Local, value: Step, depth: number): Step {
  const at = place(local);
  const hops = depth - local.depth;
  if (hops === 0) return (frame) => (frame[at] = value(frame));
  return (frame) => (outerFrame(frame, hops)[at] = value(frame));
}

function outerFrame(frame: Frame, hops: number): Frame {
  let outer = frame;
  for (let left = hops; left > 0; left -= 1) outer = outer[0] as Frame;
  return outer;
}

function inOrder(steps: readonly Step[]): Step {
  const first = steps.slice(0, -1);
  const last = steps.at(-1) ?? ((): undefined => undefined);
  return (frame) => {
    for (const step of first) step(frame);
    return last(frame);
  };
}

function operate(ir: Extract<Ir, { kind: 'operation' }>, depth: number): Step {
  const run = operations[ir.operation].run as (first: unknown, second?: unknown) => unknown;
  const [first, second] = ir.operands.map((operand) => build(operand, depth)) as [Step, Step | undefined];
  if (second === undefined) return (frame) => run(first(frame));
  return (frame) => run(first(frame), second(frame));
}

function invoke(target: (...args: never[]) => unknown, operands: readonly Step[]): Step {
  const run = target as (...args: unknown[]) => unknown;
  const [first, second, third] = operands;
  if (first === undefined) return () => run();
  if (second === undefined) return (frame) => run(first(frame));
  if (third === undefined) return (frame) => run(first(frame), second(frame));
  return (frame) => run(...operands.map((operand) => operand(frame)));
}

function makeFunction(ir: Extract<Ir, { kind: 'function' }>): Step {
  const body = build(ir.body, ir.scope.depth);
  const places = ir.parameters.map(place);
  const size = ir.scope.locals.length + 1;
  return (outer) =>
    (...args: unknown[]) => {
      const frame = newFrame(size, outer);
      for (let index = 0; index < places.length; index += 1) frame[places[index] as number] = args[index];
      return body(frame);
    };
}

function makeObject(keys: readonly string[], values: readonly Step[]): Step {
  return (frame) => {
    const object: Record<string, unknown> = {};
    for (let index = 0; index < keys.length; index += 1) object[keys[index] as string] = values[index]?.(frame);
    return object;
  };
}
