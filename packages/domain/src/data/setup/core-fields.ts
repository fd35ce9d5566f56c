import type { FieldType } from '../datasets';

export interface CoreField {
  name: string;
  key: string;
  type: FieldType;
  isIdentity?: true;
}

export interface CoreDataset {
  name: string;
  kind: string;
  fields: readonly CoreField[];
}

const counterparty: readonly CoreField[] = [
  { name: 'Counterparty', key: 'counterparty_name', type: 'string' },
  { name: 'Counterparty tax id', key: 'counterparty_tax_id', type: 'string' },
];

/** Keys are those of the data that the company's own systems send. */
export const coreInvoices: CoreDataset = {
  name: 'core_invoices',
  kind: 'invoices',
  fields: [
    { name: 'Id', key: 'id', type: 'string', isIdentity: true },
    { name: 'Invoice number', key: 'invoice_number', type: 'string' },
    { name: 'Issue date', key: 'issue_date', type: 'date' },
    { name: 'Due date', key: 'due_date', type: 'date' },
    { name: 'Amount', key: 'amount', type: 'amount' },
    { name: 'Currency', key: 'currency', type: 'string' },
    ...counterparty,
    { name: 'Description', key: 'description', type: 'string' },
    { name: 'Status', key: 'status', type: 'string' },
  ],
};

export const coreAccountingEntries: CoreDataset = {
  name: 'core_accounting_entries',
  kind: 'accounting_entries',
  fields: [
    { name: 'Id', key: 'id', type: 'string', isIdentity: true },
    { name: 'Entry date', key: 'entry_date', type: 'date' },
    { name: 'Amount', key: 'amount', type: 'amount' },
    { name: 'Currency', key: 'currency', type: 'string' },
    { name: 'Account code', key: 'account_code', type: 'string' },
    { name: 'Document number', key: 'document_number', type: 'string' },
    ...counterparty,
    { name: 'Description', key: 'description', type: 'string' },
  ],
};
