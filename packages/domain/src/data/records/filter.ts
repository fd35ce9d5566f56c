import type { SqlParameter } from '@tieout/infra';
import { indexFriendlyEquals } from '../../kernel/sql';
import type { RecordStatus } from './record';

/** Filter of a list or an export of records; all conditions must hold. */
export interface RecordFilter {
  /** Name of a dataset; one that does not exist has no records. */
  dataset?: string;
  externalId?: string;
  status?: RecordStatus;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
  /** Compared as text: the normalised value of the field, else the raw value at its key or dotted path. */
  fields?: readonly { key: string; value: string }[];
}

export interface SqlCondition {
  sql: string;
  /** SQL order, newest first. */
  order: string;
  /** SQL of the number of records, for whole datasets: counters are maintained with every write (ADR 0021). */
  totalSql: string | undefined;
  parameters: SqlParameter[];
}

/** Builds the condition over records `r`; its parameters are the first of a statement. */
export function recordCondition(tenantId: string, filter: RecordFilter): SqlCondition {
  const parameters: SqlParameter[] = [tenantId];
  const parameter = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const parts = ['r.tenant_id = $1::uuid'];
  if (filter.dataset !== undefined) {
    parts.push(
      indexFriendlyEquals(
        'r.dataset_id',
        `(select id from datasets where tenant_id = $1::uuid and name = ${parameter(filter.dataset)})`,
      ),
    );
  }
  if (filter.externalId !== undefined) parts.push(`r.external_id = ${parameter(filter.externalId)}`);
  if (filter.status !== undefined) parts.push(`r.status = ${parameter(filter.status)}`);
  if (filter.createdFrom !== undefined) parts.push(`r.created_at >= ${parameter(filter.createdFrom)}::timestamptz`);
  if (filter.createdTo !== undefined) parts.push(`r.created_at < ${parameter(filter.createdTo)}::timestamptz`);
  for (const { key, value } of filter.fields ?? []) {
    const name = `${parameter(key)}::text`;
    const found = `coalesce(r.fields ->> ${name}, r.data ->> ${name}, r.data #>> string_to_array(${name}, '.'))`;
    parts.push(`${found} = ${parameter(value)}`);
  }
  const sql = parts.join(' and ');
  const isWhole = parts.length === (filter.dataset === undefined ? 1 : 2);
  const order = filter.dataset === undefined ? 'r.id desc' : 'r.dataset_id desc, r.id desc';
  return { sql, order, parameters, totalSql: isWhole ? totalSql(filter) : undefined };
}

const totalSql = ({ dataset }: RecordFilter): string =>
  `(select coalesce(sum(c.count), 0)::float8 from datasets d join record_counts c on c.dataset_id = d.id
     where d.tenant_id = $1::uuid${dataset === undefined ? '' : ' and d.name = $2'})`;
