import { builtins } from '../../reference';
import type { Builtin } from '../../reference';
import { fail, giveUp } from './fault';
import { checkSequenceLength, sequenceOptions } from './meter';
import { emptySequence, settle } from './sequences';
import { isMarkedData } from './values';
import type { FunctionValue, MarkedArray } from './values';

let known: ReadonlyMap<string, Builtin> | undefined;

export function findNative(name: string): Builtin | undefined {
  known ??= builtins();
  return known.get(name);
}

function nativeNamed(name: string): Builtin {
  return findNative(name) ?? fail({ code: 'T1006', token: name });
}

/** What jsonata's functions see as `this`. */
const focus = {
  environment: {
    /** The time of the evaluation, which fills up a date without all its parts, is jsonata's to give. */
    get timestamp(): Date {
      return giveUp();
    },
  },
  options: sequenceOptions,
  createSequence,
};

function createSequence(...items: unknown[]): MarkedArray {
  const sequence = emptySequence();
  const push = (...added: unknown[]): number => {
    checkSequenceLength(sequence.length + added.length);
    return Array.prototype.push.apply(sequence, added);
  };
  Object.defineProperty(sequence, 'push', { value: push });
  if (items.length === 1) sequence.push(items[0]);
  return sequence;
}

/** Runs a function of jsonata as it is: arguments of the right types, the result not yet settled. */
export function callNative(name: string, args: readonly unknown[]): unknown {
  return runNative(nativeNamed(name), args);
}

export function runNative(native: Builtin, args: readonly unknown[]): unknown {
  return native.implementation.apply(focus, args as never[]);
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

/** A function of jsonata, bound to what it sees as `this`. */
export function nativeDirect(native: Builtin): (...args: unknown[]) => unknown {
  return native.implementation.bind(focus) as (...args: unknown[]) => unknown;
}

const plainParameters = /^[^(]*\(([\w$]+(?:\s*,\s*[\w$]+)*)\)/;

const values = new Map<string, FunctionValue>();

/** A function of jsonata as a value. */
export function nativeValue(name: string): FunctionValue {
  const made = values.get(name) ?? makeValue(nativeNamed(name));
  values.set(name, made);
  return made;
}

function makeValue(native: Builtin): FunctionValue {
  const value = Object.assign((...args: unknown[]) => runNative(native, args), {
    arity: native.implementation.length,
    native: true,
    simpleParameters: plainParameters.exec(String(native.implementation))?.[1]?.split(',').length,
  });
  const { signature } = native;
  return signature === undefined ? value : Object.assign(value, { validate: (args: readonly unknown[], context: unknown) => signature.validate(args, context) });
}
