/**
 * Writes JSON with sorted keys, as the JSON canonicalization scheme of RFC 8785 does: equal values give equal texts. A
 * key without a value is left out.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const map = value as Record<string, unknown>;
  return `{${Object.keys(map)
    .filter((key) => map[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(map[key])}`)
    .join(',')}}`;
}
