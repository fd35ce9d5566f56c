import { AppError, newId, type SystemDb } from '@tieout/infra';
import { tenantMoving } from '../access/tenants';
import type { FieldType } from '../kernel/ports';

interface CoreField {
  name: string;
  key: string;
  type: FieldType;
  isIdentity?: true;
}

interface CoreDataset {
  name: string;
  kind: string;
  fields: readonly CoreField[];
}

const counterparty: readonly CoreField[] = [
  { name: 'Counterparty', key: 'counterparty_name', type: 'string' },
  { name: 'Counterparty tax id', key: 'counterparty_tax_id', type: 'string' },
];

/** Keys of fields are those in the data that the company's own systems send. */
const coreInvoices: CoreDataset = {
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

const coreAccountingEntries: CoreDataset = {
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

/** Kind and name of a company's internal data source. */
const coreKind = 'core-internal';

export interface Company {
  /** Id of the tenant, which is created if it does not exist. */
  id: string;
  name?: string;
}

export interface SetUpDataset {
  id: string;
  name: string;
  kind: string;
}

export interface CoreSetup {
  dataSourceId: string;
  dataSourceCreated: boolean;
  invoices: SetUpDataset;
  accountingEntries: SetUpDataset;
  /** True if any part was created. */
  created: boolean;
}

/**
 * Creates a company's internal data source and the two datasets for automatic reconciliation, with fields, where they
 * are missing; existing parts stay unchanged. One of several concurrent calls creates them.
 * @throws AppError conflict while the tenant is deleted, tenant_suspended, tenant_moving
 */
export function setUpCore(db: SystemDb, company: Company): Promise<CoreSetup> {
  return db.transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))::text`, [`core setup ${company.id}`]);
    const tenants = await tx.execute(
      'insert into tenants (id, name) values ($1::uuid, $2) on conflict (id) do nothing',
      [company.id, company.name ?? company.id],
    );
    // A share lock, because a key share would let the status change before this commits.
    const [kept] = await tx.query<{ status: string }>(
      `select status from tenants where id = $1::uuid and status <> 'deleting' for share`,
      [company.id],
    );
    if (!kept) throw new AppError('conflict', 'The tenant of this company is being deleted: try again when it is gone');
    if (!['active', 'suspended'].includes(kept.status)) throw tenantMoving();
    if (kept.status === 'suspended')
      throw new AppError('tenant_suspended', 'The tenant of this company is suspended: resume it first');
    const source = await ensureSource(tx, company.id);
    const invoices = await ensureCoreDataset(tx, company.id, source.id, coreInvoices);
    const accountingEntries = await ensureCoreDataset(tx, company.id, source.id, coreAccountingEntries);
    return {
      dataSourceId: source.id,
      dataSourceCreated: source.created,
      invoices: invoices.dataset,
      accountingEntries: accountingEntries.dataset,
      created: tenants > 0 || source.created || invoices.created || accountingEntries.created,
    };
  });
}

async function ensureSource(tx: SystemDb, tenantId: string): Promise<{ id: string; created: boolean }> {
  const [existing] = await tx.query<{ id: string }>(
    'select id::text as id from data_sources where tenant_id = $1::uuid and kind = $2 order by id limit 1',
    [tenantId, coreKind],
  );
  if (existing) return { id: existing.id, created: false };
  const id = newId();
  await tx.execute('insert into data_sources (id, tenant_id, name, kind) values ($1::uuid, $2::uuid, $3, $3)', [
    id,
    tenantId,
    coreKind,
  ]);
  return { id, created: true };
}

/**
 * Creates a dataset or takes over an existing one of this name. One without fields, as the first record of the name
 * creates it, gets the fields of the core dataset; a sweep then has its records processed again.
 */
async function ensureCoreDataset(
  tx: SystemDb,
  tenantId: string,
  dataSourceId: string,
  { name, kind, fields }: CoreDataset,
): Promise<{ dataset: SetUpDataset; created: boolean }> {
  const inserted = await tx.execute(
    `insert into datasets (id, tenant_id, data_source_id, name, kind)
     values ($1::uuid, $2::uuid, $3::uuid, $4, $5) on conflict (tenant_id, name) do nothing`,
    [newId(), tenantId, dataSourceId, name, kind],
  );
  const [dataset] = await tx.query<SetUpDataset>(
    'select id::text as id, name, kind from datasets where tenant_id = $1::uuid and name = $2 for update',
    [tenantId, name],
  );
  if (!dataset) throw new Error(`dataset ${name} was deleted while it was set up`);
  if ((await tx.orm.datasetField.count({ where: { tenantId, datasetId: dataset.id } })) > 0)
    return { dataset, created: false };
  await tx.orm.datasetField.createMany({
    data: fields.map((field) => ({ id: newId(), tenantId, datasetId: dataset.id, ...field })),
  });
  if (inserted > 0) return { dataset, created: true };
  const [taken] = await tx.query<SetUpDataset>(
    `update datasets set fields_version = fields_version + 1, kind = case kind when 'records' then $3 else kind end
     where tenant_id = $1::uuid and id = $2::uuid returning id::text as id, name, kind`,
    [tenantId, dataset.id, kind],
  );
  return { dataset: taken ?? dataset, created: true };
}
