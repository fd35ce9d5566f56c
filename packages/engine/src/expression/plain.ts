import { checkDepth, checkVisited } from './limits/bounds';

/** Replaces a function or regular expression that an expression returned. */
function functionResult(): undefined {
  return undefined;
}

/**
 * Converts a result to plain data. jsonata marks its sequences with own properties, one of them a function, and builds
 * objects without prototype; neither survives a structured clone or a comparison. Lambdas and builtins become a
 * function, so that `typeof` identifies them. Throws an ExpressionError for a value that is too large or nested too
 * deep.
 */
export function toPlain(value: unknown): unknown {
  return copied(value, { values: 0 }, 0);
}

/** Values that share parts take little memory; their copies would not. */
interface Copied {
  values: number;
}

function copied(value: unknown, so: Copied, depth: number): unknown {
  if (typeof value === 'function') return functionResult;
  if (typeof value !== 'object' || value === null) return value;
  checkVisited(++so.values);
  checkDepth(depth);
  if (Array.isArray(value)) return value.map((item) => copied(item, so, depth + 1));
  if (isFunctionObject(value)) return functionResult;
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(value))
    setMember(plain, key, copied((value as Record<string, unknown>)[key], so, depth + 1));
  return plain;
}

/** jsonata's own functions, which are objects. */
export function isFunctionObject(value: object): boolean {
  return (
    ('_jsonata_lambda' in value && value._jsonata_lambda === true) ||
    ('_jsonata_function' in value && value._jsonata_function === true)
  );
}

/** Copies data deeply. */
export function cloneData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneData);
  const clone: Record<string, unknown> = {};
  for (const key of Object.keys(value)) setMember(clone, key, cloneData((value as Record<string, unknown>)[key]));
  return clone;
}

/** Assignment to `__proto__` would set the prototype instead. */
export function setMember(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}
