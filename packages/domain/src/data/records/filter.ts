import type { SqlParameter } from '@tieout/infra';
import { isOf } from '../../kernel/parent-condition';
import type { RecordStatus } from './record';

/** What a list or an export of records is narrowed to; every condition must hold. */
export interface RecordFilter {
  /** Name of a dataset; one that does not exist has no records. */
  dataset?: string;
  externalId?: string;
  status?: RecordStatus;
  /** Inclusive. */
  createdFrom?: Date;
  /** Exclusive. */
  createdTo?: Date;
  /** Compares the normalised value of a field, or else the raw one at its key or dotted path, as text. */
  fields?: readonly { key: string; value: string }[];
}

export interface SqlCondition {
  sql: string;
  /** Newest first. */
  order: string;
  /** An expression for how many records fulfil it, where that is counted as they are written (ADR 0021): for whole datasets. */
  keptTotal: string | undefined;
  parameters: SqlParameter[];
}

/** The condition over records `r`; its parameters come first in a statement. */
export function recordCondition(tenantId: string, filter: RecordFilter): SqlCondition {
  const parameters: SqlParameter[] = [tenantId];
  const parameter = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const parts = ['r.tenant_id = $1::uuid'];
  if (filter.dataset !== undefined) {
    parts.push(
      isOf(
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
    parts.push(
      `coalesce(r.fields ->> ${name}, r.data ->> ${name}, r.data #>> string_to_array(${name}, '.')) = ${parameter(value)}`,
    );
  }
  const sql = parts.join(' and ');
  const isWhole = parts.length === (filter.dataset === undefined ? 1 : 2);
  const order = filter.dataset === undefined ? 'r.id desc' : 'r.dataset_id desc, r.id desc';
  return { sql, order, parameters, keptTotal: isWhole ? keptTotal(filter) : undefined };
}

const keptTotal = ({ dataset }: RecordFilter): string =>
  `(select coalesce(sum(c.count), 0)::float8 from datasets d join record_counts c on c.dataset_id = d.id
     where d.tenant_id = $1::uuid${dataset === undefined ? '' : ' and d.name = $2'})`;
