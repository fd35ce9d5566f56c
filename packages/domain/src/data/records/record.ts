import { isoTimestamp, JsonText } from '@tieout/infra';
import { isLight, recordWeight } from './weigh';

export const recordStatuses = ['received', 'ready', 'failed'] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** Why a record could not be normalised. `value` is what was found; long ones are cut. */
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
  /** As it was sent. */
  data: JsonText;
  status: RecordStatus;
  /** Normalised values by field key; null until the record is ready. */
  fields: JsonText | null;
  /** A RecordError. */
  error: JsonText | null;
  /** ISO 8601, UTC */
  createdAt: string;
}

/** A record of a list that is too large to be read together with all others of its page. */
export interface HeavyRecord {
  id: string;
  /** Bytes of its data and values. */
  weight: number;
}

export type ListedRecord = RecordView | HeavyRecord;

export const isHeavy = (record: ListedRecord): record is HeavyRecord => 'weight' in record;

type Texts = 'data' | 'fields' | 'error';
export type RecordRow = Omit<RecordView, Texts> & { data: string; fields: string | null; error: string | null };

/** Columns of records `r` and datasets `d`; what may be large of a record only where the condition holds. */
const columnsWhere = (
  condition: string,
): string => `r.id, d.name as "datasetName", r.external_id as "externalId", r.status, r.created_at::text as "createdAt",
  ${['data', 'fields', 'error'].map((column) => `case when ${condition} then r.${column}::text end as ${column}`).join()}`;

/** The columns of a RecordRow. */
export const recordColumns = columnsWhere('true');

/** The columns of a LightRow. */
export const lightColumns = columnsWhere(isLight);

/** A RecordRow without what makes it large. Without a dataset where that is deleted, and its records are still being removed. */
export type LightRow = Omit<RecordRow, 'data' | 'datasetName'> & { data: string | null; datasetName: string | null };

/** Of a whole page no more than two megabytes are read at once. */
const heavyBytes = 20_000;

/** The columns of a ListedRow; the statement also has `weightOfRecord`. */
export const listedColumns = `${columnsWhere(`w.weight <= ${heavyBytes}`)}, case when w.weight > ${heavyBytes} then w.weight end as weight`;

/** Part of a statement over records `r`. */
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
