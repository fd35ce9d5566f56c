/** What a field key must look like: a letter, then letters, digits, `_`, `.` and `-`, 64 characters at most. */
export const fieldKeyPattern = '^[A-Za-z][A-Za-z0-9_.-]{0,63}$';
export const fieldKeyMaxLength = 64;

// Letters that have no decomposition into a base letter and accents.
const foldings: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', þ: 'th', ı: 'i' };

/** A field key made of a column's name: "Valor Líquido (R$)" gives "valor_liquido_r". */
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

/** The key itself, or with `_2`, `_3`… when it is taken. */
export function untaken(key: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const suffix = n === 1 ? '' : `_${n}`;
    const candidate = key.slice(0, fieldKeyMaxLength - suffix.length) + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}
