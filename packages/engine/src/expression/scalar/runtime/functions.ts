import { fail, giveUp } from '../../fault';
import { tick } from '../../limits/meter';
import { settle } from './sequences';
import { isFunctionValue, isMarkedData } from './values';
import type { FunctionValue } from './values';

/** A call that a lambda ends with, made after the lambda has returned: recursion of this kind needs no stack. */
class TailCall {
  constructor(
    readonly target: FunctionValue,
    readonly args: unknown[],
  ) {}
}

/** Replaces a context that only jsonata's evaluator knows. Where a function uses it, jsonata evaluates. */
const unknownContext: object = Object.freeze({});

/** The cost of a function, in steps; it takes memory too. */
const stepsPerFunction = 32;

export function makeLambda(body: (...args: unknown[]) => unknown, arity: number): FunctionValue {
  tick(stepsPerFunction);
  return Object.assign(body, { arity });
}

/** A lambda that ends with calls of functions that are known only then. */
export function makeTailCallingLambda(body: (...args: unknown[]) => unknown, arity: number): FunctionValue {
  tick(stepsPerFunction);
  return Object.assign((...args: unknown[]) => follow(body(...args)), { arity, body });
}

type Validate = NonNullable<FunctionValue['validate']>;

/** A function of jsonata's own to which a tail call has passed the lambda calls it in the context of its definition. */
export function withSignature(lambda: FunctionValue, validate: Validate, context: unknown): FunctionValue {
  return Object.assign((...args: unknown[]) => lambda(...validate(args, context)), {
    arity: lambda.arity,
    validate,
    unchecked: lambda,
  });
}

/** Marks a lambda in which two parameters have the same name. */
export function withRepeatedParameter(lambda: FunctionValue): FunctionValue {
  return Object.assign(lambda, { repeatsParameter: true });
}

function follow(outcome: unknown): unknown {
  let result = outcome;
  while (result instanceof TailCall) {
    tick(1);
    const { target, args } = result;
    result = (target.body ?? target)(...args);
  }
  return result;
}

/** Runs the last call of a lambda. jsonata passes its arguments unchanged, with the context of the lambda's caller. */
export function tailCall(target: unknown, args: unknown[]): unknown {
  if (!isFunctionValue(target) || args.some(takesClosures(target) ? isFunctionValue : isNativeValue)) return giveUp();
  const { validate } = target;
  return validate === undefined
    ? new TailCall(target, args)
    : new TailCall(target.unchecked ?? target, validateWithoutContext(validate, args));
}

/** Some of jsonata's own functions call what they are given as JavaScript functions, which lambdas are not. */
function takesClosures({ native, partialOf }: FunctionValue): boolean {
  return native === true || (partialOf !== undefined && takesClosures(partialOf));
}

function isNativeValue(value: unknown): boolean {
  return isFunctionValue(value) && value.native === true;
}

/** Checks the target of a call whose failure jsonata may report before it evaluates the arguments. */
export function requireFunction(target: unknown): FunctionValue {
  return isFunctionValue(target) ? target : giveUp();
}

/** Accepts every value that is not a function. */
export function refuseFunction(value: unknown): unknown {
  return isFunctionValue(value) ? giveUp() : value;
}

/** Lets every value pass but data that jsonata takes for a function. */
export function refuseMarkedData(value: unknown): unknown {
  return isMarkedData(value) ? giveUp() : value;
}

/** Accepts every value that is not a function, and every function that jsonata's own functions can call. */
export function refuseClosure(value: unknown): unknown {
  return isNativeValue(value) || (isFunctionValue(value) && value.partialOf !== undefined) ? giveUp() : value;
}

export function validateWithoutContext(validate: Validate, args: readonly unknown[]): unknown[] {
  let validated: unknown[];
  try {
    validated = validate(args, unknownContext);
  } catch (error) {
    if ((error as { code?: unknown }).code === 'T0411') return giveUp();
    throw error;
  }
  return validated.includes(unknownContext) ? giveUp() : validated;
}

/** Calls what an expression gave as a function. The result is not yet settled. */
export function applyRaw(target: unknown, args: unknown[], context: unknown): unknown {
  if (!isFunctionValue(target) || args.some(isMarkedData)) return giveUp();
  if (target.validate === undefined) return target(...args);
  return (target.unchecked ?? target)(...target.validate(args, context));
}

/** A value as the argument of a call: a function passed on no longer sees the context of its calls. */
export function asArgument(value: unknown): unknown {
  return isFunctionValue(value) && value.validate !== undefined ? passedOn(value, value.validate) : value;
}

function passedOn(value: FunctionValue, validate: Validate): FunctionValue {
  const run = value.unchecked ?? value;
  value.passed ??= Object.assign((...args: unknown[]) => run(...validate(args, null)), { arity: arityOf(value) });
  return value.passed;
}

/** `lhs ~> rhs` where the right side is not written as a call. Not yet settled. */
export function pipe(left: unknown, right: unknown): unknown {
  if (isMarkedData(left) || isMarkedData(right)) return giveUp();
  if (!isFunctionValue(right)) return fail({ code: 'T2006', value: right, token: '~>' });
  return isFunctionValue(left) ? compose(left, right) : applyRaw(right, [left], null);
}

function compose(first: FunctionValue, second: FunctionValue): FunctionValue {
  return makeTailCallingLambda(
    (value) => tailCall(second, [settle(applyRaw(first, [asArgument(settle(value))], null))]),
    1,
  );
}

/** Calls a callback like jsonata's `func.apply`: with as many arguments as it takes, at least the first. */
export function callback(target: FunctionValue): (item: unknown, key: unknown, whole: unknown) => unknown {
  switch (Math.max(1, Math.min(3, arityOf(target)))) {
    case 1:
      return (item) => target(item);
    case 2:
      return (item, key) => target(item, key);
    default:
      return target;
  }
}

export function arityOf(target: FunctionValue): number {
  return typeof target.arity === 'number' ? target.arity : target.length;
}
