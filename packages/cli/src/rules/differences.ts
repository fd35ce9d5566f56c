import { isDeepStrictEqual } from 'node:util';
import { pointer } from './schema-faults';

/** Lists the differences between two values by place: the old value with `-`, the new one with `+`. */
export function differences(before: unknown, after: unknown, path = ''): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isTree(before) && isTree(after) && Array.isArray(before) === Array.isArray(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => differences(own(before, name), own(after, name), pointer(path, name)));
  }
  const line = (sign: string, value: unknown): string[] =>
    value === undefined ? [] : [`${sign} ${path === '' ? '/' : path}: ${JSON.stringify(value)}`];
  return [...line('-', before), ...line('+', after)];
}

const isTree = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const own = (tree: Record<string, unknown>, name: string): unknown =>
  Object.hasOwn(tree, name) ? tree[name] : undefined;
