type Values = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns the differences between two objects, key by key, for the entry of a change. A key that one of them lacks
 * is null there.
 */
export function changesOf(before: object, after: object): { before: object; after: object } {
  const was: Record<string, unknown> = {};
  const is: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old = null, now = null] = [(before as Values)[key], (after as Values)[key]];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    const inner = isObject(old) && isObject(now) ? changesOf(old, now) : { before: old, after: now };
    setOwn(was, key, inner.before);
    setOwn(is, key, inner.after);
  }
  return { before: was, after: is };
}

/** Sets a key that may be `__proto__`. */
const setOwn = (target: object, key: string, value: unknown): void =>
  void Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
