import { coerceValue, type Coercion } from '@tieout/formats';
import { findUnstorable } from '@tieout/infra';
import type { FieldType, Notation } from '../../kernel/ports';

/** Types whose values may hold what cannot be stored. */
const isFree: Partial<Record<FieldType, true>> = { string: true, array: true, object: true };

/** Converts a raw value to the type of a field, if the result can be stored. */
export function coerce(type: FieldType, raw: unknown, notation?: Notation): Coercion {
  const coerced = coerceValue(type, raw, notation);
  if (coerced.kind !== 'value' || isFree[type] === undefined) return coerced;
  const problem = findUnstorable(coerced.value);
  if (problem === undefined) return coerced;
  return type === 'string'
    ? { kind: 'error', code: 'invalid_string', message: 'holds a character that cannot be stored' }
    : { kind: 'error', code: problem.code, message: problem.message };
}
