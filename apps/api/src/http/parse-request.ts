import type { Request } from 'express';
import type { TObject, TSchema } from '@sinclair/typebox';
import {
  createSchemaCompiler,
  findInText,
  invalid,
  pointerTo,
  type CompileSchema,
  type FieldError,
  type Parser,
} from '@tieout/infra';
import type { Route } from './define-route';
import { readIdempotencyKey } from './idempotency';
import { noBody } from './request-body';
import { readResourceId } from './resources';

/** Everything of a request but its body. */
export interface RequestHead {
  params: Record<string, string>;
  query: Record<string, unknown>;
  /** The query string, without its question mark. */
  search: string;
  idempotencyKey: string | undefined;
  /** Reported together with those of the body. */
  faults: FieldError[];
}

interface RequestParser {
  /**
   * @throws AppError `<resource>_not_found` for an id in the path that is not a UUID, validation_error where it must be
   *   a UUID of version 7
   */
  parseHead(request: Request): RequestHead;
  /** @throws AppError validation_error with all faults of head and body */
  parseBody(head: RequestHead, body: unknown): unknown;
}

/** One compiler for each kind of input serves all routes. */
interface RequestCompilers {
  /** For JSON, whose values have types. */
  compileTyped: CompileSchema;
  /** For query strings and forms, whose values are texts. */
  compileTexts: CompileSchema;
}

export const createRequestCompilers = (): RequestCompilers => ({
  compileTyped: createSchemaCompiler(),
  compileTexts: createSchemaCompiler({ coerce: true }),
});

export function createRequestParser(route: Route, { compileTyped, compileTexts }: RequestCompilers): RequestParser {
  const parseQuery = createQueryParser(route.query, compileTexts);
  const parseBody = route.body && createBodyParser(route.body, route.multipart ? compileTexts : compileTyped);
  const ids = Object.entries(route.params ?? {});
  return {
    parseHead: (request) => {
      const params: Record<string, string> = {};
      for (const [name, resource] of ids) {
        const value = String(request.params[name]);
        const isOfAnyForm = resource === 'any' || typeof resource !== 'string';
        params[name] = isOfAnyForm ? value : readResourceId(resource, name, value);
      }
      const search = searchOf(request.url);
      const { value: query, errors: faults } = parseQuery(search);
      const { key: idempotencyKey, fault } = route.idempotent ? readIdempotencyKey(request) : {};
      if (fault) faults.push(fault);
      return { params, query, search, idempotencyKey, faults };
    },
    parseBody: ({ faults }, rawBody) => {
      const { value, errors } = parseBody ? parseBody(rawBody) : { value: rawBody, errors: [] };
      if (faults.length > 0 || errors.length > 0) throw invalid([...faults, ...errors]);
      return value;
    },
  };
}

interface ParseResult<T> {
  value: T;
  errors: FieldError[];
}

function createQueryParser(
  schema: TObject | undefined,
  compile: CompileSchema,
): (search: string) => ParseResult<Record<string, unknown>> {
  const split = createQuerySplitter(schema);
  const parse: Parser<Record<string, unknown>> | undefined = schema && compile(withoutNames(schema));
  return (search) => {
    const { values, errors } = split(search);
    if (!parse) {
      for (const name of Object.keys(values))
        errors.push({ path: queryPath(name), code: 'unknown_key', message: 'is not a known parameter' });
      return { value: {}, errors };
    }
    const parsed = parse(values);
    if (parsed.ok) return { value: parsed.value, errors };
    for (const error of parsed.errors) errors.push({ ...error, path: `/query${error.path}` });
    return { value: {}, errors };
  };
}

const queryPath = (name: string): string => `/query${pointerTo(name)}`;

function createBodyParser(schema: TSchema, compile: CompileSchema): (body: unknown) => ParseResult<unknown> {
  const parse: Parser<unknown> = compile(withoutNames(schema));
  return (body) => {
    if (body === noBody)
      return { value: undefined, errors: [{ path: '', code: 'required', message: 'A JSON body is required' }] };
    const parsed = parse(body);
    return parsed.ok ? { value: parsed.value, errors: [] } : { value: undefined, errors: parsed.errors };
  };
}

/** Copies a schema without its names: the compiler refuses one name in two routes. */
function withoutNames<S>(schema: S): S {
  if (Array.isArray(schema)) return schema.map(withoutNames) as S;
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !(key === '$id' && typeof value === 'string'))
      .map(([key, value]) => [key, withoutNames<unknown>(value)]),
  ) as S;
}

function searchOf(url: string): string {
  const start = url.indexOf('?');
  return start === -1 ? '' : url.slice(start + 1);
}

interface PropertySchema {
  type?: unknown;
}

type SplitQuery = (search: string) => { values: Record<string, string | string[]>; errors: FieldError[] };

/** Splits query strings by a schema; a parameter that occurs twice is a fault unless its schema is an array. */
function createQuerySplitter(schema: TObject | undefined): SplitQuery {
  const properties = (schema?.properties ?? {}) as Record<string, PropertySchema>;
  const patterns = Object.entries((schema?.['patternProperties'] ?? {}) as Record<string, PropertySchema>).map(
    ([pattern, property]) => ({ pattern: new RegExp(pattern, 'u'), property }),
  );
  const schemaOf = (name: string): PropertySchema | undefined =>
    Object.hasOwn(properties, name) ? properties[name] : patterns.find(({ pattern }) => pattern.test(name))?.property;

  return (search) => {
    const values = Object.create(null) as Record<string, string | string[]>;
    const errors: FieldError[] = [];
    if (search === '') return { values, errors };
    for (const [name, value] of new URLSearchParams(search)) {
      const fault = findInText(name, '/query') ?? findInText(value, queryPath(name));
      if (fault) errors.push(fault);
      const previous = values[name];
      if (schemaOf(name)?.type === 'array') values[name] = Array.isArray(previous) ? [...previous, value] : [value];
      else if (previous === undefined) values[name] = value;
      else errors.push({ path: queryPath(name), code: 'duplicate_parameter', message: 'is given more than once' });
    }
    return { values, errors };
  };
}
