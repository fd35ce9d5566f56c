import { setUpCore, type SetUpDataset } from '@tieout/domain';
import { defineRoute, platformAccess, reply, type Route } from '../../http';
import { coreSetupSchema, reconciliationSetupSchema, setUpCoreBody, setUpReconciliationBody } from './schemas';

const description =
  'Ensures the internal data source of a company and the datasets core_invoices and core_accounting_entries, with fields for invoices and accounting entries. What is there stays as it is, a dataset of that name with fields of its own too; one without fields gets them. Calling it again changes nothing.';

const setUpReconciliation = defineRoute({
  method: 'post',
  path: '/v1/data-sources/core/setup-reconciliation',
  operationId: 'setUpReconciliation',
  tag: 'Setup',
  summary: 'Set up automatic reconciliation for a company',
  description,
  access: platformAccess(),
  body: setUpReconciliationBody,
  idempotent: true,
  responses: { 200: { description: 'The data source and its datasets', schema: reconciliationSetupSchema } },
  handler: async ({ system, body }) => {
    const { dataSourceId, dataSourceCreated, invoices, accountingEntries } = await setUpCore(system, {
      id: body.companyId.toLowerCase(),
    });
    return reply(200, { dataSourceId, dataSourceCreated, datasets: [invoices, accountingEntries] });
  },
});

const reference = ({ id, name }: SetUpDataset) => ({ id, name });

const setUp = defineRoute({
  method: 'post',
  path: '/v1/setup/core',
  operationId: 'setUpCore',
  tag: 'Setup',
  summary: 'Set up the core data of a company',
  description,
  access: platformAccess(),
  body: setUpCoreBody,
  idempotent: true,
  responses: {
    200: { description: 'Everything was there', schema: coreSetupSchema },
    201: { description: 'Something was created', schema: coreSetupSchema },
  },
  handler: async ({ system, body: { companyId, companyName } }) => {
    const company = { id: companyId.toLowerCase(), ...(companyName === undefined ? {} : { name: companyName }) };
    const { dataSourceId, invoices, accountingEntries, created } = await setUpCore(system, company);
    return reply(created ? 201 : 200, {
      dataSourceId,
      invoiceDataset: reference(invoices),
      accountingDataset: reference(accountingEntries),
      created,
    });
  },
});

export const setupRoutes: readonly Route[] = [setUpReconciliation, setUp];
