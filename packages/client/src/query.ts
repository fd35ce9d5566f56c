import { textOf } from './text';

/** Writes a query: an array as its values, an object as its own keys (`field.<key>`), the rest as text. */
export function querySerializer(query: Record<string, unknown>): string {
  const out = new URLSearchParams();
  const add = (name: string, value: unknown): void => {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) for (const one of value as unknown[]) add(name, one);
    else if (value instanceof Date) out.append(name, value.toISOString());
    else if (typeof value === 'object') for (const [key, one] of Object.entries(value)) add(key, one);
    else out.append(name, textOf(value));
  };
  for (const [name, value] of Object.entries(query)) add(name, value);
  return out.toString();
}
