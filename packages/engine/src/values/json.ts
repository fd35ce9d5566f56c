import type { JsonObject } from './types';

const arrayIndex = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Reads a dotted path; undefined where it is absent. The whole text is tried as one key first, because field keys
 * may hold dots; otherwise each dot is a step. Only own properties count, so that `constructor` or `__proto__`
 * never reach the prototype. A step into an array is an index.
 */
export function readPath(data: unknown, path: string): unknown {
  if (isContainer(data) && !Array.isArray(data)) {
    if (Object.hasOwn(data, path)) return (data as Record<string, unknown>)[path];
    if (!path.includes('.')) return undefined;
  }
  let current = data;
  for (const step of path.split('.')) {
    current = readStep(current, step);
    if (current === undefined) return undefined;
  }
  return current;
}

/** Returns an object without what `readPath` reads in it. What lies in an array stays. */
export function withoutPath(data: JsonObject, path: string): JsonObject {
  return withoutSteps(data, Object.hasOwn(data, path) ? [path] : path.split('.'));
}

function withoutSteps(data: JsonObject, [first = '', ...rest]: readonly string[]): JsonObject {
  if (!Object.hasOwn(data, first)) return data;
  const { [first]: inner, ...others } = data;
  if (rest.length === 0) return others;
  if (!isContainer(inner) || Array.isArray(inner)) return data;
  return { ...data, [first]: withoutSteps(inner as JsonObject, rest) };
}

function readStep(data: unknown, step: string): unknown {
  if (!isContainer(data)) return undefined;
  if (Array.isArray(data)) return arrayIndex.test(step) ? (data as unknown[])[Number(step)] : undefined;
  return Object.hasOwn(data, step) ? (data as Record<string, unknown>)[step] : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Matches NUL and halves of surrogate pairs: with the u flag a whole pair is one character of another category. */
const unstorableCharacters = /\0|\p{Surrogate}/gu;

/** Replaces NUL and halves of surrogate pairs by U+FFFD, as JSONB demands. */
export function storableText(text: string): string {
  return text.replace(unstorableCharacters, '\uFFFD');
}

/** Reduces a value to JSON data with texts that JSONB accepts. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'function' || value === undefined) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => storable(item) ?? null);
  const members = Object.entries(value).map(([key, member]) => [storableText(key), storable(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== undefined));
}
