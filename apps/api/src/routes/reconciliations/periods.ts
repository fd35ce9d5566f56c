import { Type } from '@sinclair/typebox';
import {
  closePeriod,
  getPeriod,
  listBalances,
  listPeriodItems,
  listPeriods,
  lockPeriod,
  reopenPeriod,
  stateBalance,
  summariseAt,
} from '@tieout/domain';
import { closed, defineRoute, nullable, reply, seesRecords, tenantAccess, textEnum, type Route } from '../../http';
import {
  balanceBody,
  balanceSchema,
  periodItemSchema,
  month,
  periodSchema,
  presentBalance,
  presentPeriodItem,
  presentPeriod,
  presentProvedSummary,
  provedSummarySchema,
} from './period-schemas';
import { currencyFilter, day } from './schemas';

const tag = 'Reconciliations';
const optional = Type.Optional;
const side = optional(textEnum(['left', 'right'] as const));

const pageQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 25 }),
  cursor: optional(Type.String({ minLength: 1, maxLength: 400 })),
};
const params = { id: 'reconciliation', period: month } as const;

const list = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/periods',
  operationId: 'listPeriods',
  tag,
  summary: 'List the months of a reconciliation, the latest first',
  description: 'Those that have records, groups or certificates.',
  access: tenantAccess('reconciliations:read', 'parts'),
  params: { id: 'reconciliation' },
  query: closed(pageQuery),
  responses: {
    200: {
      description: 'A page of months',
      schema: closed({
        items: Type.Array(periodSchema),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, params: { id }, query, principal }) => {
    const { items, nextCursor } = await listPeriods(scope, id, query);
    return reply(200, {
      items: items.map((period) => presentPeriod(id, period, seesRecords(principal))),
      limit: query.limit,
      next_cursor: nextCursor,
    });
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/periods/:period',
  operationId: 'getPeriod',
  tag,
  summary: 'Read a month with its certificates',
  access: tenantAccess('reconciliations:read', 'parts'),
  params,
  responses: { 200: { description: 'The month', schema: periodSchema } },
  handler: async ({ scope, params: { id, period }, principal }) =>
    reply(200, presentPeriod(id, await getPeriod(scope, id, period), seesRecords(principal))),
});

const close = defineRoute({
  method: 'post',
  path: '/v1/reconciliations/:id/periods/:period/close',
  operationId: 'closePeriod',
  tag,
  summary: 'Close a month',
  description:
    'Its certificate keeps the sums of both sides, the proof and the open items. Earlier months that have records or ' +
    'groups have to be closed. Groups of a closed month are released only with `force`, and records that come later ' +
    'count in the first open one.',
  access: tenantAccess('periods:write', 'whole'),
  params,
  body: closed({ note: optional(Type.String({ maxLength: 2_000 })) }),
  lenientBody: true,
  idempotent: true,
  responses: { 200: { description: 'The month', schema: periodSchema } },
  handler: async ({ scope, params: { id, period }, body }) =>
    reply(200, presentPeriod(id, await closePeriod(scope, id, { period, note: body.note }))),
});

const reopen = defineRoute({
  method: 'post',
  path: '/v1/reconciliations/:id/periods/:period/reopen',
  operationId: 'reopenPeriod',
  tag,
  summary: 'Open a closed month again',
  description: 'Later closed months open too. Their certificates are kept, with their end.',
  access: tenantAccess('periods:write', 'whole'),
  params,
  body: closed({ reason: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }) }),
  responses: {
    200: {
      description: 'The month',
      schema: closed({ ...periodSchema.properties, reopened: Type.Array(month) }),
    },
  },
  handler: async ({ scope, params: { id, period }, body }) => {
    const reopened = await reopenPeriod(scope, id, { period, reason: body.reason });
    return reply(200, { ...presentPeriod(id, await getPeriod(scope, id, period)), reopened });
  },
});

const lock = defineRoute({
  method: 'post',
  path: '/v1/reconciliations/:id/periods/:period/lock',
  operationId: 'lockPeriod',
  tag,
  summary: 'Lock a closed month for good',
  description: 'With those before it. A locked month never opens again.',
  access: tenantAccess('periods:write', 'whole'),
  params,
  responses: { 200: { description: 'The month', schema: periodSchema } },
  handler: async ({ scope, params: { id, period } }) =>
    reply(200, presentPeriod(id, await lockPeriod(scope, id, period))),
});

