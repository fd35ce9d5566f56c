import { sequenceOf } from './sequences';
import { isFieldObject } from './values';
import type { MarkedArray } from './values';

/** An object that has none of the marks of jsonata's evaluator. */
export function isObjectInput(input: unknown): boolean {
  if (!isFieldObject(input) || Array.isArray(input)) return false;
  return input['outerWrapper'] === undefined && input['tupleStream'] === undefined;
}

/** An array as jsonata evaluates it: one value, not many. */
export function wrapInput(input: unknown): unknown {
  if (!Array.isArray(input)) return input;
  const wrapped: MarkedArray = sequenceOf(input);
  wrapped.outerWrapper = true;
  return wrapped;
}

export function unwrapInput(wrapped: unknown): unknown {
  return Array.isArray(wrapped) ? wrapped[0] : wrapped;
}

/** `$`: the context, an array that is the input without its wrapping. */
export function contextValue(context: unknown): unknown {
  const wrapped = context as { outerWrapper?: unknown; 0?: unknown } | null | undefined;
  return typeof wrapped === 'object' && wrapped !== null && Boolean(wrapped.outerWrapper) ? wrapped[0] : context;
}
