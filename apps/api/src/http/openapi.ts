import type { TObject } from '@sinclair/typebox';
import { neededScopes, recordsScope, type Access } from './access';
import { actorHeader, actorNameSchema, agentHeader } from './actor';
import type { Route } from './define-route';
import { NamedSchemas, pascalCase } from './named-schemas';
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

export interface DocumentInfo {
  title: string;
  version: string;
  description: string;
}

/** Builds the OpenAPI 3.1 document of routes from the schemas that validate their requests. */
export function createOpenApiDocument(routes: readonly Route[], info: DocumentInfo): OpenApiDocument {
  const named = new NamedSchemas();
  named.refer(errorSchema, 'Error');
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
      .map(([key, part]: [string, unknown]) => [key, partForGenerators(key, part)]),
  );
  if (parts['format'] !== undefined) return parts;
  const { type, maximum = Infinity } = parts as { type?: unknown; maximum?: number };
  const [one, other] = [type].flat().filter((name) => name !== 'null');
  if (other !== undefined || (one !== 'number' && one !== 'integer')) return parts;
  return { ...parts, format: one === 'number' ? 'double' : maximum < 2 ** 31 ? 'int32' : 'int64' };
}

/** Leaves values as they are, and takes no name of a property for a keyword. */
function partForGenerators(key: string, part: unknown): unknown {
  if (key === 'example' || key === 'examples' || key === 'enum') return part;
  if (key !== 'properties') return forGenerators(part);
  return Object.fromEntries(Object.entries(part as object).map(([name, property]) => [name, forGenerators(property)]));
}

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
  const parameters = [...pathParameters(route), ...queryParameters(route, named), ...headerParameters(route)];
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

function queryParameters({ query, operationId }: Route, named: NamedSchemas): Json[] {
  if (!query) return [];
  const placeOf = (name: string): string => `${pascalCase(operationId)}${pascalCase(name)}`;
  const required = new Set(query.required);
  const parameters: Json[] = Object.entries(query.properties).map(([name, property]) => {
    const { description, ...schema } = property;
    return {
      name,
      in: 'query',
      required: required.has(name) && schema['default'] === undefined,
      ...(description === undefined ? {} : { description }),
      schema: named.refer(schema, placeOf(name)),
    };
  });
  const patterns = query['patternProperties'] as Record<string, unknown> | undefined;
  if (patterns) {
    // In form style, an exploded object is one parameter for each of its keys.
    const conditions = { type: 'object', patternProperties: patterns, additionalProperties: false };
    const schema = named.refer(conditions, placeOf('conditions'));
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
  const name = `${pascalCase(route.operationId)}Request`;
  if (route.multipart) {
    const { part } = route.multipart;
    // OpenAPI 3.1 has no schema for the binary content of a part.
    const { properties: fields } = route.body as TObject;
    const properties = { [part]: { type: 'string', format: 'binary' }, ...fields };
    const schema = named.referToWhole({ ...route.body, properties, required: [part] }, name);
    return { required: true, content: { 'multipart/form-data': { schema } } };
  }
  const schema = named.referToWhole(route.body, name);
  return { required: !route.lenientBody, content: { 'application/json': { schema } } };
}

function responses(route: Route, named: NamedSchemas): OpenApiOperation['responses'] {
  const headers: Json = {
    'X-Request-Id': { $ref: '#/components/headers/RequestId' },
    ...(route.access.kind === 'public' ? {} : rateLimitHeaders),
    ...(route.idempotent ? { 'Idempotent-Replayed': { $ref: '#/components/headers/IdempotentReplayed' } } : {}),
  };
  const out: OpenApiOperation['responses'] = {};
  for (const [status, { description, ...body }] of Object.entries(route.responses)) {
    const content = contentOf(body, `${pascalCase(route.operationId)}Answer`, named);
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
    [bare(type), { schema: schema ? named.referToWhole(schema, name) : { type: 'string' } }],
    ...otherContentTypes.map((other) => [bare(other), { schema: { type: 'string' } }] as const),
  ]);
}
