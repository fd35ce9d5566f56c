import { customFunctions, plainName, zonedImplementation } from '../../functions';
import { builtins } from '../../reference';
import type { Builtin } from '../../reference';
import { fail, giveUp } from '../../fault';
import { focus } from './focus';
import { givesSlice, tick, tickMade } from '../../limits/meter';
import { costOfCalendar, costOfCall, costOfNative, meteredFunctions, tickPicture } from './metered';
import type { CallCost } from './metered';
import { settle } from './sequences';
import { isMarkedData } from './values';
import type { FunctionValue } from './values';

/** A function as this runtime implements it, with the parameters that jsonata gives it. */
export interface Native extends Builtin {
  declared: Builtin['implementation'];
  /** The cost of a call in addition to its result. */
  cost: CallCost;
  /** Charges for what a call has made, and gives it. */
  counted: (result: unknown) => unknown;
}

let known: Map<string, Native> | undefined;

export function findNative(name: string): Native | undefined {
  known ??= new Map([...builtins()].map(([each, builtin]) => [each, metered(each, builtin)]));
  return known.get(name) ?? zoned(name, known);
}

/** Finds a function that is named with its time zone, and remembers it. */
function zoned(name: string, natives: Map<string, Native>): Native | undefined {
  const implementation = zonedImplementation(name);
  const base = builtins().get(plainName(name));
  if (implementation === undefined || base === undefined) return undefined;
  const native = metered(plainName(name), { ...base, implementation });
  natives.set(name, native);
  return native;
}

const ownNames: ReadonlySet<string> = new Set(customFunctions.map(({ name }) => name));

function metered(name: string, builtin: Builtin): Native {
  const { implementation: declared } = builtin;
  const implementation = meteredFunctions.get(name) ?? (ownNames.has(name) ? charged(name, builtin) : declared);
  return { ...builtin, implementation, declared, cost: costOfNative(name), counted: givesSlice(name) ? free : counted };
}

/**
 * Charges the cost of a call of one of our functions, which do not use the meter. They have at most four parameters.
 */
function charged(name: string, { implementation }: Builtin): Builtin['implementation'] {
  const run = implementation as (...args: unknown[]) => unknown;
  const readsCalendar = name === 'businessDaysBetween';
  return (first: unknown, second: unknown, third: unknown, fourth: unknown) => {
    tick(costOfCall(name, first, second));
    if (readsCalendar) tick(costOfCalendar(third));
    return run(first, second, third, fourth);
  };
}

function nativeNamed(name: string): Native {
  return findNative(name) ?? fail({ code: 'T1006', token: name });
}

/** Runs a jsonata function unchanged: the arguments have the right types, and the result is not yet settled. */
export function callNative(name: string, args: readonly unknown[]): unknown {
  return runNative(nativeNamed(name), args);
}

export function runNative(native: Native, args: readonly unknown[]): unknown {
  tick(native.cost.steps);
  if (native.cost.readsPicture) tickPicture(args[1]);
  return native.counted(native.implementation.apply(focus, args as never[]));
}

/** Charges for what a function has made. */
function counted(result: unknown): unknown {
  tickMade(result);
  return result;
}

function free(result: unknown): unknown {
  return result;
}

/** A call of a function of jsonata with already evaluated arguments: checked by its signature, the result settled. */
export function callBuiltin(name: string, args: readonly unknown[], input: unknown): unknown {
  return settle(callBuiltinRaw(name, args, input));
}

export function callBuiltinRaw(name: string, args: readonly unknown[], input: unknown): unknown {
  const native = nativeNamed(name);
  if (args.some(isMarkedData)) return giveUp();
  return runNative(native, native.signature?.validate(args, input) ?? args);
}

/** Returns a function of jsonata that is bound to the `this` it expects. */
export function nativeDirect(native: Native): (...args: unknown[]) => unknown {
  const run = native.implementation.bind(focus) as (...args: unknown[]) => unknown;
  const {
    cost: { steps, readsPicture },
    counted: countedResult,
  } = native;
  return (first, second, third, fourth) => {
    tick(steps);
    if (readsPicture) tickPicture(second);
    return countedResult(run(first, second, third, fourth));
  };
}

const plainParameters = /^[^(]*\(([\w$]+(?:\s*,\s*[\w$]+)*)\)/;

const values = new Map<string, FunctionValue>();

/** A function of jsonata as a value. */
export function nativeValue(name: string): FunctionValue {
  const made = values.get(name) ?? makeValue(nativeNamed(name));
  values.set(name, made);
  return made;
}

function makeValue(native: Native): FunctionValue {
  const value = Object.assign((...args: unknown[]) => runNative(native, args), {
    arity: native.declared.length,
    native: true,
    simpleParameters: plainParameters.exec(String(native.declared))?.[1]?.split(',').length,
  });
  const { signature } = native;
  return signature === undefined
    ? value
    : Object.assign(value, {
        validate: (args: readonly unknown[], context: unknown) => signature.validate(args, context),
      });
}
