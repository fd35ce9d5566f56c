import { coerce } from './coerce';
import type { FieldDefinition, JsonObject } from '../../kernel/ports';
import { valueReader, type Reading } from './read-value';
import type { RecordError } from './record';

export type NormalisedRecord = { status: 'ready'; fields: JsonObject } | { status: 'failed'; error: RecordError };

/**
 * Normalises the data of records of one dataset; results are in the order of the records. With `timeoutMs` it may leave
 * out the last records, but never all: after the timeout, or when the results are to be written before more are held.
 */
export type NormaliseRecords = (
  fields: readonly FieldDefinition[],
  records: readonly JsonObject[],
  timeoutMs?: number,
) => Promise<NormalisedRecord[]>;

const maxShownCharacters = 1000;

/**
 * Max characters of the JSON text of a record's fields: twice the size of a record, because several fields may hold the
 * same part of it.
 */
const maxFieldCharacters = 2 << 20;
/** Max characters of all results held at a time: small records may have large fields. */
export const maxNormalisedCharacters = 16 << 20;

/** A normalised record, and the characters of the JSON text of its fields. */
export interface WeighedResult {
  record: NormalisedRecord;
  characters: number;
}

/**
 * Creates a normaliser for one set of fields. Expressions are compiled once and run in this process.
 * @param beforeField called with the position of each field before its value is computed
 */
export function recordNormaliser(
  fields: readonly FieldDefinition[],
  beforeField?: (position: number) => void,
): (data: JsonObject) => Promise<WeighedResult> {
  const failed = (error: RecordError): WeighedResult => ({ record: { status: 'failed', error }, characters: 0 });
  const readers = fields.map((field) => ({ field, read: valueReader(field) }));
  return async (data) => {
    const normalised: JsonObject = {};
    let characters = 0;
    for (const [position, { field, read }] of readers.entries()) {
      beforeField?.(position);
      const pending = read(data);
      const reading = pending instanceof Promise ? await pending : pending;
      const error = store(normalised, field, reading);
      if (error) return failed(error);
      if (Object.hasOwn(normalised, field.key))
        characters += field.key.length + JSON.stringify(normalised[field.key]).length;
      if (characters > maxFieldCharacters) return failed(tooLarge(field.key));
    }
    return { record: { status: 'ready', fields: normalised }, characters };
  };
}

/** Normalises in this process, for callers that a tenant's expression may block. */
export const normaliseInPlace: NormaliseRecords = async (fields, records, timeoutMs) => {
  const normalise = recordNormaliser(fields);
  const results: NormalisedRecord[] = [];
  let total = 0;
  for (const data of records) {
    if (timeoutMs !== undefined && total > maxNormalisedCharacters) break;
    const { record, characters } = await normalise(data);
    results.push(record);
    total += characters;
  }
  return results;
};

/**
 * The error of the field that exceeds the max. The following fields are not computed: thousands of fields may hold the
 * same large value.
 */
const tooLarge = (field: string): RecordError => ({
  field,
  value: null,
  code: 'fields_too_large',
  message:
    `The fields of a record may have ${maxFieldCharacters} characters together, as JSON: ` +
    'with this one there are more',
});

function store(target: JsonObject, field: FieldDefinition, reading: Reading): RecordError | undefined {
  if (!reading.ok) return { field: field.key, value: null, code: reading.code, message: reading.message };
  const coerced = coerce(field.type, reading.value, field.notation);
  if (coerced.kind === 'error') {
    return { field: field.key, value: shown(reading.value), code: coerced.code, message: coerced.message };
  }
  if (coerced.kind === 'value') target[field.key] = coerced.value;
  return undefined;
}

/** Prepares a value for an error: cuts a long one and replaces characters that cannot be stored. */
function shown(value: unknown): unknown {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? typeof value);
  const storable = text.replace(/\0|\p{Surrogate}/gu, '\ufffd');
  if (storable.length > maxShownCharacters)
    return `${storable.slice(0, maxShownCharacters).replace(/\p{Surrogate}/gu, '')}…`;
  return typeof value === 'string' ? storable : storable === text && text.length > 0 ? parsed(text) : storable;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
