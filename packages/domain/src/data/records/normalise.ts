import { coerce } from './coerce';
import type { FieldDefinition, JsonObject } from './field';
import { valueReader, type Reading } from './read-value';
import type { RecordError } from './record';

export type NormalisedRecord = { status: 'ready'; fields: JsonObject } | { status: 'failed'; error: RecordError };

/**
 * Normalises the data of records of one dataset; the answers are in the order of the records. With `turnMs` it may end without the last
 * ones, though not without any: after so long, or when what it has made is to be written before there is more of it.
 */
export type NormaliseRecords = (
  fields: readonly FieldDefinition[],
  records: readonly JsonObject[],
  turnMs?: number,
) => Promise<NormalisedRecord[]>;

const MAX_SHOWN_VALUE = 1000;

/** Characters of the JSON text of a record's fields: the record has half of that at most, and several fields may show the same part of it. */
const MAX_FIELDS = 2 << 20;
/** The same of what a turn makes: small records may have large fields. */
export const MAX_MADE_IN_TURN = 16 << 20;

/** A record, and the characters of the JSON text of its fields. */
export interface MadeRecord {
  record: NormalisedRecord;
  characters: number;
}

/**
 * A normaliser for one set of fields. Expressions are compiled once and run in this process; `beforeField` learns
 * the position of each field before its value is computed.
 */
export function recordNormaliser(
  fields: readonly FieldDefinition[],
  beforeField?: (position: number) => void,
): (data: JsonObject) => Promise<MadeRecord> {
  const failed = (error: RecordError): MadeRecord => ({ record: { status: 'failed', error }, characters: 0 });
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
      if (characters > MAX_FIELDS) return failed(tooLarge(field.key));
    }
    return { record: { status: 'ready', fields: normalised }, characters };
  };
}

/** In this process: for callers that a tenant's expression may stop. */
export const normaliseInPlace: NormaliseRecords = async (fields, records, turnMs) => {
  const normalise = recordNormaliser(fields);
  const results: NormalisedRecord[] = [];
  let made = 0;
  for (const data of records) {
    if (turnMs !== undefined && made > MAX_MADE_IN_TURN) break;
    const { record, characters } = await normalise(data);
    results.push(record);
    made += characters;
  }
  return results;
};

/** Of the field with which they are too many. The others are not computed: thousands of fields may show the same large value. */
const tooLarge = (field: string): RecordError => ({
  field,
  value: null,
  code: 'fields_too_large',
  message: `The fields of a record may have ${MAX_FIELDS} characters together, as JSON: with this one there are more`,
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
