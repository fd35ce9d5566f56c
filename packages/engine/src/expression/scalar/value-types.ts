/** The possible kinds of a value, as bits. */
export type ValueType = number;

export const UNDEFINED = 1;
export const NULL = 2;
export const BOOLEAN = 4;
export const FINITE = 8;
/** Infinite or not a number. */
export const NONFINITE = 16;
export const STRING = 32;
export const ARRAY = 64;
/** An object that is no array. */
export const OBJECT = 128;
export const FUNCTION = 256;

export const NUMBER = FINITE | NONFINITE;
export const PRIMITIVE = UNDEFINED | NULL | BOOLEAN | NUMBER | STRING;
/** Everything that JSON can hold, or nothing. */
export const DATA = PRIMITIVE | ARRAY | OBJECT;
export const ANYTHING = DATA | FUNCTION;

export function mayBe(type: ValueType, kinds: ValueType): boolean {
  return (type & kinds) !== 0;
}

export function isOnly(type: ValueType, kinds: ValueType): boolean {
  return (type & ~kinds) === 0;
}

export function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'undefined':
      return UNDEFINED;
    case 'boolean':
      return BOOLEAN;
    case 'number':
      return Number.isFinite(value) ? FINITE : NONFINITE;
    case 'string':
      return STRING;
    default:
      return value === null ? NULL : ANYTHING;
  }
}
