/** JSON with sorted keys: equal values give equal texts. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const map = value as Record<string, unknown>;
  return `{${Object.keys(map)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(map[key])}`)
    .join(',')}}`;
}
