import type { Side } from '../values/types';
import type { FieldProfile } from './types';

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const words = new Set(['and', 'or', 'in', 'true', 'false', 'null', 'function']);

/** Returns a field of a record as an expression, such as left.amount. */
export function fieldOf(side: Side, { path, isKey }: Pick<FieldProfile, 'path' | 'isKey'>): string {
  return [side, ...(isKey ? [path] : path.split('.'))]
    .map((step) => (plainName.test(step) && !words.has(step) ? step : `\`${step}\``))
    .join('.');
}

/** Returns a field as text, or nothing. */
export function textOf(side: Side, field: FieldProfile): string {
  const value = fieldOf(side, field);
  return field.isPlain && field.kind !== 'number' ? value : `(${value} ? $string(${value}))`;
}

/** Returns a field as a number, or nothing. */
export function numberOf(side: Side, field: FieldProfile): string {
  const value = fieldOf(side, field);
  return field.isPlain ? value : `(${value} ? $amount($string(${value})))`;
}

/** Returns a field as a number, 0 included, or nothing: for keys. */
export function amountOf(side: Side, field: FieldProfile): string {
  const value = fieldOf(side, field);
  return field.isPlain ? value : `$amount($string(${value}))`;
}

/** Returns a field as a date, or nothing. */
export function dateOf(side: Side, field: FieldProfile): string {
  const value = fieldOf(side, field);
  return field.isPlain
    ? value
    : `($type(${value}) = "string" and $contains(${value}, /^\\d{4}-\\d{2}-\\d{2}/) ? ${value})`;
}

/** Joins the texts of several fields. */
export function joinedOf(side: Side, fields: readonly FieldProfile[]): string {
  const [only, ...others] = fields;
  if (only !== undefined && others.length === 0) return textOf(side, only);
  return `$join([${fields.map((field) => textOf(side, field)).join(', ')}], " ")`;
}

/** Returns a text as a literal of an expression. */
export const literal = (text: string): string => JSON.stringify(text);

/** Rounds a number to the digits that its use needs. */
export const rounded = (value: number, digits = 5): number => Number(value.toFixed(digits));
