import { Type } from '@sinclair/typebox';
import { setUpCore, type SetUpDataset } from '@tieout/domain';
import { databaseFor } from '../../cells';
import { closed, defineRoute, platformAccess, reply, uuid, type Route } from '../../http';

const companyId = uuid({ description: 'Id of the company, which is its tenant; a missing tenant is created' });

const ids = {
  company: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10',
  source: '01994e6c-3c20-7e55-8d13-7c2e4f6a8b32',
  invoices: '01994e6c-7d30-7a51-8c11-2f4e6a8b0c3d',
  entries: '01994e6c-7d31-7b62-8d22-3a5f7b9c1d4e',
};

const setUpReconciliationBody = closed({ companyId }, { examples: [{ companyId: ids.company }] });

const reconciliationSetupSchema = closed(
  {
    dataSourceId: uuid(),
    dataSourceCreated: Type.Boolean(),
    datasets: Type.Array(closed({ id: uuid(), name: Type.String(), kind: Type.String() })),
  },
  {
    $id: 'ReconciliationSetup',
    examples: [
      {
        dataSourceId: ids.source,
        dataSourceCreated: true,
        datasets: [
          { id: ids.invoices, name: 'core_invoices', kind: 'invoices' },
          { id: ids.entries, name: 'core_accounting_entries', kind: 'accounting_entries' },
        ],
      },
    ],
  },
);

const setUpCoreBody = closed(
  {
    companyId,
    companyName: Type.Optional(Type.String({ minLength: 1, description: 'Name for a tenant that is created' })),
  },
  { examples: [{ companyId: ids.company, companyName: 'Acme' }] },
);

const dataset = closed({ id: uuid(), name: Type.String() }, { $id: 'CoreDataset' });

const coreSetupSchema = closed(
  {
    dataSourceId: uuid(),
    invoiceDataset: dataset,
    accountingDataset: dataset,
    created: Type.Boolean({ description: 'Whether anything was created' }),
  },
  {
    $id: 'CoreSetup',
    examples: [
      {
        dataSourceId: ids.source,
        invoiceDataset: { id: ids.invoices, name: 'core_invoices' },
        accountingDataset: { id: ids.entries, name: 'core_accounting_entries' },
        created: true,
      },
    ],
  },
);

const description =
  'Creates what is missing: the internal data source of a company and the datasets core_invoices and ' +
  'core_accounting_entries, with fields for invoices and accounting entries. A dataset of such a name with fields ' +
  'of its own is left unchanged; one without fields gets them. Calling it again changes nothing.';

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
  handler: async ({ system, body, deps: { cells } }) => {
    const id = body.companyId.toLowerCase();
    const own = cells ? await databaseFor(cells, system, id) : system;
    const { dataSourceId, dataSourceCreated, invoices, accountingEntries } = await setUpCore(own, { id });
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
    200: { description: 'Everything existed', schema: coreSetupSchema },
    201: { description: 'Something was created', schema: coreSetupSchema },
  },
  handler: async ({ system, body: { companyId, companyName }, deps: { cells } }) => {
    const company = { id: companyId.toLowerCase(), ...(companyName === undefined ? {} : { name: companyName }) };
    const own = cells ? await databaseFor(cells, system, company.id) : system;
    const { dataSourceId, invoices, accountingEntries, created } = await setUpCore(own, company);
    return reply(created ? 201 : 200, {
      dataSourceId,
      invoiceDataset: reference(invoices),
      accountingDataset: reference(accountingEntries),
      created,
    });
  },
});

export const setupRoutes: readonly Route[] = [setUpReconciliation, setUp];
