const samples: Record<string, string> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  boolean: 'false',
  bytea: 'sha256(gen_random_uuid()::text::bytea)',
  jsonb: `'{}'`,
  ARRAY: `'{}'`,
  integer: '1',
  smallint: '1',
  bigint: '1',
  'double precision': '1',
  numeric: '0',
  date: 'now()',
  'timestamp with time zone': 'now()',
};

interface Column {
  name: string;
  type: string;
}

/** A table with rows of tenants, and its column with the tenant. */
export interface TableOfTenants {
  name: string;
  column: string;
}

/** Gives the statement that inserts a row of a tenant, with a value in each required column. */
export async function sampleInsert(
  query: (sql: string, values: string[]) => Promise<Column[]>,
  table: TableOfTenants,
  tenantId: string,
): Promise<string> {
  const columns = await query(
    `select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = $1 and is_nullable = 'NO' and column_default is null`,
    [table.name],
  );
  const values = columns.map(({ name, type }) => (name === table.column ? `'${tenantId}'` : samples[type]));
  const names = columns.map(({ name }) => `"${name}"`);
  return `insert into "${table.name}" (${names.join(', ')}) values (${values.join(', ')})`;
}
