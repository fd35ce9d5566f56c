/** The possible kinds of a value, as bits. */
export type ValueType = number;

export const undefinedType = 1;
export const nullType = 2;
export const booleanType = 4;
export const finiteType = 8;
/** Infinite or not a number. */
export const nonfiniteType = 16;
export const stringType = 32;
export const arrayType = 64;
/** An object that is not an array. */
export const objectType = 128;
export const functionType = 256;

export const numberType = finiteType | nonfiniteType;
export const primitiveType = undefinedType | nullType | booleanType | numberType | stringType;
/** Everything that JSON can hold, or nothing. */
export const dataType = primitiveType | arrayType | objectType;
export const anyType = dataType | functionType;

export function mayBe(type: ValueType, kinds: ValueType): boolean {
  return (type & kinds) !== 0;
}

export function isOnly(type: ValueType, kinds: ValueType): boolean {
  return (type & ~kinds) === 0;
}

export function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'undefined':
      return undefinedType;
    case 'boolean':
      return booleanType;
    case 'number':
      return Number.isFinite(value) ? finiteType : nonfiniteType;
    case 'string':
      return stringType;
    default:
      return value === null ? nullType : anyType;
  }
}
