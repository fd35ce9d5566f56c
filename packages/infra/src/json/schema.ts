import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ErrorObject, ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Static, TSchema } from '@sinclair/typebox';
import type { FieldError } from '../kernel/errors';
import { pointerTo } from './storable-json';
import { isUuid } from '../kernel/ids';

export type { Static, TSchema };

export interface ParserOptions {
  /** Texts become numbers and booleans where the schema wants them: environment, query. */
  coerce?: boolean;
}

export type ParseResult<T> = { ok: true; value: T } | { ok: false; errors: FieldError[] };

/** Checks a value against a schema. The value is changed in place: defaults, and coercion if asked for. */
export type Parser<T> = (value: unknown) => ParseResult<T>;

export type CompileSchema = <S extends TSchema>(schema: S) => Parser<Static<S>>;

/**
 * One schema library for environment, HTTP, job payloads and provider answers: TypeBox builds the
 * JSON Schema and the static type, Ajv checks it. A schema is compiled when it is first needed: of all that a process could
 * be sent it meets a few, and compiling all of them is a quarter of the time that its start takes.
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
  });
  // CJS interop: the default export sits one level deeper under node16 resolution.
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
  // The stock format also takes `urn:uuid:…`, which the database does not.
  ajv.addFormat('uuid', isUuid);
  // A note for readers of the document: which urls will do, and the error that others give, is each field's own matter.
  ajv.addFormat('uri', true);
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

function toFieldErrors(errors: readonly ErrorObject[]): FieldError[] {
  const seen = new Set<string>();
  const out: FieldError[] = [];
  // A failed union reports every branch; its own line says nothing that the branches do not.
  const useful = errors.filter((e) => e.keyword !== 'if');
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
    default:
      return { path: error.instancePath, code: error.keyword, message: error.message ?? 'is invalid' };
  }
}

/** Keys by a pattern go by its title. Names the known key that a mistyped one most resembles: "Tmach" costs a run otherwise. */
function suggestion(name: string, schema: unknown): string {
  const { properties, patternProperties = {} } = (schema ?? {}) as {
    properties?: object;
    patternProperties?: Record<string, { title?: string }>;
  };
  if (!properties) return '';
  const known = [...Object.keys(properties), ...Object.values(patternProperties).flatMap(({ title }) => title ?? [])];
  const near = known.find((k) => k.toLowerCase() === name.toLowerCase()) ?? known.find((k) => distance(k, name) <= 2);
  return near === undefined ? `; known keys: ${known.join(', ')}` : `; did you mean ${near}?`;
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
