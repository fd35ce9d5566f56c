import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from '@sinclair/typebox';
import type { FieldError } from '../kernel/errors';
import { pointerTo } from './storable-json';
import { isUuid } from '../kernel/ids';

export type { Static, TSchema };

interface ParserOptions {
  /** Converts texts to numbers and booleans where the schema has them: for environment and query. */
  coerce?: boolean;
}

export type ParseResult<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

/** Checks a value against a schema. Defaults and, if enabled, coercion change the value in place. */
export type Parser<T> = (value: unknown) => ParseResult<T>;

export type CompileSchema = <S extends TSchema>(schema: S) => Parser<Static<S>>;

/**
 * Creates the one schema compiler for environment, HTTP, job payloads and provider answers: TypeBox builds the JSON
 * Schema and the static type, Ajv checks it. A schema is compiled at its first use: a process meets few of all schemas,
 * and compiling all of them takes a quarter of its start.
 */
export function createSchemaCompiler(options: ParserOptions = {}): CompileSchema {
  const ajv = new Ajv2020({
    allErrors: true,
    useDefaults: true,
    coerceTypes: options.coerce ?? false,
    strict: true,
    strictTypes: false,
    strictTuples: false,
    discriminator: false,
    verbose: true,
    // TypeBox makes valid schemas. To check them, each process would compile the schema of schemas at its start.
    validateSchema: false,
  });
  // CJS interop: under node16 resolution the default export is one level deeper.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // The format of ajv-formats also accepts `urn:uuid:…`, which the database refuses.
  ajv.addFormat('uuid', isUuid);
  // The format only documents the field: each field checks its urls itself, with its own error.
  ajv.addFormat('uri', true);
  // The database has no year 0, and a Date no leap seconds.
  narrowFormat(ajv, 'date', (text) => !text.startsWith('0000'));
  narrowFormat(ajv, 'date-time', (text) => !Number.isNaN(Date.parse(text)));
  return <S extends TSchema>(schema: S): Parser<Static<S>> => {
    let validate: ValidateFunction | undefined;
    return (value) => {
      validate ??= ajv.compile(schema);
      return validate(value)
        ? { ok: true, value: value as Static<S> }
        : { ok: false, errors: toFieldErrors(validate.errors ?? []) };
    };
  };
}

/** The pattern of a text that has more than white space. */
const notBlank = '\\S';

/** Texts that say what a value of a format is like. */
const formats: Record<string, string | undefined> = {
  date: 'must be a date such as 2026-03-31',
  'date-time': 'must be a time such as 2026-03-31T12:00:00Z',
  uuid: 'must be an id, a UUID',
};

function narrowFormat(ajv: Ajv2020, name: 'date' | 'date-time', isAlso: (text: string) => boolean): void {
  const { validate } = ajv.formats[name] as { validate: (text: string) => boolean };
  ajv.addFormat(name, (text: string) => validate(text) && isAlso(text));
}

function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const seen = new Set<string>();
  const out: FieldError[] = [];
  // A failed union reports every branch; its own error adds nothing.
  const useful = errors.filter((e) => e.keyword !== 'if' && e.keyword !== 'anyOf');
  for (const error of useful) {
    const fieldError = toFieldError(error);
    const key = `${fieldError.path} ${fieldError.code} ${fieldError.message}`;
    if (seen.has(key)) continue;
    seen.add(key);
    out.push(fieldError);
    if (out.length === 50) break;
  }
  return out;
}

function toFieldError(error: ErrorObject): FieldError {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'required':
      return {
        path: error.instancePath + pointerTo(String(params['missingProperty'])),
        code: 'required',
        message: 'is required',
      };
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return {
        path: error.instancePath + pointerTo(name),
        code: 'unknown_key',
        message: `is not a known key${suggestion(name, error.parentSchema)}`,
      };
    }
    case 'enum':
      return {
        path: error.instancePath,
        code: 'enum',
        message: `must be one of: ${(params['allowedValues'] as unknown[]).join(', ')}`,
      };
    case 'pattern': {
      const { title } = (error.parentSchema ?? {}) as { title?: string };
      const own = params['pattern'] === notBlank ? 'must not be blank' : error.message;
      return {
        path: error.instancePath,
        code: 'pattern',
        message: title === undefined ? (own ?? 'is invalid') : `must be ${title}`,
      };
    }
    case 'format': {
      const name = String(params['format']);
      return { path: error.instancePath, code: 'format', message: formats[name] ?? error.message ?? 'is invalid' };
    }
    default:
      return { path: error.instancePath, code: error.keyword, message: error.message ?? 'is invalid' };
  }
}

/** Suggests the known key that a mistyped one resembles most. Keys by a pattern are listed by its title. */
function suggestion(name: string, schema: unknown): string {
  const { properties, patternProperties = {} } = (schema ?? {}) as {
    properties?: object;
    patternProperties?: Record<string, { title?: string }>;
  };
  if (!properties) return '';
  const known = [...Object.keys(properties), ...Object.values(patternProperties).flatMap(({ title }) => title ?? [])];
  const near = known.find((k) => k.toLowerCase() === name.toLowerCase()) ?? known.find((k) => distance(k, name) <= 2);
  if (near !== undefined) return `; did you mean ${near}?`;
  return known.length === 0 ? '; no key is known here' : `; known keys: ${known.join(', ')}`;
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
}
