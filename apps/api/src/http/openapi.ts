import type { TObject, TSchema } from '@sinclair/typebox';
import { neededScopes, recordsScope, type Access } from './access';
import { actorHeader, actorNameSchema, agentHeader } from './actor';
import type { Route } from './define-route';
import { uuid } from './schemas';
import { csrfHeader, sessionCookie } from './session-cookie';
import {
  errorResponses,
  errorSchema,
  errorStatuses,
  rateLimitHeaders,
  responseName,
  type Json,
} from './openapi-errors';

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Json>; [kind: string]: Json };
  [key: string]:
    Json | Record<string, Record<string, OpenApiOperation>> | { schemas: Record<string, Json>; [kind: string]: Json };
}
interface OpenApiOperation {
  operationId: string;
  responses: Record<string, OpenApiResponse>;
  [key: string]: Json | Record<string, OpenApiResponse>;
}
export type OpenApiResponse =
  { $ref: string } | { description: string; headers?: Json; content?: Record<string, { schema: Json }> };

/** Collects the schemas with a name, so that the document holds each of them once. */
class NamedSchemas {
  readonly byName: Record<string, Json> = {};

  /** Replaces every named part of a schema by a reference. */
  refer(schema: unknown): Json {
    if (Array.isArray(schema)) return schema.map((part) => this.refer(part));
    if (typeof schema !== 'object' || schema === null) return schema as Json;
    if (isAmount(schema)) return this.referToAmount(schema);
    const { $id, ...rest } = schema as Record<string, unknown>;
    const parts = Object.fromEntries(
      Object.entries(withoutDefaultedRequired(rest)).map(([key, value]) => [
        key,
        key === 'examples' ? (value as Json) : this.refer(value),
      ]),
    );
    return typeof $id === 'string' ? this.hold($id, parts) : parts;
  }

  /** Names an object, or a choice of several, that has no name: generators make a type of each name. */
  referAs(name: string, schema: unknown): Json {
    const parts = this.refer(schema);
    if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) return parts;
    const { anyOf } = parts;
    const isChoice = Array.isArray(anyOf) && anyOf.filter((one) => (one as { $ref?: string }).$ref).length > 1;
    return isChoice || 'properties' in parts ? this.hold(name, parts) : parts;
  }

  hold(name: string, parts: Json): { $ref: string } {
    const known = this.byName[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(parts))
      throw new Error(`two schemas are named ${name}`);
    this.byName[name] = parts;
    return { $ref: `#/components/schemas/${name}` };
  }

  private referToAmount({ description }: AmountSchema): Json {
    return { ...(description === undefined ? {} : { description }), ...this.hold('Amount', amount) };
  }
}

interface AmountSchema {
  description?: string;
}

const amount: Json = {
  description: 'A number; a text of digits where a number would not be exact',
  anyOf: [{ type: 'number' }, { type: 'string', maxLength: 40 }],
};

/** Returns whether a schema is that of an amount, which many operations have. */
function isAmount(schema: object): schema is AmountSchema {
  const { anyOf, description: _, ...others } = schema as { anyOf?: { type?: string }[]; description?: string };
  const types = Array.isArray(anyOf) ? anyOf.map(({ type }) => type).join() : '';
  return types === 'number,string' && Object.keys(others).length === 0;
}

/** Drops keys with a default from `required`: validation fills them in, so callers may leave them out. */
function withoutDefaultedRequired(schema: Record<string, unknown>): Record<string, unknown> {
  const { required, properties } = schema as { required?: unknown; properties?: Record<string, TSchema> };
  if (!Array.isArray(required) || !properties) return schema;
  const needed = (required as string[]).filter((name) => properties[name]?.['default'] === undefined);
  const { required: _, ...rest } = schema;
  return needed.length > 0 ? { ...rest, required: needed } : rest;
}

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
}