const openItems = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/periods/:period/open-items',
  operationId: 'listPeriodOpenItems',
  tag,
  summary: 'List the items that are open at the end of a month',
  description: 'The month’s certificate tells its open items; a month without one lists those of now.',
  access: tenantAccess('reconciliations:read', 'whole'),
  readsReplica: true,
  params,
  query: closed({
    side,
    excluded: optional(Type.Boolean({ description: 'true: those that are excluded instead' })),
    currency: optional(currencyFilter),
    certificateId: optional(
      Type.String({ format: 'uuid', description: 'A voided certificate; default: the one that stands' }),
    ),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'A page of items',
      schema: closed({
        items: Type.Array(periodItemSchema),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, params: { id, period }, query }) => {
    const { limit, cursor, certificateId, ...filter } = query;
    const of = { reconciliationId: id, period, certificateId };
    const { items, nextCursor } = await listPeriodItems(scope, of, { filter, page: { limit, cursor } });
    return reply(200, { items: items.map(presentPeriodItem), limit, next_cursor: nextCursor });
  },
});

const giveBalance = defineRoute({
  method: 'post',
  path: '/v1/reconciliations/:id/balances',
  operationId: 'stateBalance',
  tag,
  summary: 'Give the balance of a side at the end of a day',
  description:
    'In place of the one that was given for this day and currency. Closing balances of camt.053, MT940 and OFX files ' +
    'come by themselves; the sum of the accounts of a side counts until a balance of a later day is given for it.',
  access: tenantAccess('reconciliations:write', 'none'),
  params: { id: 'reconciliation' },
  body: balanceBody,
  idempotent: true,
  responses: {
    201: { description: 'The balance; null where the day has none any more', schema: nullable(balanceSchema) },
  },
  handler: async ({ scope, params: { id }, body }) => {
    const balance = await stateBalance(scope, id, body);
    return reply(201, balance && presentBalance(balance));
  },
});

const balances = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/balances',
  operationId: 'listBalances',
  tag,
  summary: 'List the balances of both sides, the latest day first',
  access: tenantAccess('reconciliations:read', 'whole'),
  readsReplica: true,
  params: { id: 'reconciliation' },
  query: closed({
    side,
    dateFrom: optional(day('Inclusive')),
    dateTo: optional(day('Inclusive')),
    replaced: optional(Type.Boolean({ description: 'true: also those that others took the place of' })),
    ...pageQuery,
  }),
  responses: {
    200: {
      description: 'A page of balances',
      schema: closed({
        items: Type.Array(balanceSchema),
        limit: Type.Integer(),
        next_cursor: nullable(Type.String()),
      }),
    },
  },
  handler: async ({ scope, params: { id }, query }) => {
    const { limit, cursor, ...filter } = query;
    const { items, nextCursor } = await listBalances(scope, id, { filter, page: { limit, cursor } });
    return reply(200, { items: items.map(presentBalance), limit, next_cursor: nextCursor });
  },
});

const summary = defineRoute({
  method: 'get',
  path: '/v1/reconciliations/:id/summary',
  operationId: 'getReconciliationSummary',
  tag,
  summary: 'Sum up both sides, and prove their balances',
  description:
    'Records, held, open and excluded ones, the age of open ones, match rates, groups, adjustments and the proof of ' +
    'balance: as they are now, as they were known at a moment, or as they are at the end of a month. A closed month ' +
    'is what its certificate says.',
  access: tenantAccess('reconciliations:read', 'parts'),
  readsReplica: true,
  params: { id: 'reconciliation' },
  query: closed({
    asOf: optional(
      Type.String({
        minLength: 10,
        maxLength: 40,
        description: 'What was known at the end of a day (YYYY-MM-DD), or at a moment (RFC 3339)',
      }),
    ),
    period: optional(Type.String({ description: 'YYYY-MM: records and groups of this month and those before' })),
  }),
  responses: { 200: { description: 'The summary', schema: provedSummarySchema } },
  handler: async ({ scope, params: { id }, query, principal }) =>
    reply(200, presentProvedSummary(id, await summariseAt(scope, id, query), seesRecords(principal))),
});

export const periodRoutes: readonly Route[] = [
  summary,
  list,
  get,
  close,
  reopen,
  lock,
  openItems,
  giveBalance,
  balances,
];
