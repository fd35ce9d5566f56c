import type { SqlParameter } from '@tieout/infra';
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
  parameters: SqlParameter[];
}

/** The condition over records `r`; its parameters come first in a statement. */
export function recordCondition(tenantId: string, filter: RecordFilter): SqlCondition {
  const parameters: SqlParameter[] = [tenantId];
  const parameter = (value: SqlParameter): string => `$${parameters.push(value)}`;
  const parts = ['r.tenant_id = $1::uuid'];
  if (filter.dataset !== undefined) {
    parts.push(`r.dataset_id = (select id from datasets where tenant_id = $1::uuid and name = ${parameter(filter.dataset)})`);
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
  return { sql: parts.join(' and '), parameters };
}
