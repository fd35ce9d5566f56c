import { billingUsage } from '@tieout/domain';
import { defineRoute, reply, tenantAccess, type Route } from '../../http';
import { presentUsage } from './present';
import { billingUsageSchema, usageQuery } from './schemas';

const usage = defineRoute({
  method: 'get',
  path: '/v1/billing/usage',
  operationId: 'getBillingUsage',
  tag: 'Billing',
  summary: 'Read usage and what is billed',
  description:
    'What is billed is booked when a job completes and never changes. Records, matches and composites are those that there are now. ' +
    'All figures are of one moment.',
  access: tenantAccess('billing:read'),
  query: usageQuery,
  responses: { 200: { description: 'The figures', schema: billingUsageSchema } },
  handler: async ({ scope, query }) => reply(200, presentUsage(await billingUsage(scope, query))),
});

export const billingRoutes: readonly Route[] = [usage];
