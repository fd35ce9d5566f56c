import type { Builtin } from '../../reference';
import { anyType, booleanType, functionType, numberType, stringType, undefinedType } from '../value-types';
import type { ValueType } from '../value-types';

/** A parameter for which only the type decides whether an argument fits. */
export interface SimpleParameter {
  kinds: ValueType;
  isOptional: boolean;
  takesContext: boolean;
}

interface SimpleSignature {
  parameters: SimpleParameter[];
  result: ValueType | null;
}

const kindOf: Readonly<Record<string, ValueType>> = {
  s: stringType,
  n: numberType,
  b: booleanType,
  f: functionType,
};
const parameterPattern = /\(([snbf]+)\)([-?]*)|([snb])([-?]*)/gy;

/** Reads `<s-nn?:s>`. Null where a parameter is anything but texts, numbers, booleans, and functions beside them. */
function readSignature(definition: string): SimpleSignature | null {
  const [parameters = '', result = ''] = definition.slice(1, -1).split(':');
  const read = [...parameters.matchAll(parameterPattern)];
  if (read.reduce((length, [text]) => length + text.length, 0) !== parameters.length) return null;
  return {
    parameters: read.map(([, choice, choiceMarks = '', single = '', marks = '']) => ({
      kinds: [...(choice ?? single)].reduce((kinds, letter) => kinds | (kindOf[letter] ?? 0), 0),
      isOptional: `${choiceMarks}${marks}`.includes('?'),
      takesContext: `${choiceMarks}${marks}`.includes('-'),
    })),
    result: kindOf[result] ?? null,
  };
}

/** Returns the signature by which the types of `count` arguments alone decide a call; null where more decides. */
export function signatureOf({ signature }: Builtin, count: number): (SimpleSignature & { result: ValueType }) | null {
  const { parameters, result } = readSignature(signature?.definition ?? '') ?? {};
  if (parameters === undefined || result === undefined || result === null) return null;
  return fitsCount(parameters, count) ? { parameters, result } : null;
}

/** Returns whether a call with `count` arguments leaves no parameter to the context or to an error. */
function fitsCount(parameters: readonly SimpleParameter[], count: number): boolean {
  return count > 0 && count <= parameters.length && parameters.slice(count).every((parameter) => parameter.isOptional);
}

export function resultType(native: Builtin): ValueType {
  const kinds = kindOf[native.signature?.definition.split(':')[1]?.slice(0, -1) ?? ''];
  return kinds === undefined ? anyType : kinds | undefinedType;
}
