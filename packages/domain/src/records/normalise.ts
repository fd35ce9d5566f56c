import { coerce } from './coerce';
import type { FieldDefinition, JsonObject } from './field';
import { valueReader, type Reading } from './read-value';
import type { RecordError } from './record';

export type NormalisedRecord = { status: 'ready'; fields: JsonObject } | { status: 'failed'; error: RecordError };

/**
 * Normalises the data of records of one dataset; the answers are in the order of the records. After `turnMs` (default: no
 * limit) it may end without the last ones, though not without any.
 */
export type NormaliseRecords = (fields: readonly FieldDefinition[], records: readonly JsonObject[], turnMs?: number) => Promise<NormalisedRecord[]>;

const MAX_SHOWN_VALUE = 1000;

/**
 * A normaliser for one set of fields. Expressions are compiled once and run in this process; `beforeField` learns
 * the position of each field before its value is computed.
 */
export function recordNormaliser(
  fields: readonly FieldDefinition[],
  beforeField?: (position: number) => void,
): (data: JsonObject) => Promise<NormalisedRecord> {
  const readers = fields.map((field) => ({ field, read: valueReader(field) }));
  return async (data) => {
    const normalised: JsonObject = {};
    for (const [position, { field, read }] of readers.entries()) {
      beforeField?.(position);
      const pending = read(data);
      const reading = pending instanceof Promise ? await pending : pending;
      const error = store(normalised, field, reading);
      if (error) return { status: 'failed', error };
    }
    return { status: 'ready', fields: normalised };
  };
}

/** In this process: for callers that a tenant's expression may stop. */
export const normaliseInPlace: NormaliseRecords = async (fields, records) => {
  const normalise = recordNormaliser(fields);
  const results: NormalisedRecord[] = [];
  for (const data of records) results.push(await normalise(data));
  return results;
};

function store(target: JsonObject, field: FieldDefinition, reading: Reading): RecordError | undefined {
  if (!reading.ok) return { field: field.key, value: null, code: reading.code, message: reading.message };
  const coerced = coerce(field.type, reading.value, field.notation);
  if (coerced.kind === 'error') {
    return { field: field.key, value: shown(reading.value), code: coerced.code, message: coerced.message };
  }
  if (coerced.kind === 'value') target[field.key] = coerced.value;
  return undefined;
}

/** A value as an error shows it: long ones cut, and nothing that cannot be stored. */
function shown(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value);
  const storable = text.replace(/\0|\p{Surrogate}/gu, '\ufffd');
  if (storable.length > MAX_SHOWN_VALUE) return `${storable.slice(0, MAX_SHOWN_VALUE).replace(/\p{Surrogate}/gu, '')}…`;
  return typeof value === 'string' ? storable : storable === text && text.length > 0 ? parsed(text) : storable;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
