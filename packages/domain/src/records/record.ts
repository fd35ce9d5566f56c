import { JsonText } from '@tieout/infra';
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
  createdAt: Date;
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

/** The columns of a RecordRow; the statement names records `r` and datasets `d`. */
export const recordColumns = `r.id, d.name as "datasetName", r.external_id as "externalId", r.data::text as data, r.status,
  r.fields::text as fields, r.error::text as error, r.created_at as "createdAt"`;

/** The columns of a LightRow. */
export const lightColumns = `r.id, d.name as "datasetName", r.external_id as "externalId", r.status, r.created_at as "createdAt",
  ${['data', 'fields', 'error'].map((column) => `case when ${isLight} then r.${column}::text end as ${column}`).join()}`;

/** A RecordRow without what makes it large. */
export type LightRow = Omit<RecordRow, 'data'> & { data: string | null };

/** Of a whole page no more than two megabytes are read at once. */
const heavyBytes = 20_000;

/** The columns of a ListedRow; the statement also has `weightOfRecord`. */
export const listedColumns = `r.id, d.name as "datasetName", r.external_id as "externalId", r.status, r.created_at as "createdAt",
  ${['data', 'fields', 'error'].map((column) => `case when w.weight <= ${heavyBytes} then r.${column}::text end as ${column}`).join()},
  case when w.weight > ${heavyBytes} then w.weight end as weight`;

/** Part of a statement over records `r`. */
export const weightOfRecord = `cross join lateral (select ${recordWeight} as weight offset 0) w`;

export type ListedRow = RecordRow & { weight: number | null };

export const listed = ({ weight, ...row }: ListedRow): ListedRecord => (weight === null ? viewOf(row) : { id: row.id, weight });

const textOrNull = (text: string | null): JsonText | null => (text === null ? null : new JsonText(text));

export const viewOf = <R extends RecordRow>(row: R): Omit<R, Texts> & Pick<RecordView, Texts> => ({
  ...row,
  data: new JsonText(row.data),
  fields: textOrNull(row.fields),
  error: textOrNull(row.error),
});
