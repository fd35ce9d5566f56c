import { Type } from '@sinclair/typebox';
import type { Exchange } from '../src/app';
import { closed, defineRoute, publicAccess, reply } from '../src/http';
import { createOpenApiDocument } from '../src/http/openapi';
import { createConformance } from './conformance';

const thing = Type.Object(
  { id: Type.String(), inner: Type.Optional(Type.Object({ n: Type.Integer() })) },
  { $id: 'Thing' },
);

const route = defineRoute({
  method: 'post',
  path: '/v1/things/:id',
  operationId: 'makeThing',
  tag: 'Things',
  summary: 'Make a thing',
  access: publicAccess(),
  responses: { 200: { description: 'A thing', schema: closed({ thing }) }, 204: { description: 'Nothing' } },
  handler: () => reply(204),
});

const document = createOpenApiDocument([route], { title: 't', version: '1', description: 'd' });
const json = 'application/json; charset=utf-8';

const exchange = (change: Partial<Exchange>): Exchange => ({
  route,
  method: 'POST',
  path: '/v1/things/1',
  durationMs: 1,
  status: 200,
  contentType: json,
  headers: {},
  body: '{"thing":{"id":"a","inner":{"n":1}}}',
  ...change,
});

function violationsOf(change: Partial<Exchange>): readonly string[] {
  const conformance = createConformance(document);
  conformance.check(exchange(change));
  return conformance.violations;
}

const errorBody = '{"status":"error","code":"route_not_found","message":"m","request_id":"r"}';

test.each<[string, Partial<Exchange>]>([
  ['the documented body', {}],
  ['no body where none is documented', { status: 204, contentType: undefined, body: undefined }],
  ['a documented failure', { status: 400, body: errorBody }],
  ['a failure without a route', { route: null, status: 404, body: errorBody }],
])('%s conforms', (_, change) => {
  expect(violationsOf(change)).toEqual([]);
});

test.each<[string, Partial<Exchange>]>([
  ['an undocumented status', { status: 418 }],
  ['an undocumented content type', { contentType: 'text/plain' }],
  ['a missing content type', { contentType: undefined }],
  ['a missing body', { body: undefined }],
  ['a body where none is documented', { status: 204 }],
  ['a missing key', { body: '{"thing":{}}' }],
  ['a wrong type', { body: '{"thing":{"id":1}}' }],
  ['an unknown key', { body: '{"thing":{"id":"a"},"more":1}' }],
  ['an unknown key in an object that is not declared closed', { body: '{"thing":{"id":"a","more":1}}' }],
  ['an unknown key further inside', { body: '{"thing":{"id":"a","inner":{"n":1,"m":2}}}' }],
  ['another shape of an error', { status: 400, body: '{"error":"x"}' }],
  ['another shape of an error without a route', { route: null, status: 404, body: '{}' }],
  ['a replay of an operation that is not idempotent', { headers: { 'Idempotent-Replayed': 'true' } }],
])('%s is a violation', (_, change) => {
  expect(violationsOf(change)).toHaveLength(1);
});
