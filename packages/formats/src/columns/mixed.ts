import type { ReadingWarning } from '../types';
import { isIdentifierName } from './identifiers';
import { meaningOf, namesDays } from './names';
import { typeOfCell, typeOfValue, type ColumnValue } from './types';

type ValueKind = 'a number' | 'a date' | 'a boolean' | 'a list or an object' | 'a text';

/** The share of values that are no texts, of which a column of texts has fewer by chance. */
const minShare = 0.2;

/**
 * Warns about a column that stays text because its values are of several types: numbers and texts where the format has
 * types, else numbers, dates and booleans as text.
 */
export function mixedTypes(
  column: string,
  values: readonly ColumnValue[],
  isLocal: boolean | undefined,
): ReadingWarning[] {
  if (isIdentifierName(column)) return [];
  const examples = new Map<ValueKind, string>();
  const placeholders = new Set<string>();
  let texts = 0;
  let all = 0;
  let isTyped = false;
  for (const { value, notation } of values) {
    const kind = kindOfValue(column, { value, notation });
    if (kind === null) continue;
    all++;
    if (kind === 'a text') {
      texts++;
      if (placeholders.size < 2) placeholders.add(String(value).trim());
    }
    isTyped ||= typeof value !== 'string';
    if (!examples.has(kind)) examples.set(kind, typeof value === 'string' ? value.trim() : JSON.stringify(value));
  }
  const others = all - texts;
  const areMany = others >= all * minShare;
  // One word beside values stands for a value: `unlimited`, `open`.
  const isPlaceholder = texts > 1 && others > 1 && placeholders.size === 1 && areMany;
  const isOfKinds = isTyped ? areMany : texts * 2 < all && examples.size - (texts > 0 ? 1 : 0) > 1;
  const isMixed = isOfKinds || isPlaceholder || isNamedFor(column, examples);
  if (examples.size < 2 || !isMixed) return [];
  const shown = [...examples].map(([kind, example]) => `${kind} ("${example.slice(0, 40)}")`).join(', ');
  const message =
    `The column mixes types: ${shown}, so it stays text. Write all values in one way and read the file again` +
    (isLocal ? '' : '; a field of one type refuses the others');
  return [{ code: 'column_mixed_types', column, message }];
}

/** Returns whether values of the kind that the name promises are among others. */
function isNamedFor(column: string, kinds: ReadonlyMap<ValueKind, string>): boolean {
  const meaning = meaningOf(column);
  const isNumeric = meaning === 'money' || meaning === 'quantity';
  return (isNumeric && kinds.has('a number')) || (kinds.has('a date') && namesDays(column));
}

function kindOfValue(column: string, { value, notation }: ColumnValue): ValueKind | null {
  if (value === null || value === undefined || value === '') return null;
  const type = typeof value === 'string' ? typeOfCell(column, value.trim(), notation) : typeOfValue(value);
  if (type === null) return null;
  if (type === 'number' || type === 'amount' || type === 'fine number') return 'a number';
  if (type === 'date' || type === 'datetime') return 'a date';
  if (type === 'boolean') return 'a boolean';
  return type === 'string' ? 'a text' : 'a list or an object';
}
