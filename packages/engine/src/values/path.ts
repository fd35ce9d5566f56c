const arrayIndex = /^(?:0|[1-9]\d{0,9})$/;

/**
 * Reads a dotted path. The whole text is tried as one key first, because field keys may hold dots;
 * otherwise the dots are walked. Only own properties count, so that `constructor` or `__proto__`
 * never reach the prototype. A step into an array is an index. Absent: undefined.
 */
export function readPath(data: unknown, path: string): unknown {
  if (isContainer(data) && !Array.isArray(data) && Object.hasOwn(data, path)) {
    return (data as Record<string, unknown>)[path];
  }
  let current = data;
  for (const step of path.split('.')) {
    current = readStep(current, step);
    if (current === undefined) return undefined;
  }
  return current;
}

function readStep(data: unknown, step: string): unknown {
  if (!isContainer(data)) return undefined;
  if (Array.isArray(data)) return arrayIndex.test(step) ? (data as unknown[])[Number(step)] : undefined;
  return Object.hasOwn(data, step) ? (data as Record<string, unknown>)[step] : undefined;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
