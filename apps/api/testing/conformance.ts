import { createSchemaCompiler, type Parser } from '@tieout/infra';
import { Type, type TSchema } from '@sinclair/typebox';
import type { Exchange } from '../src/app';
import { openApiPath, type OpenApiDocument, type OpenApiResponse } from '../src/http/openapi';
import type { Json } from '../src/http/openapi-errors';
import { eachSchema } from './each-schema';

type JsonMap = { [key: string]: Json };

/** Compares every answer with the OpenAPI document. */
interface Conformance {
  check(exchange: Exchange): void;
  /** One line for each answer that does not conform. */
  readonly violations: string[];
}

type ParserOf = (at: string, schema: Json) => Parser<unknown>;

/** Compiled schemas of each document: compiling those of an operation takes longer than most requests. */
const compiled = new WeakMap<OpenApiDocument, ParserOf>();

function parsersOf(document: OpenApiDocument): ParserOf {
  const known = compiled.get(document);
  if (known) return known;
  const compile = createSchemaCompiler();
  const parsers = new Map<string, Parser<unknown>>();
  const parserOf: ParserOf = (at, schema) => {
    const ref = (schema as JsonMap)['$ref'];
    const key = typeof ref === 'string' ? ref : at;
    let parser = parsers.get(key);
    if (!parser) {
      parser = compile(Type.Unsafe(resolve(document, schema) as TSchema));
      parsers.set(key, parser);
    }
    return parser;
  };
  compiled.set(document, parserOf);
  return parserOf;
}

export function createConformance(document: OpenApiDocument): Conformance {
  const violations: string[] = [];
  const parserOf = parsersOf(document);

  return {
    violations,
    check: ({ route, method, path, status, contentType, headers, body }) => {
      const fail = (problem: string): void => void violations.push(`${method} ${path} ${status}: ${problem}`);
      if (!route) {
        const problem = problemOf(parserOf('Error', { $ref: '#/components/schemas/Error' }), body);
        if (problem) fail(problem);
        return;
      }
      const operation = document.paths[openApiPath(route.path)]?.[route.method];
      if (!operation) return fail('the operation is not in the document');
      const declared = operation.responses[String(status)];
      if (!declared) return fail('the status is not in the document');
      const response = dereference(document, declared);
      const type = contentType?.split(';', 1)[0];
      if (!response.content) return body === undefined ? undefined : fail('a body where the document has none');
      const content = type === undefined ? undefined : response.content[type];
      if (!content) return fail(`content type ${String(type)} is not in the document`);
      if (type !== 'application/json') return;
      const problem = problemOf(parserOf(`${operation.operationId} ${status}`, content.schema), body);
      if (problem) fail(problem);
      if (headers['Idempotent-Replayed'] !== undefined && !route.idempotent)
        fail('replayed, but not declared idempotent');
    },
  };
}

function problemOf(parse: Parser<unknown>, body: string | undefined): string | undefined {
  if (body === undefined) return 'the body is missing';
  const parsed = parse(JSON.parse(body) as unknown);
  return parsed.ok ? undefined : `${JSON.stringify(parsed.errors)} in ${body.slice(0, 500)}`;
}

/** Names each example of the document that its schema refuses. */
export function wrongExamples(document: OpenApiDocument): string[] {
  const compile = createSchemaCompiler();
  const wrong: string[] = [];
  eachSchema(document, (schema, at) => {
    if (schema.examples === undefined) return;
    const parser = compile(Type.Unsafe(resolve(document, schema as Json) as TSchema));
    for (const example of schema.examples) {
      const problem = problemOf(parser, JSON.stringify(example));
      if (problem !== undefined) wrong.push(`${at}: ${problem}`);
    }
  });
  return wrong;
}

type InlineResponse = Exclude<OpenApiResponse, { $ref: string }>;

function dereference(document: OpenApiDocument, response: OpenApiResponse): InlineResponse {
  return '$ref' in response ? (lookUp(document, response.$ref) as unknown as InlineResponse) : response;
}

function lookUp(document: OpenApiDocument, ref: string): Json {
  return ref
    .slice(2)
    .split('/')
    .reduce<Json>(
      (node, key) => (node as JsonMap)[key.replace(/~1/g, '/').replace(/~0/g, '~')] as Json,
      document as unknown as Json,
    );
}

/** Fills references in and closes objects, so that a key that the document does not name is a violation. */
function resolve(document: OpenApiDocument, schema: Json): Json {
  if (Array.isArray(schema)) return schema.map((part) => resolve(document, part));
  if (typeof schema !== 'object' || schema === null) return schema;
  if (typeof schema['$ref'] === 'string') return resolve(document, lookUp(document, schema['$ref']));
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, resolve(document, value)]));
  return parts['properties'] !== undefined && parts['additionalProperties'] === undefined
    ? { ...parts, additionalProperties: false }
    : parts;
}
