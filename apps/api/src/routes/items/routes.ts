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
import { answerBody, createBody, itemFilter, itemSchema, presentItem, updateBody } from './schemas';

const tag = 'Items';

/** Asked for outside of the transaction. What goes wrong is thrown inside, where a replay does not come. */
type Asked = { connectors: readonly Connector[] } | { failure: unknown };

const askForConnectors = ({ openFinance }: ApiDeps): Promise<Asked> =>
  openFinance.provider.listConnectors().then(
    (connectors) => ({ connectors }),
    (failure: unknown) => ({ failure }),
  );

function meansOf({ cipher, openFinance }: ApiDeps, asked: Asked) {
  if ('failure' in asked) throw asked.failure;
  return { cipher, provider: openFinance.provider, connectors: asked.connectors };
}

const create = defineRoute({
  method: 'post',
  path: '/v1/items',
  operationId: 'createItem',
  tag,
  summary: 'Connect to an institution',
  description:
    'The login and the first sync follow in the background: webhooks tell of each step. Lifecycle and events: docs/reference/items.md.',
  rateClass: 'sync',
  access: tenantAccess('items:write'),
  body: createBody,
  idempotent: true,
  secretAnswer: true,
  callsProvider: true,
  responses: { 201: { description: 'The item', schema: itemSchema } },
  prepare: ({ deps }) => askForConnectors(deps),
  handler: async ({ scope, body, prepared, deps }) =>
    reply(201, presentItem(await createItem(scope, body, meansOf(deps, prepared)))),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/items',
  operationId: 'listItems',
  tag,
  summary: 'List items, newest first',
  access: tenantAccess('items:read'),
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
  access: tenantAccess('items:read'),
  params: { id: 'item' },
  responses: { 200: { description: 'The item', schema: itemSchema } },
  handler: async ({ scope, params }) => reply(200, presentItem(await getItem(scope, params.id))),
});

const update = defineRoute({
  method: 'patch',
  path: '/v1/items/:id',
  operationId: 'updateItem',
  tag,
  summary: 'Sync an item now, or log in anew',
  description: 'Refused with item_busy while a run is under way or waits for the user.',
  rateClass: 'sync',
  access: tenantAccess('items:write'),
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
  summary: 'Give an item what it waits for',
  description: 'Refused with item_busy unless the item is WAITING_USER_INPUT or WAITING_USER_ACTION.',
  rateClass: 'sync',
  access: tenantAccess('items:write'),
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
    'Ends a run that is under way and the consent at the provider. Records that its transactions have become stay. Also 204 for an unknown id.',
  access: tenantAccess('items:write'),
  params: { id: 'any' },
  responses: { 204: { description: 'It is gone' } },
  handler: async ({ scope, params }) => {
    await deleteItem(scope, params.id);
    return reply(204);
  },
});

export const itemRoutes: readonly Route[] = [list, get, create, update, answer, remove];
