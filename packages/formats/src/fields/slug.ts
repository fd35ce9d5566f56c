/** Pattern of field keys: a letter, then letters, digits, `_`, `.` and `-`; max 64 characters. */
export const fieldKeyPattern = '^[A-Za-z][A-Za-z0-9_.-]{0,63}$';
export const fieldKeyMaxLength = 64;

// Letters without a decomposition into a base letter and accents.
const foldings: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };

/** Makes a field key from a column's name: "Valor Líquido (R$)" gives "valor_liquido_r". */
export function slug(name: string): string {
  const folded = name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => foldings[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  const started = folded === '' ? 'field' : /^[a-z]/.test(folded) ? folded : `f_${folded}`;
  return started.slice(0, fieldKeyMaxLength).replace(/_+$/, '');
}

/** Returns the key, or the key with `_2`, `_3`… if it is taken. */
export function uniqueKeyFor(key: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `_${n}`;
    const candidate = key.slice(0, fieldKeyMaxLength - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
