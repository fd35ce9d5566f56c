import { fail } from '../../fault';

/** A value that expressions can call. jsonata's builtins accept it as a function. */
export interface FunctionValue {
  (...args: unknown[]): unknown;
  arity: number;
  /** Gives the arguments as the function takes them; only where it has a signature. */
  validate?: (args: readonly unknown[], context: unknown) => unknown[];
  /** The function without its signature, for callers that have checked the arguments. Lambdas only. */
  unchecked?: FunctionValue;
  /** The function before its tail calls are followed; only where it makes some. */
  body?: (...args: unknown[]) => unknown;
  /** The form in which the function is passed as an argument, without the context of calls. */
  passed?: FunctionValue;
  /** True for jsonata's own functions, false for lambdas. */
  native?: boolean;
  /** The function that it applies partially. */
  partialOf?: FunctionValue;
  /** True when two parameters have the same name. Lambdas only. */
  repeatsParameter?: boolean;
  /** The number of parameters in the source text of a jsonata function; undefined where they are not plain names. */
  simpleParameters?: number | undefined;
}

/** An array as jsonata marks it. */
export interface MarkedArray extends Array<unknown> {
  /** True for a sequence: with one item it stands for that item, with none for nothing. */
  sequence?: boolean;
  keepSingleton?: boolean;
  /** Written as a constructor in a path: not flattened into what surrounds it. */
  cons?: boolean;
  /** The input itself, when that is an array. */
  outerWrapper?: boolean;
}

interface MarkedObject {
  _jsonata_lambda?: unknown;
  _jsonata_function?: unknown;
}

export function isFunctionValue(value: unknown): value is FunctionValue {
  return typeof value === 'function';
}

/** Data that carries jsonata's marks of a function is one to jsonata: it has no fields. */
export function isMarkedFunction(value: object): boolean {
  return (value as MarkedObject)._jsonata_lambda === true || (value as MarkedObject)._jsonata_function === true;
}

/** A value that jsonata takes for a function although it is data; passed on as an argument, it fails there. */
export function isMarkedData(value: unknown): boolean {
  return typeof value === 'object' && value !== null && isMarkedFunction(value);
}

/** An object that has fields. */
export function isFieldObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !isMarkedFunction(value);
}

/** A number to calculate with. Throws D1001 beyond the finite. */
export function isNumeric(value: unknown): value is number {
  if (typeof value !== 'number' || Number.isNaN(value)) return false;
  if (!Number.isFinite(value)) fail({ code: 'D1001', value });
  return true;
}

export function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

/** Makes an object as jsonata does: without a prototype, so that it has no inherited keys. */
export function emptyObject(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}
