import { Type } from '@sinclair/typebox';
import {
  closed,
  defineRoute,
  freeForm,
  jsonType,
  publicAccess,
  reply,
  replyBytes,
  textEnum,
  type Route,
} from '../../http';
import { createOpenApiDocument, type DocumentInfo } from '../../http/openapi';

export const apiInfo: DocumentInfo = {
  title: 'Tieout',
  version: '1.0.0',
  description: [
    'Reconciles records of one dataset with records of another.',
    "Every operation on a tenant's data needs the header x-api-key. Every answer has X-Request-Id; every failure " +
      'has the same shape, the schema Error.',
    'Bodies are strict: unknown keys are refused by name. An id of another tenant is answered like an unknown one.',
    'Lists of records and matches answer next_cursor, which the parameter cursor takes; null ends the list. In ' +
      'resources with keys in camelCase it is nextCursor.',
    'Operations that create something honour Idempotency-Key for 24 hours.',
  ].join('\n\n'),
};

const healthz = defineRoute({
  method: 'get',
  path: '/healthz',
  operationId: 'getHealth',
  tag: 'Service',
  summary: 'Whether the process is alive',
  access: publicAccess(),
  responses: { 200: { description: 'It is alive', schema: closed({ status: Type.Literal('ok') }) } },
  handler: () => reply(200, { status: 'ok' }),
});

const readiness = closed({
  status: textEnum(['ok', 'error']),
  checks: Type.Record(Type.String(), textEnum(['ok', 'failed']), {
    description: 'The dependencies of the API, by name',
  }),
});

const readyz = defineRoute({
  method: 'get',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'Service',
  summary: 'Whether the API can do its work',
  access: publicAccess(),
  responses: {
    200: { description: 'All dependencies answer', schema: readiness },
    503: { description: 'A dependency does not answer', schema: readiness },
  },
  handler: async ({ deps }) => {
    const { ready, checks } = await deps.readiness();
    return reply(ready ? 200 : 503, { status: ready ? 'ok' : 'error', checks });
  },
});

const openApi = (document: () => Buffer): Route =>
  defineRoute({
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApiDocument',
    tag: 'Service',
    summary: 'This description of the API',
    access: publicAccess(),
    responses: { 200: { description: 'An OpenAPI 3.1 document', schema: freeForm() } },
    handler: () => replyBytes(200, jsonType, document()),
  });

/** The operations of the service itself. Their OpenAPI document describes the given routes and themselves. */
export function serviceRoutes(routes: readonly Route[]): Route[] {
  const own: Route[] = [healthz, readyz, openApi(() => document)];
  const document = Buffer.from(JSON.stringify(createOpenApiDocument([...routes, ...own], apiInfo)));
  return own;
}
