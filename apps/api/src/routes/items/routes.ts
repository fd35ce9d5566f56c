import { answerItem, createItem, deleteItem, getItem, listItems, updateItem, type Connector } from '@tieout/domain';
import {
  closed,
  defineRoute,
  pageOf,
  pageQuery,
  pageRequest,
  presentPage,
  reply,
  tenantAccess,
  type ApiDeps,
  type Route,
} from '../../http';
import { answerBody, connectorsSchema, createBody, itemFilter, itemSchema, presentItem, updateBody } from './schemas';

const tag = 'Items';

/** Fetched outside of the transaction. A failure is thrown inside of it, which a replay does not reach. */
type FetchedConnectors = { connectors: readonly Connector[] } | { failure: unknown };

const fetchConnectors = ({ openFinance }: ApiDeps): Promise<FetchedConnectors> =>
  openFinance.provider.listConnectors().then(
    (connectors) => ({ connectors }),
    (failure: unknown) => ({ failure }),
  );

function createDeps({ cipher, openFinance }: ApiDeps, fetched: FetchedConnectors) {
  if ('failure' in fetched) throw fetched.failure;
  return { cipher, provider: openFinance.provider, connectors: fetched.connectors };
}

const create = defineRoute({
  method: 'post',
  path: '/v1/items',
  operationId: 'createItem',
  tag,
  summary: 'Connect to an institution',
  description:
    'The login and the first sync follow in the background; webhooks report each step. Lifecycle and events: ' +
    'docs/reference/items.md.',
  rateClass: 'sync',
  access: tenantAccess('items:write', 'none'),
  body: createBody,
  idempotent: true,
  secretAnswer: true,
  callsProvider: true,
  responses: { 201: { description: 'The item', schema: itemSchema } },
  prepare: ({ deps }) => fetchConnectors(deps),
  handler: async ({ scope, body, prepared, deps }) =>
    reply(201, presentItem(await createItem(scope, body, createDeps(deps, prepared)))),
});

const connectors = defineRoute({
  method: 'get',
  path: '/v1/connectors',
  operationId: 'listConnectors',
  tag,
  summary: 'List the institutions that can be connected, with what the login of each needs',
  access: tenantAccess('items:read', 'none'),
  callsProvider: true,
  responses: { 200: { description: 'All institutions', schema: connectorsSchema } },
  prepare: ({ deps }) => fetchConnectors(deps),
  handler: ({ prepared }) => {
    if ('failure' in prepared) throw prepared.failure;
    return reply(200, { items: prepared.connectors });
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/items',
  operationId: 'listItems',
  tag,
  summary: 'List items, newest first',
  access: tenantAccess('items:read', 'none'),
  query: closed({ ...pageQuery, ...itemFilter }),
  responses: { 200: { description: 'A page', schema: pageOf(itemSchema) } },
  handler: async ({ scope, query }) =>
    reply(200, presentPage(await listItems(scope, query, pageRequest(query)), presentItem)),
});

const get = defineRoute({
  method: 'get',
  path: '/v1/items/:id',
  operationId: 'getItem',
  tag,
  summary: 'Read an item',
  access: tenantAccess('items:read', 'none'),
  params: { id: 'item' },
  responses: { 200: { description: 'The item', schema: itemSchema } },
  handler: async ({ scope, params }) => reply(200, presentItem(await getItem(scope, params.id))),
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/items/:id',
  operationId: 'updateItem',
  tag,
  summary: 'Sync an item now, or log in again',
  description: 'Refused with item_busy while a run is under way or waits for the user.',
  rateClass: 'sync',
  access: tenantAccess('items:write', 'none'),
  params: { id: 'item' },
  body: updateBody,
  responses: { 200: { description: 'The item, UPDATING', schema: itemSchema } },
  handler: async ({ scope, params, body, deps }) =>
    reply(200, presentItem(await updateItem(scope, params.id, body.parameters, deps))),
});

const answer = defineRoute({
  method: 'post',
  path: '/v1/items/:id/mfa',
  operationId: 'answerItem',
  tag,
  summary: 'Answer what an item asks its user for',
  description: 'Refused with item_busy unless the item is WAITING_USER_INPUT or WAITING_USER_ACTION.',
  rateClass: 'sync',
  access: tenantAccess('items:write', 'none'),
  params: { id: 'item' },
  body: answerBody,
  responses: { 200: { description: 'The item, UPDATING', schema: itemSchema } },
  handler: async ({ scope, params, body, deps }) =>
    reply(200, presentItem(await answerItem(scope, params.id, body.parameters ?? {}, deps))),
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/items/:id',
  operationId: 'deleteItem',
  tag,
  summary: 'Remove an item',
  description:
    'Ends a running sync and the consent at the provider. Records made of its transactions remain. Also 204 for an ' +
    'unknown id.',
  access: tenantAccess('items:write', 'none'),
  params: { id: 'any' },
  responses: { 204: { description: 'The item is removed' } },
  handler: async ({ scope, params }) => {
    await deleteItem(scope, params.id);
    return reply(204);
  },
});

export const itemRoutes: readonly Route[] = [connectors, list, get, create, update, answer, remove];
