import { Type } from '@sinclair/typebox';
import { createReasonCode, deleteReasonCode, listReasonCodes, type ReasonCode } from '@tieout/domain';
import { closed, defineRoute, label, reply, tenantAccess, type Route } from '../../http';

const tag = 'Match groups';

const codeSchema = Type.String({ pattern: '^[a-z][a-z0-9_]{0,49}$', description: 'Small letters, digits and _' });
const reasonCodeSchema = closed(
  { code: Type.String(), label: Type.String(), built_in: Type.Boolean() },
  { $id: 'ReasonCode' },
);
const present = ({ builtIn, ...shown }: ReasonCode) => ({ ...shown, built_in: builtIn });

const list = defineRoute({
  method: 'get',
  path: '/v1/reason-codes',
  operationId: 'listReasonCodes',
  tag,
  summary: 'List the reason codes',
  access: tenantAccess('reconciliations:read', 'none'),
  responses: { 200: { description: 'All of them', schema: closed({ items: Type.Array(reasonCodeSchema) }) } },
  handler: async ({ scope }) => reply(200, { items: (await listReasonCodes(scope)).map(present) }),
});

const create = defineRoute({
  method: 'post',
  path: '/v1/reason-codes',
  operationId: 'createReasonCode',
  tag,
  summary: 'Add a reason code',
  access: tenantAccess('reconciliations:write', 'none'),
  body: closed({
    code: codeSchema,
    label: label(200),
  }),
  idempotent: true,
  responses: { 201: { description: 'The reason code', schema: reasonCodeSchema } },
  handler: async ({ scope, body }) => reply(201, present(await createReasonCode(scope, body))),
});

const remove = defineRoute({
  method: 'delete',
  path: '/v1/reason-codes/:code',
  operationId: 'deleteReasonCode',
  tag,
  summary: 'Remove a reason code of the tenant',
  description: 'What was done with it keeps it.',
  access: tenantAccess('reconciliations:write', 'none'),
  params: { code: codeSchema },
  responses: { 204: { description: 'The reason code is removed' } },
  handler: async ({ scope, params }) => {
    await deleteReasonCode(scope, params.code);
    return reply(204);
  },
});

export const reasonCodeRoutes: readonly Route[] = [list, create, remove];
