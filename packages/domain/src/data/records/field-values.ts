import { coerce } from './coerce';
import type { FieldValues, FieldValuesRequest, JsonObject } from '../../kernel/ports';
import { maxNormalisedCharacters } from './normalise';
import { valueReader } from './read-value';

/**
 * Computes all fields of each body, also beside one that fails; runs in a child process. Values beyond what a
 * normaliser holds at a time are errors.
 */
export async function fieldValues({ fields, bodies }: FieldValuesRequest): Promise<FieldValues[]> {
  const readers = fields.map((field) => ({ field, read: valueReader(field) }));
  let characters = 0;
  const results: FieldValues[] = [];
  for (const body of bodies) {
    const values: JsonObject = {};
    const errors: FieldValues['errors'] = [];
    for (const { field, read } of readers) {
      const fail = (code: string, message: string) => void errors.push({ field: field.key, code, message });
      const reading = await read(body);
      if (!reading.ok) {
        fail(reading.code, reading.message);
        continue;
      }
      const coerced = coerce(field.type, reading.value, field.notation);
      if (coerced.kind === 'error') fail(coerced.code, coerced.message);
      if (coerced.kind !== 'value') continue;
      characters += JSON.stringify(coerced.value).length;
      if (characters > maxNormalisedCharacters)
        fail('fields_too_large', 'is too much for a preview: send fewer records');
      else values[field.key] = coerced.value;
    }
    results.push({ values, errors });
  }
  return results;
}
