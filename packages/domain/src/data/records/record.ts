import { isoTimestamp, JsonText } from '@tieout/infra';

export const recordStatuses = ['received', 'ready', 'failed'] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** The reason why a record could not be normalised. A long `value` is cut. */
export interface RecordError {
  field: string;
  value: unknown;
  code: string;
  message: string;
}

export interface RecordView {
  id: string;
  datasetName: string;
  externalId: string | null;
  data: JsonText;
  status: RecordStatus;
  /** Normalised values by field key; null until the record is ready. */
  fields: JsonText | null;
  /** A RecordError. */
  error: JsonText | null;
  /** ISO 8601, UTC */
  createdAt: string;
}

/** A listed record that is too large to be read together with the rest of its page. */
export interface HeavyRecord {
  id: string;
  /** Bytes of its data and values. */
  weight: number;
}

export type ListedRecord = RecordView | HeavyRecord;

export const isHeavy = (record: ListedRecord): record is HeavyRecord => 'weight' in record;

export type RecordRow = Omit<RecordView, 'data' | 'fields' | 'error'> & {
  data: string;
  fields: string | null;
  error: string | null;
};

/**
 * Builds a condition that holds where the stored size shows that a jsonb is small: a compressed one may be hundreds of
 * times larger as text.
 */
const isSmall = (column: string): string =>
  `(pg_column_size(${column}) < 2000 and pg_column_compression(${column}) is null)`;

/** SQL for the bytes of a jsonb as text, null for null. Only values that may be large are measured. */
const weightOf = (column: string): string =>
  `case when ${isSmall(column)} then pg_column_size(${column}) else octet_length(${column}::text) end`;

/** SQL over records `r`: whether a record is small, without reading its values. */
const isLight = `(${isSmall('r.data')} and (r.fields is null or ${isSmall('r.fields')}))`;

/** SQL over records `r`: bytes of the data as JSON text. */
export const dataWeight = weightOf('r.data');

/** SQL over records `r`: bytes of the data and the normalised values. */
const recordWeight = `(${dataWeight}) + coalesce(${weightOf('r.fields')}, 0)`;

const largeColumns = ['data', 'fields', 'error'] as const;

/** Columns of records `r` and datasets `d`; large values are read only where the condition holds. */
function columnsWhere(condition: string): string {
  const large = largeColumns.map((column) => `case when ${condition} then r.${column}::text end as ${column}`).join();
  return `r.id, d.name as "datasetName", r.external_id as "externalId", r.status, r.created_at::text as "createdAt",
  ${large}`;
}

/** The columns of a RecordRow. */
export const recordColumns = columnsWhere('true');

/** The columns of a LightRow. */
export const lightColumns = columnsWhere(isLight);

/**
 * A RecordRow whose large values are null; `datasetName` is null while the records of a deleted dataset are being
 * removed.
 */
export type LightRow = Omit<RecordRow, 'data' | 'datasetName'> & { data: string | null; datasetName: string | null };

/** Limits the bytes of a page of 100 records to two megabytes. */
const heavyBytes = 20_000;

/** The columns of a ListedRow; the statement also has `weightOfRecord`. */
export const listedColumns = `${columnsWhere(`w.weight <= ${heavyBytes}`)},
  case when w.weight > ${heavyBytes} then w.weight end as weight`;

/** SQL join that gives each record `r` its weight. */
export const weightOfRecord = `cross join lateral (select ${recordWeight} as weight offset 0) w`;

export type ListedRow = RecordRow & { weight: number | null };

export const listed = (row: ListedRow): ListedRecord =>
  row.weight === null ? viewOf(row) : { id: row.id, weight: row.weight };

const textOrNull = (text: string | null): JsonText | null => (text === null ? null : new JsonText(text));

export const viewOf = ({
  id,
  datasetName,
  externalId,
  data,
  status,
  fields,
  error,
  createdAt,
}: RecordRow): RecordView => ({
  id,
  datasetName,
  externalId,
  status,
  createdAt: isoTimestamp(createdAt),
  data: new JsonText(data),
  fields: textOrNull(fields),
  error: textOrNull(error),
});