/** Builds the OpenAPI 3.1 document of routes from the schemas that validate their requests. */
export function createOpenApiDocument(routes: readonly Route[], info: DocumentInfo): OpenApiDocument {
  const named = new NamedSchemas();
  named.refer(errorSchema);
  const paths: OpenApiDocument['paths'] = {};
  for (const route of routes) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route, named) };
  }
  const tags = [...new Set(routes.map((route) => route.tag))].map((name) => ({ name }));
  return forGenerators({
    openapi: '3.1.0',
    info: { ...info },
    servers: [{ url: '/', description: 'The address that serves this document' }],
    tags,
    paths,
    components: {
      schemas: named.byName,
      responses: errorResponses(),
      headers: commonHeaders,
      securitySchemes: {
        ApiKeyAuth: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description:
            'A tenant key, or the platform key together with the header x-tenant-id. Operations list the scopes that ' +
            'a tenant key needs if it has any: docs/reference/keys.md.',
        },
        SessionAuth: {
          type: 'apiKey',
          in: 'cookie',
          name: sessionCookie,
          description:
            `What POST /v1/sessions sets. A request that changes something also needs the header ${csrfHeader}: ` +
            'docs/reference/people.md.',
        },
      },
    },
  }) as OpenApiDocument;
}

/**
 * Says of schemas what generators read: the size of each number, which they otherwise take for 32 bits, and no pattern
 * with classes of Unicode, at which clients in Python fail.
 */
function forGenerators(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(forGenerators);
  if (typeof node !== 'object' || node === null) return node;
  const parts = Object.fromEntries(
    Object.entries(node)
      .filter(([key, part]) => key !== 'pattern' || typeof part !== 'string' || !part.includes('\\p{'))
      .map(([key, part]: [string, unknown]) => [key, isValue(key) ? part : forGenerators(part)]),
  );
  if (parts['format'] !== undefined) return parts;
  const { type, maximum = Infinity } = parts as { type?: unknown; maximum?: number };
  const [one, other] = [type].flat().filter((name) => name !== 'null');
  if (other !== undefined || (one !== 'number' && one !== 'integer')) return parts;
  return { ...parts, format: one === 'number' ? 'double' : maximum < 2 ** 31 ? 'int32' : 'int64' };
}

/** Returns whether a key of a schema holds values and no schema. */
const isValue = (key: string): boolean => key === 'example' || key === 'examples' || key === 'enum';

/** Turns /v1/datasets/:id into /v1/datasets/{id}. */
export function openApiPath(path: string): string {
  return path.replace(/:([A-Za-z]+)/g, '{$1}');
}

const commonHeaders: Json = {
  RequestId: { description: 'Identifies this request in logs and errors', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: 'true: the answer is the stored one of an earlier request',
    schema: { type: 'string' },
  },
  RateLimit: { description: 'Requests of this kind that the tenant may send in a minute', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests that are left of them', schema: { type: 'integer' } },
  RateLimitReset: {
    description: 'Seconds until all of them are available again; they come back evenly',
    schema: { type: 'integer' },
  },
  RetryAfter: { description: 'Seconds until one more request may be sent', schema: { type: 'integer' } },
};

function operation(route: Route, named: NamedSchemas): OpenApiOperation {
  const parameters = [...pathParameters(route), ...queryParameters(route.query, named), ...headerParameters(route)];
  const body = requestBody(route, named);
  const description = [route.description ?? [], scopesText(route.access) ?? []].flat().join('\n\n');
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: responses(route, named),
    security: security(route.access),
  };
}

/** Lists the scopes that a key needs, as roles; where records are only part of an answer, also without their scope. */
function security(access: Access): Json[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'platform') return [{ ApiKeyAuth: [] }];
  const needed = neededScopes(access);
  const isReduced = access.records !== 'none' && access.records !== 'whole';
  const scopeLists = [...(isReduced ? [[...needed, recordsScope]] : []), needed];
  return ['ApiKeyAuth', 'SessionAuth'].flatMap((scheme) => scopeLists.map((scopes) => ({ [scheme]: [...scopes] })));
}

function scopesText(access: Access): string | undefined {
  if (access.kind === 'public') return undefined;
  if (access.kind === 'platform') return 'Needs the platform key.';
  if (access.scope === null) return 'Needs no scope.';
  const needed = `Needs the scope ${neededScopes(access).join(' and ')}`;
  switch (access.records) {
    case 'parts':
      return `${needed}; without ${recordsScope} what quotes records is left out.`;
    case 'asked':
      return `${needed}, and ${recordsScope} for stored records.`;
    case 'chosen':
      return `${needed}, and ${recordsScope} with a filter.`;
    default:
      return `${needed}.`;
  }
}

