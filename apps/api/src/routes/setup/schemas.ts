import { Type } from '@sinclair/typebox';
import { closed, uuid } from '../../http';

const companyId = uuid({ description: 'Id of the company, which is its tenant: it is made when there is none' });

const ids = {
  company: '01994e6c-1f00-7a3b-8c21-5d7f1b6e9a10',
  source: '01994e6c-3c20-7e55-8d13-7c2e4f6a8b32',
  invoices: '01994e6c-7d30-7a51-8c11-2f4e6a8b0c3d',
  entries: '01994e6c-7d31-7b62-8d22-3a5f7b9c1d4e',
};

export const setUpReconciliationBody = closed({ companyId }, { examples: [{ companyId: ids.company }] });

export const reconciliationSetupSchema = closed(
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

export const setUpCoreBody = closed(
  {
    companyId,
    companyName: Type.Optional(Type.String({ minLength: 1, description: 'Name of a tenant that is made' })),
  },
  { examples: [{ companyId: ids.company, companyName: 'Acme' }] },
);

const dataset = closed({ id: uuid(), name: Type.String() });

export const coreSetupSchema = closed(
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
