import { readAmount, readDay } from '@tieout/engine';

export const fieldTypes = ['string', 'number', 'amount', 'boolean', 'date', 'datetime', 'array', 'object'] as const;
export type FieldType = (typeof fieldTypes)[number];

const integerText = /^[+-]?(0|[1-9]\d{0,14})$/;
const decimalText = /^[+-]?(0|[1-9]\d*)\.\d{1,4}$/;
const dayText = /^\d{4}-\d{2}-\d{2}$/;

/** The type that all values of a column share; string when they share none or there are no values. */
export function inferType(values: readonly unknown[]): FieldType {
  const present = values.filter((value) => value !== null && value !== undefined && value !== '');
  const [first] = present;
  if (first === undefined) return 'string';
  const types = new Set(present.map(typeOf));
  if (types.size === 1) return typeOf(first);
  // Whole numbers among decimals: "10" beside "9.50".
  if ([...types].every((type) => type === 'number' || type === 'amount'))
    return types.has('amount') ? 'amount' : 'number';
  if ([...types].every((type) => type === 'date' || type === 'datetime')) return 'datetime';
  return 'string';
}

/** How many of the values have each type. */
export function valueTypes(values: readonly unknown[]): Map<FieldType, number> {
  const counts = new Map<FieldType, number>();
  for (const value of values) counts.set(typeOf(value), (counts.get(typeOf(value)) ?? 0) + 1);
  return counts;
}

function typeOf(value: unknown): FieldType {
  if (Array.isArray(value)) return 'array';
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return 'number';
    case 'object':
      return 'object';
    default:
      return typeOfText(String(value).trim());
  }
}

function typeOfText(text: string): FieldType {
  if (/^(true|false)$/i.test(text)) return 'boolean';
  // A leading zero or more digits than a double holds: an identifier, not a quantity.
  if (integerText.test(text)) return 'number';
  if (decimalText.test(text) && readAmount(text).ok) return 'amount';
  if (readDay(text).ok) return dayText.test(text) ? 'date' : 'datetime';
  return 'string';
}