function pathParameters(route: Route): Json[] {
  return [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => {
    const resource = route.params?.[name];
    const { description, ...schema } = typeof resource === 'object' ? resource : uuid();
    return { name, in: 'path', required: true, ...(description === undefined ? {} : { description }), schema };
  });
}

function queryParameters(query: TObject | undefined, named: NamedSchemas): Json[] {
  if (!query) return [];
  const required = new Set(query.required);
  const parameters: Json[] = Object.entries(query.properties).map(([name, property]) => {
    const { description, ...schema } = property;
    return {
      name,
      in: 'query',
      required: required.has(name) && schema['default'] === undefined,
      ...(description === undefined ? {} : { description }),
      schema: named.refer(schema),
    };
  });
  const patterns = query['patternProperties'] as Record<string, unknown> | undefined;
  if (patterns) {
    // In form style, an exploded object is one parameter for each of its keys.
    const schema = { type: 'object', patternProperties: named.refer(patterns), additionalProperties: false };
    parameters.push({ name: 'conditions', in: 'query', style: 'form', explode: true, required: false, schema });
  }
  return parameters;
}

function headerParameters(route: Route): Json[] {
  const parameters: Json[] = [];
  if (route.access.kind === 'tenant') {
    parameters.push({
      name: 'x-tenant-id',
      in: 'header',
      required: false,
      description: 'The tenant to act for; needed with the platform key',
      schema: { type: 'string', format: 'uuid' },
    });
  }
  if (route.access.kind !== 'public') {
    const { title: _title, ...schema } = actorNameSchema;
    parameters.push({
      name: actorHeader,
      in: 'header',
      required: false,
      description: 'The person behind the request, for the audit; a key with scopes needs actors:name',
      schema,
    });
    parameters.push({
      name: agentHeader,
      in: 'header',
      required: false,
      description: 'The agent that sends the request: it changes nothing by itself unless the key names agents:commit',
      schema,
    });
  }
  if (route.idempotent) {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Within 24 hours the same request with the same key is carried out once and answered alike each time',
      schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
    });
  }
  return parameters;
}

function requestBody(route: Route, named: NamedSchemas): Json | undefined {
  if (route.rawBody) {
    const content = Object.fromEntries(
      route.rawBody.contentTypes.map((type) => [
        type,
        type === 'application/json' ? {} : { schema: { type: 'string' } },
      ]),
    );
    return { required: true, content };
  }
  if (!route.body) return undefined;
  const name = `${capitalised(route.operationId)}Request`;
  if (route.multipart) {
    const { part } = route.multipart;
    const { properties = {}, ...form } = named.refer(route.body) as { [key: string]: Json };
    // OpenAPI 3.1 has no schema for the binary content of a part.
    const schema = {
      ...form,
      properties: { [part]: { type: 'string', format: 'binary' }, ...(properties as { [key: string]: Json }) },
      required: [part],
    };
    return { required: true, content: { 'multipart/form-data': { schema: named.hold(name, schema) } } };
  }
  const schema = named.referAs(name, route.body);
  return { required: !route.lenientBody, content: { 'application/json': { schema } } };
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function responses(route: Route, named: NamedSchemas): OpenApiOperation['responses'] {
  const headers: Json = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(route.access.kind === 'public' ? {} : rateLimitHeaders),
    ...(route.idempotent ? { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } } : {}),
  };
  const out: OpenApiOperation['responses'] = {};
  for (const [status, { description, ...body }] of Object.entries(route.responses)) {
    const content = contentOf(body, `${capitalised(route.operationId)}Answer`, named);
    out[status] = { description, headers, ...(content === undefined ? {} : { content }) };
  }
  for (const status of errorStatuses(route)) out[status] ??= { $ref: `#/components/responses/${responseName(status)}` };
  return out;
}

function contentOf(
  { schema, contentType, otherContentTypes = [] }: Omit<Route['responses'][number], 'description'>,
  name: string,
  named: NamedSchemas,
): Record<string, { schema: Json }> | undefined {
  const type = contentType ?? (schema ? 'application/json' : undefined);
  if (type === undefined) return undefined;
  const bare = (text: string): string => text.split(';', 1)[0] as string;
  return Object.fromEntries([
    [bare(type), { schema: schema ? named.referAs(name, schema) : { type: 'string' } }],
    ...otherContentTypes.map((other) => [bare(other), { schema: { type: 'string' } }] as const),
  ]);
}
